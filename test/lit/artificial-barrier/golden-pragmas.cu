// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pragma right before a loop stays there, whatever form the loop gets.
//
// RUN: %rewrite-check %s %t.cu
// RUN: FileCheck --match-full-lines --strict-whitespace --input-file=%t.cu %s
//
// RUN: %barricade --barrier-interval=4 --explain %s 2>&1 | FileCheck --check-prefix=INTERVAL %s

__global__ void uniform(const float *a, float *out, int n) {
  float s = 0;
#pragma unroll 4
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void uniform(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:#pragma unroll 4
// CHECK-NEXT:  for (int k = 0; k < n; ++k) {
// CHECK-NEXT:    s += a[k * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;
// CHECK-NEXT:}
// With an interval, one loop would become two.
// INTERVAL: :[[#@LINE-15]]:1: note: {{.*}} [preprocessor]

__global__ void vote(const float *a, const int *end, float *out) {
  float s = 0;
  #pragma unroll 2
  for (int k = 0; k < end[threadIdx.x]; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void vote(const float *a, const int *end, float *out) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  bool active = true;
// CHECK-NEXT:  #pragma unroll 2
// CHECK-NEXT:  for (int k = 0; __syncthreads_or(active = active && (k < end[threadIdx.x])); active ? (void)(++k) : (void)0) if (active)
// CHECK-NEXT:    s += a[k * 64 + threadIdx.x];
// CHECK-NEXT:  out[threadIdx.x] = s;
// CHECK-NEXT:}

__global__ void voteAtMargin(const float *a, const int *end, float *out) {
  float s = 0;
  int k = 0;
#pragma nounroll
  while (k < end[threadIdx.x]) {
    s += a[k * 64 + threadIdx.x];
    ++k;
  }
  out[threadIdx.x] = s;
}
// CHECK:__global__ void voteAtMargin(const float *a, const int *end, float *out) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  int k = 0;
// CHECK-NEXT:  bool active = true;
// CHECK-NEXT:#pragma nounroll
// CHECK-NEXT:  while (__syncthreads_or(active = active && (k < end[threadIdx.x]))) if (active) {
// CHECK-NEXT:    s += a[k * 64 + threadIdx.x];
// CHECK-NEXT:    ++k;
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;
// CHECK-NEXT:}

__global__ void rounds(const float *a, float *out, int n) {
  float s = 0;
  int k;
  #pragma unroll 4
  for (k = threadIdx.x; k < n; k += 64)
    s += a[k];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void rounds(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  int k;
// CHECK-NEXT:  int leader = 0;
// CHECK-NEXT:  #pragma unroll 4
// CHECK-NEXT:  for (k = threadIdx.x; leader < n;
// CHECK-NEXT:       k += k < n ? 64 : 0, leader += 64, __syncthreads()) if (k < n)
// CHECK-NEXT:    s += a[k];
// CHECK-NEXT:  out[threadIdx.x] = s;
// CHECK-NEXT:}

__global__ void guarded(const float *a, float *out, int n) {
  if (threadIdx.x < n) {
    float z = a[threadIdx.x];
    #pragma unroll
    for (int j = 0; j < 8; ++j)
      z *= z;
    #pragma unroll 4
    for (int k = 0; k < n; ++k)
      z += a[k * 64 + threadIdx.x];
    #pragma unroll 2
    for (int j = 0; j < 8; ++j)
      z *= z;
    out[threadIdx.x] = z;
  }
}
// CHECK:__global__ void guarded(const float *a, float *out, int n) {
// CHECK-NEXT:  const bool inside = threadIdx.x < n;
// CHECK-NEXT:  float z;
// CHECK-NEXT:  if (inside) {
// CHECK-NEXT:    z = a[threadIdx.x];
// CHECK-NEXT:    #pragma unroll
// CHECK-NEXT:    for (int j = 0; j < 8; ++j)
// CHECK-NEXT:      z *= z;
// CHECK-NEXT:  }
// CHECK-NEXT:  bool active = inside;
// CHECK-NEXT:  #pragma unroll 4
// CHECK-NEXT:  for (int k = 0; __syncthreads_or(active = active && (k < n)); active ? (void)(++k) : (void)0) if (active)
// CHECK-NEXT:    z += a[k * 64 + threadIdx.x];
// CHECK-NEXT:  if (inside) {
// CHECK-NEXT:    #pragma unroll 2
// CHECK-NEXT:    for (int j = 0; j < 8; ++j)
// CHECK-NEXT:      z *= z;
// CHECK-NEXT:    out[threadIdx.x] = z;
// CHECK-NEXT:  }
// CHECK-NEXT:}

__global__ void guardedOuter(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    #pragma unroll
    for (int j = 0; j < 8; ++j)
      for (int k = 0; k < n; ++k)
        s += a[k * 64 + threadIdx.x + j];
    out[threadIdx.x] = s;
  }
}
// CHECK:__global__ void guardedOuter(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  const bool inside = threadIdx.x < n;
// CHECK-NEXT:  #pragma unroll
// CHECK-NEXT:  for (int j = 0; j < 8; ++j) {
// CHECK-NEXT:    bool active = inside;
// CHECK-NEXT:    for (int k = 0; __syncthreads_or(active = active && (k < n)); active ? (void)(++k) : (void)0) if (active)
// CHECK-NEXT:      s += a[k * 64 + threadIdx.x + j];
// CHECK-NEXT:  }
// CHECK-NEXT:  if (inside) {
// CHECK-NEXT:    out[threadIdx.x] = s;
// CHECK-NEXT:  }
// CHECK-NEXT:}

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
int main() {
  float *values = onDevice(someValues<float>(8192));
  int *ends = onDevice(someValues<int>(64));
  {
    Buffer<float> out("vote", 64);
    vote<<<1, 64>>>(values, ends, out);
  }
  {
    Buffer<float> out("voteAtMargin", 33);
    voteAtMargin<<<1, 33>>>(values, ends, out);
  }
  for (int n : {0, 1, 33, 40}) {
    RUN(uniform, n);
    RUN(rounds, n);
    RUN(guarded, n);
    RUN(guardedOuter, n);
  }
}
#endif

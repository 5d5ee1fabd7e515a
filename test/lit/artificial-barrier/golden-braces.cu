// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A form that needs a declaration before the loop, where the loop is all that
// another statement holds: that statement gets braces.
//
// RUN: %rewrite-check %s %t.cu
// RUN: FileCheck --match-full-lines --strict-whitespace --input-file=%t.cu %s

__global__ void branch(const float *a, float *out, int n, int m) {
  float s = 0;
  if (n > m)
    for (int k = threadIdx.x; k < n; k += 1 + (a[k] > 0))
      s += a[k] * a[k + m]; // The comment stays.
  else
    for (int k = threadIdx.x; k < n; k += 2 + (a[k] > 0))
      s += a[k];
  out[threadIdx.x] = s;
}
// CHECK:  if (n > m) {
// CHECK-NEXT:    bool active = true;
// CHECK-NEXT:    for (int k = threadIdx.x; __syncthreads_or(active = active && (k < n)); active ? (void)(k += 1 + (a[k] > 0)) : (void)0) if (active)
// CHECK-NEXT:      s += a[k] * a[k + m]; // The comment stays.
// CHECK-NEXT:  }
// CHECK-NEXT:  else {
// CHECK-NEXT:    bool active2 = true;
// CHECK-NEXT:    for (int k = threadIdx.x; __syncthreads_or(active2 = active2 && (k < n)); active2 ? (void)(k += 2 + (a[k] > 0)) : (void)0) if (active2)
// CHECK-NEXT:      s += a[k];
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;

__global__ void loopInLoop(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int j = 0; j < m; ++j)
    for (int k = threadIdx.x; k < n; k += 1 + (a[k] > 0))
      s += a[k] * a[k + j];
  out[threadIdx.x] = s;
}
// CHECK:  for (int j = 0; j < m; ++j) {
// CHECK-NEXT:    bool active = true;
// CHECK-NEXT:    for (int k = threadIdx.x; __syncthreads_or(active = active && (k < n)); active ? (void)(k += 1 + (a[k] > 0)) : (void)0) if (active)
// CHECK-NEXT:      s += a[k] * a[k + j];
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;

__global__ void inDo(const float *a, float *out, int n, int m) {
  float s = 0;
  int j = 0;
  do
    for (int k = threadIdx.x; k < n; k += 1 + (a[k] > 0))
      s += a[k] * a[k + j];
  while (++j < m);
  out[threadIdx.x] = s;
}
// CHECK:  do {
// CHECK-NEXT:    bool active = true;
// CHECK-NEXT:    for (int k = threadIdx.x; __syncthreads_or(active = active && (k < n)); active ? (void)(k += 1 + (a[k] > 0)) : (void)0) if (active)
// CHECK-NEXT:      s += a[k] * a[k + j];
// CHECK-NEXT:  } while (++j < m);

__global__ void oneLine(const float *a, float *out, int n, int m) {
  float s = 0;
  if (n > m) for (int k = threadIdx.x; k < n; k += 1 + (a[k] > 0)) s += a[k];
  out[threadIdx.x] = s;
}
// CHECK:  if (n > m) { bool active = true; for (int k = threadIdx.x; __syncthreads_or(active = active && (k < n)); active ? (void)(k += 1 + (a[k] > 0)) : (void)0) if (active) s += a[k]; }

__global__ void guarded(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int j = 0; j < m; ++j)
    if (threadIdx.x + j < n)
      for (int k = 0; k < n; ++k)
        s += a[k] * a[k + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:  for (int j = 0; j < m; ++j) {
// CHECK-NEXT:    const bool inside = threadIdx.x + j < n;

// What stands before the condition stays where it is.
__global__ void remarkInDo(const float *a, float *out, int n, int m) {
  float s = 0;
  int j = 0;
  do
    s += a[j + threadIdx.x];
  // for as long as there are more
  while (++j < m);
  do
    s -= a[j + threadIdx.x];
  while (--j > 0);
  out[threadIdx.x] = s * n;
}
// CHECK:  do {
// CHECK-NEXT:    s += a[j + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }
// CHECK-NEXT:  // for as long as there are more
// CHECK-NEXT:  while (++j < m);
// CHECK-NEXT:  do {
// CHECK-NEXT:    s -= a[j + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  } while (--j > 0);

#ifdef BARRICADE_EMULATED
#include "../Inputs/run_kernels.h"
int main() {
  for (int n : {0, 1, 5})
    for (int m : {0, 2, 4}) {
      RUN(branch, n, m);
      RUN(loopInLoop, n, m);
      RUN(inDo, n, m);
      RUN(oneLine, n, m);
      RUN(guarded, n, m);
      RUN(remarkInDo, n, m);
    }
}
#endif

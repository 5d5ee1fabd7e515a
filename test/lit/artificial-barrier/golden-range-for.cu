// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Range-for loops over as many elements as their type says: every thread runs
// them equally often, whatever they hold.
//
// RUN: %rewrite-check %s %t.cu
// RUN: FileCheck --match-full-lines --strict-whitespace --input-file=%t.cu %s

#include <initializer_list>

__global__ void array(const float *a, float *out, int n) {
  const int rows[] = {1, n, int(threadIdx.x)};
  float s = 0;
  for (int row : rows)
    s += a[row * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void array(const float *a, float *out, int n) {
// CHECK-NEXT:  const int rows[] = {1, n, int(threadIdx.x)};
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int row : rows) {
// CHECK-NEXT:    s += a[row * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;
// CHECK-NEXT:}

__global__ void written(const float *a, float *out, int n) {
  int rows[4] = {1, n, 3, 4};
  float s = 0;
  for (int &row : rows) {
    row += threadIdx.x;
    s += a[row * 64];
  }
  out[threadIdx.x] = s;
}
// CHECK:__global__ void written(const float *a, float *out, int n) {
// CHECK-NEXT:  int rows[4] = {1, n, 3, 4};
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int &row : rows) {
// CHECK-NEXT:    row += threadIdx.x;
// CHECK-NEXT:    s += a[row * 64];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;
// CHECK-NEXT:}

__global__ void sharedArray(const float *a, float *out, int n) {
  __shared__ int rows[4];
  rows[threadIdx.x & 3] = n;
  __syncthreads();
  float s = 0;
  for (int row : rows)
    s += a[row * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void sharedArray(const float *a, float *out, int n) {
// CHECK-NEXT:  __shared__ int rows[4];
// CHECK-NEXT:  rows[threadIdx.x & 3] = n;
// CHECK-NEXT:  __syncthreads();
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int row : rows) {
// CHECK-NEXT:    s += a[row * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;
// CHECK-NEXT:}

__global__ void braces(const float *a, float *out, int n) {
  float s = 0;
  for (int row : {1, n, 7})
    s += a[row * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK:__global__ void braces(const float *a, float *out, int n) {
// CHECK-NEXT:  float s = 0;
// CHECK-NEXT:  for (int row : {1, n, 7}) {
// CHECK-NEXT:    s += a[row * 64 + threadIdx.x];
// CHECK-NEXT:    __syncthreads();
// CHECK-NEXT:  }
// CHECK-NEXT:  out[threadIdx.x] = s;
// CHECK-NEXT:}

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
int main() {
  for (int n : {0, 5}) {
    RUN(array, n);
    RUN(written, n);
    RUN(braces, n);
  }
  Buffer<float> sums("sharedArray", 64);
  sharedArray<<<1, 64>>>(onDevice(someValues<float>(1024)), sums, 3);
}
#endif

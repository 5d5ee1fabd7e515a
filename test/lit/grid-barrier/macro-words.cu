// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros of the program by the names of words that are not written around its
// loop, in this build and in another one.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 2>&1 | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 -DWORDS 2>&1 | FileCheck %s
// CHECK: 1 to rewrite

#ifdef WORDS
#define cudaErrorOfUser cudaSuccess
#define uint4 short
#endif

__global__ void half(float *a, int n) { a[threadIdx.x] = a[n - 1 - threadIdx.x] / 2 + blockIdx.x; }
void halves(float *a, int n) {
  for (int t = 0; t < n; ++t) {
    half<<<1, 64>>>(a, n);
    half<<<1, 64>>>(a, t);
  }
}

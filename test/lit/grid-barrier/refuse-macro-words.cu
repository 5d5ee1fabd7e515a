// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros of the program by the names of words that are written around its loop.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 -DWORD=1 2>&1 | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 -DWORD=2 2>&1 | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 -DWORD=3 2>&1 | FileCheck %s
// In builds that have none of them, too: sources are shared.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 2>&1 | FileCheck %s

#if WORD == 1
#define cudaSuccess cudaErrorUnknown
#elif WORD == 2
#define break continue
#elif WORD == 3
#define uint3 short
#endif

__global__ void half(float *a, int n) { a[threadIdx.x] = a[n - 1 - threadIdx.x] / 2 + blockIdx.x; }
void halves(float *a, int n) {
  for (int t = 0; t < n; ++t) {
    half<<<1, 64>>>(a, n);
    half<<<1, 64>>>(a, t);
  }
}
// CHECK: :[[#@LINE-5]]:3: {{.*}}[runtime-name]

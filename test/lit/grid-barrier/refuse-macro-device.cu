// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where `device` is a macro, CUDA's own `__device__` means nothing.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -arch=sm_90 2>&1 | FileCheck %s

#define device 0

__global__ void half(float *a, int n) {
  a[threadIdx.x] = a[n - 1 - threadIdx.x] / 2;
}
void steps(float *a, int n) {
  for (int t = 0; t < n; ++t)
    half<<<1, 64>>>(a, n);
}
// CHECK: :[[#@LINE-3]]:3: {{.*}}[runtime-name]

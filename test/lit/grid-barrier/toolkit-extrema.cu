// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's own min and max, with a toolkit's headers and without.
//
// RUN: not %barricade --dry-run %s -- nvcc -std=c++17 -arch=sm_90 | FileCheck %s
// RUN: not %barricade --dry-run %s -- clang++ -std=c++17 --cuda-gpu-arch=sm_90 | FileCheck %s
// RUN: not %barricade --dry-run --no-toolkit %s -- nvcc -std=c++17 -arch=sm_90 | FileCheck %s
// REQUIRES: nvcc
//
// CHECK: {{^}}+{{.*}}barricade::Takeover takeover(solve_persistent, min(n / 256, 80), 0
#include <cuda_runtime.h>
#include <utility>
__global__ void shift(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = in[i - 1];
}
void solve(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    shift<<<min(n / 256, 80), 256>>>(a, b, n);
    std::swap(a, b);
  }
}

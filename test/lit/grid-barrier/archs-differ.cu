// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step's built-in variables that one pass makes no use of: no warning.
//
// RUN: not %dry-run --rules=grid-barrier %s -- nvcc -std=c++17 -arch=sm_90 -Xcompiler -Wextra,-Werror 2>&1 | FileCheck %s

#include <utility>

// CHECK: {{^}}+__device__ __forceinline__ void relax_step(
// CHECK-NEXT: {{^}}+ {{ *\[\[}}maybe_unused]] const uint3 blockIdx, {{\[\[}}maybe_unused]] const dim3 gridDim,
__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if (i > 0 && i < n - 1)
    to[i] = from[i - 1] + from[i + 1];
#else
  for (; i > 0 && i < n - 1; i += gridDim.x * blockDim.x)
    to[i] = from[i - 1] + from[i + 1];
#endif
}

// CHECK: {{^}}+__device__ __forceinline__ void copy_step(const uint3 blockIdx,
// CHECK-NEXT: {{^}}+ {{ *}}const dim3 gridDim,
__global__ void copy(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += gridDim.x * blockDim.x)
    to[i] = from[i];
}

void run(float *a, float *b, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    relax<<<n / 256, 256>>>(a, b, n);
    copy<<<n / 256, 256>>>(b, a, n);
    std::swap(a, b);
  }
  cudaDeviceSynchronize();
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is another one for other architectures: what it must not do as
// a step was asked of this one alone.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

#include <utility>

// CHECK: :[[#@LINE+1]]:17: note: {{.*}} [other-build]
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

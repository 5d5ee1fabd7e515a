// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of few launches makes no graph, but one that waits for each of them
// gains by waiting once.
//
// RUN: %barricade-by-default --rules=launch-replay --no-verify --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

#include <utility>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

void few(float *a, float *b, int n) {
  // CHECK: :[[@LINE+1]]:3: remark: launches in a loop {{.*}}not expected to be faster
  for (int step = 0; step < 20; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
}

void many(float *a, float *b, int n) {
  // CHECK: :[[@LINE+1]]:3: warning: {{.*}}+0.0 % .. +61.3 %
  for (int step = 0; step < 2000; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    std::swap(a, b);
  }
}

void fewWithWaits(float *a, float *b, int n) {
  // CHECK: :[[@LINE+1]]:3: warning: {{.*}}+0.0 % .. +64.5 %
  for (int step = 0; step < 20; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
}

void manyWithWaits(float *a, float *b, int n) {
  // CHECK: :[[@LINE+1]]:3: warning: {{.*}}+0.0 % .. +86.3 %
  for (int step = 0; step < 2000; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
  }
}

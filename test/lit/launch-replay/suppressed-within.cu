// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user does not want of one rule is not written by another one.
//
// RUN: %barricade --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='warning:' %s
// RUN: %barricade --rules=launch-overlap,launch-replay --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='warning:' %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=ALONE %s

#include <utility>

__global__ void relax(int *out, const int *in, int n, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[(i + 1) % n] + w;
}

void overlap(int *a, int *b, int n, int k) {
  // ALONE: [[#@LINE+1]]:3: warning: {{.*}} one persistent kernel
  for (int i = 0; i < k; ++i) {
    relax<<<n / 64, 64>>>(b, a, n, i); // NOLINT(barricade-launch-*)
    std::swap(a, b);
  }
}
void any(int *a, int *b, int n, int k) {
  for (int i = 0; i < k; ++i) {
    relax<<<n / 64, 64>>>(b, a, n, i); // NOLINT
    std::swap(a, b);
  }
}
// CHECK: [[#@LINE+2]]:3: warning: {{.*}}
void wanted(int *a, int *b, int n, int k) {
  for (int i = 0; i < k; ++i) {
    relax<<<n / 64, 64>>>(b, a, n, i);
    std::swap(a, b);
  }
}

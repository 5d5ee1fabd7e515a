// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a loop asks for errors of its waits, a graph is what gains at every
// size of the grid, and a persistent kernel more where that is small.
//
// RUN: %barricade --rules=grid-barrier,launch-replay --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=ALONE %s

#include <cstdio>
#include <cstdlib>
#include <utility>

static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

void solve(float *a, float *b, int n, int steps) {
  // CHECK: :[[@LINE+2]]:3: warning: for loop of kernel launches can become one persistent kernel with a grid barrier, or be replayed by a graph where that is faster
  // ALONE: :[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel with a grid barrier (
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256>>>(a, b, n);
    check(cudaDeviceSynchronize());
    std::swap(a, b);
  }
}

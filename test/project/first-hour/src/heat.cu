// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cells.h"
#include <cstdio>
#include <utility>

__global__ void spread(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

int main(int argc, char **) {
  float *a, *b;
  cudaMalloc(&a, cells * sizeof(float));
  cudaMalloc(&b, cells * sizeof(float));
  cudaMemset(a, 0, cells * sizeof(float));
  cudaMemset(b, 0, cells * sizeof(float));
  for (int step = 0; step < 1000 * argc; ++step) {
    spread<<<cells / 256, 256>>>(a, b, cells);
    std::swap(a, b);
  }
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}

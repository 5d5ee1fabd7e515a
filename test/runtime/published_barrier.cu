// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lock-based barrier as published, with a fence per thread. The CPU
// executor must find that the arrival does not cover the other threads' writes.

#include "eval/gpu-sync/unsafe.cuh"

__global__ void neighbours(unsafe::Lock<true> Bar, unsigned *Words) {
  const unsigned N = gridDim.x * blockDim.x;
  const unsigned Me = blockIdx.x * blockDim.x + threadIdx.x;
  Words[Me] = Me;
  __gpu_sync(Bar);
  Words[N + Me] = Words[(Me + blockDim.x) % N];
}

int main() {
  unsigned *State, *Words;
  if (cudaMalloc(&State, 128) || cudaMemset(State, 0, 128) ||
      cudaMalloc(&Words, 4 * 64 * 2 * sizeof(unsigned)))
    return 1;
  unsafe::Lock<true> Bar(State);
  void *Arguments[] = {&Bar, &Words};
  if (cudaLaunchCooperativeKernel(neighbours, 4, 64, Arguments, 0, nullptr))
    return 1;
  return cudaDeviceSynchronize() != cudaSuccess;
}

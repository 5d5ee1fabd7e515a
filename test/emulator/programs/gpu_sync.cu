// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every strategy of __gpu_sync carries data from block to block, free of races
// and hangs, for grids that the device just holds and for one block.
#include <cooperative_groups.h>

#include "runtime/barricade/gpu_sync.cuh"

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void fill(int *data, int n) {
  if (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n)
    data[i] = i;
}

template <barricade::SyncStrategy S>
__global__ void rotate(barricade::BasicGridBarrier<S> barrier, int *from,
                       int *to, int n, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
      to[i] = from[(i + 100) % n] + 1;
    __gpu_sync(barrier);
    int *swap = from;
    from = to;
    to = swap;
  }
}

template <barricade::SyncStrategy S> void test(int blocks, int threads) {
  constexpr int n = 1000, rounds = 6;
  int *a, *b;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  fill<<<(n + 127) / 128, 128>>>(a, n);
  cudaError_t error = barricade::launch_persistent(
      rotate<S>, dim3(blocks), dim3(threads), 0, nullptr, a, b, n, rounds);
  std::vector<int> host(n);
  if (error == cudaSuccess)
    error = cudaMemcpy(host.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (error != cudaSuccess || host[i] != (i + 100 * rounds) % n + rounds) {
      std::printf("strategy %d, %d blocks of %d: %s, element %d is %d\n",
                  int(S), blocks, threads, cudaGetErrorString(error), i,
                  host[i]);
      std::exit(1);
    }
  cudaFree(a);
  cudaFree(b);
}

template <barricade::SyncStrategy S> void testSizes() {
  for (int blocks : {1, 2, 7, 32, 1000})
    test<S>(blocks, 64);
  test<S>(3, 1);
  test<S>(5, 96);
}

int main() {
  testSizes<barricade::SyncStrategy::Automatic>();
  testSizes<barricade::SyncStrategy::Lock>();
  testSizes<barricade::SyncStrategy::LockFree>();
  testSizes<barricade::SyncStrategy::Cooperative>();
  std::printf("all right\n");
}

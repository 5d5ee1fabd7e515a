// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the order in which threads come to an atomic: the same for the same
// order and seed, another one for another.
#include <cstdio>

__global__ void kernel(unsigned *order, unsigned *next) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  order[atomicAdd(next, 1)] = i;
}

int main() {
  unsigned *order, *next, host[256];
  cudaMalloc(&order, sizeof(host));
  cudaMalloc(&next, sizeof(unsigned));
  cudaMemset(next, 0, sizeof(unsigned));
  kernel<<<4, 64>>>(order, next);
  cudaMemcpy(host, order, sizeof(host), cudaMemcpyDeviceToHost);
  for (unsigned i : host)
    std::printf("%u ", i);
  std::printf("\n");
}

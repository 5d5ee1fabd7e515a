// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two halves of a block meet at two different barriers.
#include <cstdio>

__global__ void kernel(int *out) {
  __shared__ int shared[64];
  shared[threadIdx.x] = threadIdx.x;
#ifdef FIXED
  __syncthreads();
#else
  if (threadIdx.x < 32)
    __syncthreads(); // FAULT: divergent-barrier
  else
    __syncthreads(); // FAULT: divergent-barrier
#endif
  out[threadIdx.x] = shared[63 - threadIdx.x];
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}

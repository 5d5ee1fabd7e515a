// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block adds up the others' results. (CUDA C++ Programming Guide,
// "Memory Fence Functions".)
#include <cstdio>

__device__ unsigned count;

__global__ void sum(const float *in, float *partial, float *total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x] * 2; // FAULT: data-race
#ifdef FIXED
    __threadfence();
#endif
    isLast = atomicInc(&count, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == blockDim.x - 1) {
    float result = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      result += partial[i]; // FAULT: data-race
    *total = result;
  }
}

int main() {
  constexpr int blocks = 20;
  float host[blocks], *in, *partial, *total, result;
  for (int i = 0; i < blocks; ++i)
    host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&partial, sizeof(host));
  cudaMalloc(&total, sizeof(float));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sum<<<blocks, 64>>>(in, partial, total);
  cudaMemcpy(&result, total, sizeof(float), cudaMemcpyDeviceToHost);
  return result != blocks * (blocks - 1);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fence by each thread before the barrier and a relaxed arrival by another
// thread after it do not release the threads' writes (PTX ISA, "Memory
// Consistency Model": a release pattern is a fence and a write of one thread).
__device__ unsigned arrived;

__global__ void kernel(int *data, int *out) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // FAULT: data-race
#ifndef FIXED
  __threadfence();
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef FIXED
    __threadfence();
#endif
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned *)&arrived != gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  int other = (blockIdx.x + 1) % gridDim.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      data[other * blockDim.x + threadIdx.x]; // FAULT: data-race
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 256 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  kernel<<<4, 64>>>(data, out);
  return cudaDeviceSynchronize();
}

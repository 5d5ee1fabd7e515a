// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier after the reads of a round is missing.
__global__ void kernel(int *out, int rounds) {
  extern __shared__ int shared[];
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    shared[threadIdx.x] = i + threadIdx.x; // FAULT: data-race
    __syncthreads();
    sum += shared[blockDim.x - 1 - threadIdx.x]; // FAULT: data-race
#ifdef FIXED
    __syncthreads();
#endif
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  kernel<<<1, 64, 64 * sizeof(int)>>>(out, 3);
  return cudaDeviceSynchronize();
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An accumulator in shared memory starts at nothing; every block has its own.
__global__ void kernel(int *out) {
  __shared__ int sum;
#ifdef FIXED
  bool first = threadIdx.x == 0;
#else
  bool first = threadIdx.x == 0 && blockIdx.x == 0;
#endif
  if (first)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1); // FAULT: uninitialised-read
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

int main() {
  int *out;
  cudaMalloc(&out, 4 * sizeof(int));
  kernel<<<4, 64>>>(out);
  return cudaDeviceSynchronize();
}

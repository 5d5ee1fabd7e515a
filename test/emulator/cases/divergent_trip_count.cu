// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads go round a loop with a barrier differently often.
__global__ void kernel(int *out, int n) {
#ifdef FIXED
  for (int i = 0; i < n; i += blockDim.x) {
    if (i + threadIdx.x < n)
      out[i + threadIdx.x] = i;
    __syncthreads();
  }
#else
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] = i;
    __syncthreads(); // FAULT: divergent-barrier
  }
#endif
  __syncthreads(); // FAULT: divergent-barrier
}

int main() {
  int *out;
  cudaMalloc(&out, 100 * sizeof(int));
  kernel<<<1, 32>>>(out, 100);
  return cudaDeviceSynchronize();
}

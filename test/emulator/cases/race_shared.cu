// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread reads its neighbour's element without a barrier.
__global__ void kernel(int *out) {
  __shared__ int shared[64];
  shared[threadIdx.x] = 0;
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x; // FAULT: data-race
#ifdef FIXED
  __syncthreads();
#endif
  out[threadIdx.x] = shared[(threadIdx.x + 1) % 64]; // FAULT: data-race
}

int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(out, 0, 64 * sizeof(int));
  kernel<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}

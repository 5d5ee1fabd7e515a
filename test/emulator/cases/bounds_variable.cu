// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Past the end of a device variable and of constant memory.
__constant__ float table[16];
__device__ float sums[64];

__global__ void kernel(int first) {
  sums[threadIdx.x] = table[first + threadIdx.x % 16]; // FAULT: out-of-bounds
}

int main() {
  float host[16] = {1, 2, 3};
  cudaMemcpyToSymbol(table, host, sizeof(host));
#ifdef FIXED
  kernel<<<1, 64>>>(0);
#else
  kernel<<<1, 64>>>(1);
#endif
  return cudaDeviceSynchronize();
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel works on freed memory.
__global__ void kernel(int *data) {
  data[threadIdx.x] += 1; // FAULT: use-after-free
}

int main() {
  int *data;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
#ifndef FIXED
  cudaFree(data);
#endif
  kernel<<<1, 64>>>(data);
  return cudaDeviceSynchronize();
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel gets no memory.
__global__ void kernel(int *data) {
  data[threadIdx.x] = 1; // FAULT: out-of-bounds
}

int main() {
  int *data = nullptr;
#ifdef FIXED
  cudaMalloc(&data, 32 * sizeof(int));
#endif
  kernel<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}

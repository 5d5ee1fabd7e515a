// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shuffle names lanes that never come.
__global__ void kernel(int *out) {
  int value = threadIdx.x;
#ifdef FIXED
  value = __shfl_xor_sync(0xffffffffu, value, 1);
#else
  if (threadIdx.x < 16)
    value = __shfl_xor_sync(0xffffffffu, value, 1); // FAULT: hang
  else
    __syncwarp(0xffff0000u | 1);
#endif
  out[threadIdx.x] = value;
}

int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
  kernel<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The guard is missing.
__global__ void kernel(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n)
#endif
    out[i] = i; // FAULT: out-of-bounds
}

int main() {
  int *out;
  cudaMalloc(&out, 100 * sizeof(int));
  kernel<<<4, 32>>>(out, 100);
  return cudaDeviceSynchronize();
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier made of atomics among more blocks than the device holds.
// OPTIONS: --sms=2 --blocks-per-sm=4 --hang-accesses=100000
__global__ void kernel(unsigned *arrived) {
  __threadfence();
  atomicAdd(arrived, 1);
  while (*(volatile unsigned *)arrived != gridDim.x) // FAULT: grid-barrier
    ;
}

int main() {
#ifdef FIXED
  int blocks = 8;
#else
  int blocks = 9;
#endif
  unsigned *arrived;
  cudaMalloc(&arrived, sizeof(unsigned));
  cudaMemset(arrived, 0, sizeof(unsigned));
  kernel<<<blocks, 1>>>(arrived);
  return cudaDeviceSynchronize();
}

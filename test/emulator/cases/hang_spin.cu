// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread waits for a flag that nobody sets.
// OPTIONS: --hang-accesses=100000
__global__ void kernel(volatile int *flag) {
#ifdef FIXED
  if (threadIdx.x == 1)
    *flag = 1;
#endif
  if (threadIdx.x == 0)
    while (*flag == 0) // FAULT: hang
      ;
}

int main() {
  int *flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  kernel<<<1, 64>>>(flag);
  return cudaDeviceSynchronize();
}

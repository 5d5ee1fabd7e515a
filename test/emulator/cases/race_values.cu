// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that write the same value to a flag are let pass; values that differ
// are a race.
__global__ void kernel(int *flag) {
#ifdef FIXED
  *flag = 1;
#else
  *flag = threadIdx.x; // FAULT: data-race
#endif
}

int main() {
  int *flag, host;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  kernel<<<4, 64>>>(flag);
  cudaMemcpy(&host, flag, sizeof(int), cudaMemcpyDeviceToHost);
  return host != 1;
}

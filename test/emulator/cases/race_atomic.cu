// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain update among atomic ones.
__global__ void kernel(int *counter) {
#ifdef FIXED
  atomicAdd(counter, 1);
#else
  if (threadIdx.x == 7)
    *counter += 1; // FAULT: data-race
  else
    atomicAdd(counter, 1); // FAULT: data-race
#endif
}

int main() {
  int *counter, host;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  kernel<<<4, 64>>>(counter);
  cudaMemcpy(&host, counter, sizeof(int), cudaMemcpyDeviceToHost);
  return host != 256;
}

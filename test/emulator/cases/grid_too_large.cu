// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cooperative launch of more blocks than the device holds.
// OPTIONS: --sms=2 --blocks-per-sm=4
#include <cooperative_groups.h>

__global__ void kernel(int *data) {
  data[blockIdx.x] = blockIdx.x;
  cooperative_groups::this_grid().sync();
  data[gridDim.x + blockIdx.x] = data[gridDim.x - 1 - blockIdx.x];
}

int main() {
#ifdef FIXED
  int blocks = 8;
#else
  int blocks = 9;
#endif
  int *data;
  cudaMalloc(&data, 32 * sizeof(int));
  void *args[] = {&data};
  return cudaLaunchCooperativeKernel( // FAULT: grid-barrier
      (void *)kernel, blocks, 1, args);
}

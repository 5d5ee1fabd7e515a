// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block leaves before the grid barrier.
#include <cooperative_groups.h>

__global__ void kernel(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  cooperative_groups::this_grid().sync(); // FAULT: grid-barrier
}

int main() {
#ifdef FIXED
  int n = 128;
#else
  int n = 96;
#endif
  void *args[] = {&n};
  return cudaLaunchCooperativeKernel(kernel, 4, 32, args);
}

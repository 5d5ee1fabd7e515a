// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier of the block is too narrow behind a step whose partners are of
// another block, even where those of the next step are not.
#include <cooperative_groups.h>

__global__ void kernel(int *x, unsigned n) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned j = n / 2; j > 0; j /= 2) {
    if (i < (i ^ j)) {
      int first = x[i];          // FAULT: data-race
      int second = x[i ^ j];     // FAULT: data-race
      x[i] = first + second;     // FAULT: data-race
      x[i ^ j] = first - second; // FAULT: data-race
    }
#ifdef FIXED
    const bool isNarrow = j < blockDim.x && j / 2 < blockDim.x;
#else
    const bool isNarrow = j / 2 < blockDim.x;
#endif
    if (isNarrow)
      __syncthreads();
    else
      grid.sync();
  }
}

int main() {
  unsigned n = 128;
  int *x;
  cudaMalloc(&x, n * sizeof(int));
  cudaMemset(x, 1, n * sizeof(int));
  void *arguments[] = {&x, &n};
  cudaLaunchCooperativeKernel((void *)kernel, 4, 32, arguments);
  return cudaDeviceSynchronize();
}

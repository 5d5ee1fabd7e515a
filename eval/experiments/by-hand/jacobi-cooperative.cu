// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jacobi iteration: all iterations in one cooperative kernel where they fit.

__global__ void relaxAll(float *grid, float *next, int n, int iterations) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  for (int t = 0; t < iterations; ++t) {
    if (x < n - 1 && y < n - 1) {
      int i = y * n + x;
      next[i] = 0.25f * (grid[i - n] + grid[i - 1] + grid[i + 1] + grid[i + n]);
    }
    cooperative_groups::this_grid().sync();
    float *swapped = grid;
    grid = next;
    next = swapped;
  }
}

static float *iterate(float *grid, float *next, int n, int iterations,
                      dim3 block) {
  dim3 blocks((n + block.x - 3) / block.x, (n + block.y - 3) / block.y);
  if (by_hand::launchCooperative(relaxAll, blocks, block, grid, next, n,
                                 iterations))
    return iterations % 2 == 0 ? grid : next;
  return iterateByLaunches(grid, next, n, iterations, block);
}

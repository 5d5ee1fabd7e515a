// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jacobi iteration: each launch may begin before the one before has ended.

__global__ void relax(const float *grid, float *next, int n) {
  cudaGridDependencySynchronize();
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x < n - 1 && y < n - 1) {
    int i = y * n + x;
    next[i] = 0.25f * (grid[i - n] + grid[i - 1] + grid[i + 1] + grid[i + n]);
  }
}

static float *iterate(float *grid, float *next, int n, int iterations,
                      dim3 block) {
  dim3 blocks((n + block.x - 3) / block.x, (n + block.y - 3) / block.y);
  for (int i = 0; i < iterations; ++i) {
    by_hand::launchDependent(relax, blocks, block, grid, next, n);
    std::swap(grid, next);
  }
  return grid;
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jacobi iteration: all iterations as one graph.

static float *iterate(float *grid, float *next, int n, int iterations,
                      dim3 block) {
  dim3 blocks((n + block.x - 3) / block.x, (n + block.y - 3) / block.y);
  by_hand::runAsGraph([=](cudaStream_t stream) mutable {
    for (int i = 0; i < iterations; ++i) {
      relax<<<blocks, block, 0, stream>>>(grid, next, n);
      std::swap(grid, next);
    }
  });
  return iterations % 2 == 0 ? grid : next;
}

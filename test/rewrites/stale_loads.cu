// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How persistent kernels go wrong; check_step_ptx.py must see it in each.

#include "barricade/gpu_sync.cuh"

/// What `__restrict__` promises holds for a launch, and this one writes what it
/// reads.
__global__ void stale(barricade::GridBarrier bar, const int *__restrict__ from,
                      int *__restrict__ to, int n, int steps) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    if (i < n)
      to[i] += from[i];
    __gpu_sync(bar);
  }
}

/// What one step has loaded is used in the next.
__global__ void carried(barricade::GridBarrier bar, int *data, int n,
                        int steps) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int before = 0;
  for (int s = 0; s < steps; ++s) {
    int now = data[(i + 1) % n];
    __gpu_sync(bar);
    data[i] = before;
    before = now * 2;
    __gpu_sync(bar);
  }
}

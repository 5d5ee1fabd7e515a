// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source that included_kernels.cuh includes, as some programs do.

__global__ void raise(int *p, int by) { p[threadIdx.x] += by; }

/// A loop in a file that is included.
static void raises(int *p, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    raise<<<1, n>>>(p, t);
    included::shrink<<<2, 8>>>(p, n, t + 7);
  }
}

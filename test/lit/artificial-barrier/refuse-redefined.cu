// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program gives the barrier's name a meaning of its own.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

namespace traced {
__device__ void __syncthreads(int) {}
__global__ void ownName(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    // CHECK: note: {{.*}} [barrier-redefined]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
} // namespace traced

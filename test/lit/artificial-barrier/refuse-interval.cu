// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A return leaves an inner loop and the barrier behind it.
//
// RUN: %barricade --barrier-interval=4 --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__global__ void returns(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + threadIdx.x];
    if (k == m)
      return;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [return-in-loop]
  }
  out[threadIdx.x] = s;
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps that no flag replaces.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck %s

// Several conditions, one of them a jump out that no flag replaces.
__global__ void jumps(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + threadIdx.x];
    if (s > 9)
      goto done;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [loop-shape]
  }
done:
  out[threadIdx.x] = s;
}

__global__ void returnsTogether(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    s += a[k];
    if (m == k)
      break;
    if (m == 3)
      return;
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [{{early-exit|return-in-loop}}]
  }
  out[threadIdx.x] = s;
}

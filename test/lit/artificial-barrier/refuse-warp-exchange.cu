// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that meet in a loop which they leave at different times.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__global__ void syncwarp(const float *a, float *out, int n) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-exchange]
    s += a[k];
    __syncwarp();
  }
  out[threadIdx.x] = s;
  __syncwarp();
}

__global__ void shuffle(const float *a, float *out, int n) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += 64) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-exchange]
    s += a[k];
    s += __shfl_xor_sync(~0u, s, 1);
  }
  out[threadIdx.x] = s;
}

__global__ void ballot(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    for (int k = 0; k < n; ++k) {
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [warp-exchange]
      s += a[k * 64] * __ballot_sync(~0u, a[k] > 0);
    }
  }
  out[threadIdx.x] = s;
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of one warp is in phase anyway.
//
// RUN: %barricade --rules=artificial-barrier --explain %s 2>&1 | FileCheck %s

__global__ void __launch_bounds__(32) bounded(const float *a, float *out, int n) {
  // CHECK: :[[#@LINE-1]]:39: note: {{.*}} [one-warp-block]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void launchedSmall(const float *a, float *out, int n) {
  // CHECK: :[[#@LINE-1]]:17: note: {{.*}} [one-warp-block]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void launchedDim3(const float *a, float *out, int n) {
  // CHECK: :[[#@LINE-1]]:17: note: {{.*}} [one-warp-block]
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// Near misses: none of these is known to be one warp.
// CHECK-NOT: one-warp-block
__global__ void launchedTwice(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
__global__ void launchedAnyhow(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
__global__ void __launch_bounds__(64) two(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

void launch(const float *a, float *out, int n, int threads) {
  launchedSmall<<<n, 32>>>(a, out, n);
  launchedDim3<<<n, dim3(8, 4)>>>(a, out, n);
  launchedTwice<<<n, 32>>>(a, out, n);
  launchedTwice<<<n, 64>>>(a, out, n);
  launchedAnyhow<<<n, threads>>>(a, out, n);
}

// CHECK: 6 findings in 1 file: 3 to rewrite, 3 refused

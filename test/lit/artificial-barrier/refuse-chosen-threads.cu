// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that one thread, or chosen warps and lanes, run on purpose.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__global__ void firstThread(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x == 0)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [single-thread]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

__global__ void notThread(const float *a, float *out, int n) {
  float s = 0;
  if (!threadIdx.x)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [single-thread]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

__global__ void literalFirst(const float *a, float *out, int n) {
  float s = 0;
  if (7 == threadIdx.x)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [single-thread]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

__global__ void copiedIndex(const float *a, float *out, int n) {
  const int t = threadIdx.x;
  float s = 0;
  if (t == 0 && n > 4) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [single-thread]
    int k = 0;
    while (k < n) {
      s += a[k] * a[k + n];
      ++k;
    }
  }
  out[t] = s;
}

__global__ void firstWarp(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x / 32 == 0)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-specialised]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

__global__ void shiftedWarp(const float *a, float *out, int n) {
  float s = 0;
  if ((threadIdx.x >> 5) == 1)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-specialised]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

__global__ void namedWarp(const float *a, float *out, int n) {
  int warp = threadIdx.x / warpSize;
  float s = 0;
  if (warp < 2)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-specialised]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

// Producers and consumers: both sides are refused.
__global__ void producer(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x / 32 == 0) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-specialised]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  } else {
    // CHECK: :[[#@LINE-5]]:3: note: {{.*}} [warp-specialised]
    for (int k = 0; k < n; ++k)
      s -= a[k] * a[k + n];
  }
  out[threadIdx.x] = s;
}

__global__ void oneLane(const float *a, float *out, int n) {
  float s = 0;
  if ((threadIdx.x & 31) == 0)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-specialised]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

__global__ void moduloLane(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x % 32 == 3)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [warp-specialised]
    for (int k = 0; k < n; ++k)
      s += a[k] * a[k + n];
  out[threadIdx.x] = s;
}

// CHECK: 11 findings in 1 file: 11 refused

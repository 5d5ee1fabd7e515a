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

// Lanes meet wherever they are: here the even ones wait for the odd ones, which
// come to their __syncwarp after the loop.
__global__ void meetAcross(const float *a, float *out, int n) {
  float s = 0;
  bool even = threadIdx.x % 2 == 0;
  if (even)
    __syncwarp();
  // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [warp-exchange]
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (!even)
    __syncwarp();
  out[threadIdx.x] = s;
}

__device__ void meet() { __syncwarp(); }
// CHECK: :[[#@LINE-1]]:26: note: {{.*}} [warp-exchange]
__device__ float sum(const float *a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  return s;
}
__global__ void meetInCallees(const float *a, float *out, int n) {
  if (threadIdx.x & 1)
    meet();
  out[threadIdx.x] = sum(a, n);
  if (!(threadIdx.x & 1))
    meet();
}

__global__ void meetInNextIteration(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + threadIdx.x];
    if ((k & 1) == (threadIdx.x & 1))
      __syncwarp();
    // CHECK: :[[#@LINE-1]]:7: note: {{.*}} [warp-exchange]
  }
  out[threadIdx.x] = s;
}

// Who leaves waits first, for lanes that stand at the barrier.
__global__ void meetBeforeLeaving(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x & 1) {
    __syncwarp();
    // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [warp-exchange]
    out[threadIdx.x] = 1;
    return;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = s;
}

// Behind the loop, nobody waits for lanes at a barrier any more; and where all
// come to the shuffle, they meet there.
__global__ void afterLoop(const float *a, float *out, int n) {
  float s = __shfl_sync(~0u, a[threadIdx.x], 0);
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-1]]:3: warning: memory-bound for loop can take
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x < 32)
    s += __shfl_down_sync(~0u, s, 1);
  out[threadIdx.x] = s;
}

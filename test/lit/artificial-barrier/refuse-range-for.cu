// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Range-for loops that threads leave at different times, or do not all come to.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__global__ void leftEarly(const float *a, float *out, int n) {
  int rows[4] = {1, n, 3, 4};
  float s = 0;
  for (int row : rows) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [loop-shape]
    if (s > 3)
      break;
    s += a[row * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}

__global__ void guarded(const float *a, float *out, int n) {
  int rows[4] = {1, n, 3, 4};
  float s = 0;
  if (threadIdx.x < n)
    for (int row : rows)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [loop-shape]
      s += a[row * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

struct Rows {
  const int *first, *last;
  __device__ const int *begin() const { return first; }
  __device__ const int *end() const { return last; }
};
__global__ void ownRange(const float *a, float *out, const int *rows) {
  float s = 0;
  for (int row : Rows{rows, rows + threadIdx.x})
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [loop-shape]
    s += a[row * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

template <typename T> struct array {
  T *first, *last;
  __device__ T *begin() const { return first; }
  __device__ T *end() const { return last; }
};
__global__ void ownArray(const float *a, float *out, const int *rows) {
  array<const int> some{rows, rows + threadIdx.x};
  float s = 0;
  for (int row : some)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [loop-shape]
    s += a[row * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills and copies of which nobody can say before whether CUDA takes them.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 2>&1 | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain --grid-barrier-from-start %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefixes=CHECK,START %s
#include <utility>

__global__ void add(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    to[i] += from[i + 1];
}

// Less than nothing is more than there is.
void getsShorter(float *x, float *y, int n, int tail, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(x, 0, (tail - t) * 4);
    add<<<n / 256, 256>>>(x, y, n);
  }
}
// CHECK: :[[#@LINE-4]]:22: note: {{.*}} [transfer-range]

void copiesLess(float *x, float *y, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    add<<<n / 256, 256>>>(x, y, n);
    cudaMemcpy(x, y, n * 4, cudaMemcpyDeviceToDevice);
    n /= 2;
  }
}
// CHECK: :[[#@LINE-4]]:22: note: {{.*}} [transfer-range]

void goesOn(float *x, float *y, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(x, 0, 256);
    add<<<1, 64>>>(x, y, n);
    x += 64;
  }
}
// CHECK: :[[#@LINE-5]]:16: note: {{.*}} [transfer-range]

void ofRows(float *x, float *y, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    add<<<1, 64>>>(x + t * 64, y, n);
    cudaMemset(x + t * 64, 0, 256);
  }
}
// CHECK: :[[#@LINE-3]]:16: note: {{.*}} [transfer-range]

void swapsSizesToo(float *x, float *y, size_t first, size_t second, int n,
                   int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(x, 0, first);
    add<<<1, 64>>>(x, y, n);
    std::swap(x, y);
    std::swap(first, second);
  }
}
// CHECK: :[[#@LINE-6]]:22: note: {{.*}} [transfer-range]

// Where nothing is filled nothing is divided.
void inSomeRounds(float *x, float *y, int n, int parts, int steps) {
  for (int t = 0; t < steps; ++t) {
    add<<<1, 64>>>(x, y, n);
    if (parts != 0)
      cudaMemset(x, 0, n / parts);
  }
}
// CHECK: :[[#@LINE-3]]:24: note: {{.*}} [transfer-range]

// Nor in front of a loop that does not run.
void inAllRounds(float *x, float *y, int n, int parts, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(x, 0, n / parts);
    add<<<1, 64>>>(x, y, n);
  }
}
// START: :[[#@LINE-4]]:22: note: {{.*}} [transfer-range]

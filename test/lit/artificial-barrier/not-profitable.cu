// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Legal, but not worth it: thresholds, nested loops, loops that end at once.
//
// RUN: %barricade --explain --min-instructions=6 --min-memory-ratio=0.05 %s 2>&1 | FileCheck %s
//
// Nothing is below a threshold of nothing.
// RUN: %barricade --explain --min-instructions=0 --min-memory-ratio=0 %s 2>&1 | FileCheck --check-prefix=ALL %s

__global__ void few(int *__restrict__ a) {
  for (int k = 0; k < 9; ++k)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [few-instructions]
    a[k] = 0;
}
// ALL-NOT: [few-instructions]

__global__ void muchArithmetic(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [few-memory-operations]
    float x = a[k * 64 + threadIdx.x];
    x = x * x * x * x + x * x * x + x * x + x;
    x = x * x * x * x + x * x * x + x * x + x;
    s += x * x * x * x + x * x * x + x * x + x;
  }
  out[threadIdx.x] = s;
}
// ALL-NOT: [few-memory-operations]

__global__ void nested(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int j = 0; j < m; ++j)
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [inner-loop]
    for (int k = 0; k < n; ++k)
      s += a[j * 64 + k * 1024 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void leavesAtOnce(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [never-repeats]
    s += a[k * 64 + threadIdx.x];
    break;
  }
  out[threadIdx.x] = s;
}

__global__ void returnsAtOnce(const float *a, float *out, int n) {
  while (n > 0) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [never-repeats]
    out[threadIdx.x] = a[n * 64 + threadIdx.x];
    return;
  }
}

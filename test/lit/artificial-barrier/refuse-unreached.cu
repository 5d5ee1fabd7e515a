// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a constant condition cuts off today is run once somebody changes the
// constant: nothing is proved by it.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck %s

constexpr bool Debug = false;

__global__ void off(const float *a, float *out, int n) {
  float s = 0;
  if (Debug) {
    if (threadIdx.x == 0)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [single-thread]
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

__global__ void otherCase(const float *a, float *out, int n) {
  float s = 0;
  switch (2) {
  case 0:
    if (threadIdx.x == 0)
      // CHECK: :[[#@LINE-1]]:5: note: {{.*}} [single-thread]
      for (int k = 0; k < n; ++k)
        s += a[k * 64] * a[k];
  }
  out[threadIdx.x] = s;
}

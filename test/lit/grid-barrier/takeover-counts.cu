// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of a loop is computed when an iteration begins, before that has
// given anything a value.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

__global__ void k(float *a, int t) { a[threadIdx.x + 1] += a[threadIdx.x] * t; }

// CHECK: takeover.is_due() &&
void setWithin(float *a, int n) {
  int by;
  for (int t = 0; t < n; t += by) {
    by = 3;
    k<<<4, 64>>>(a, t);
  }
}
// CHECK: takeover2.is_due() &&
void dividesBy(float *a, int n, int d) {
  for (int t = 0; t < n; t += (12 / d)) {
    d = 3;
    k<<<4, 64>>>(a, t);
  }
}
// CHECK: takeover3.is_due() &&
void moves(float *a, int n) {
  for (int t = 0; t < n - t; ++t)
    k<<<4, 64>>>(a, t);
}

// CHECK: takeover4.is_due(static_cast<long long>(n) - t, by) &&
void setBefore(float *a, int n, int by) {
  for (int t = 0; t < n; t += by)
    k<<<4, 64>>>(a, t);
}
// CHECK: takeover5.is_due(n - t, 3) &&
void byThree(float *a, int n) {
  for (int t = 0; t < n; t += 3)
    k<<<4, 64>>>(a, t);
}

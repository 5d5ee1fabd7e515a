// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is declared before a loop does not come between it and a comment that
// tells tools what to think of the next line.
//
// RUN: %rewrite-check %s %t.cu --rules=artificial-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

// CHECK-LABEL: void commented(
// CHECK:       {{^}}  bool active = 
// CHECK-NEXT:  {{^}}  // NOLINTNEXTLINE(bugprone-example)
// CHECK-NEXT:  {{^}}  for (
__global__ void commented(float *y, const float *x, const int *ends, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  // NOLINTNEXTLINE(bugprone-example)
  for (int j = 0; j < ends[i]; ++j)
    sum += x[j * n + i] * x[j + i];
  y[i] = sum;
}

// CHECK-LABEL: void remarked(
// CHECK:       {{^}}  // Sums.
// CHECK-NEXT:  {{^}}  bool active = 
// CHECK-NEXT:  {{^}}  for (
__global__ void remarked(float *y, const float *x, const int *ends, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  // Sums.
  for (int j = 0; j < ends[i]; ++j)
    sum += x[j * n + i] * x[j + i];
  y[i] = sum;
}

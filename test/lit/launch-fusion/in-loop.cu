// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that becomes one persistent kernel takes its launches along; one that
// cannot leaves them to this rule.
//
// RUN: %barricade --rules=launch-fusion,grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck %s
// RUN: %rewrite-check %s %t.cu --rules=launch-fusion,grid-barrier
// RUN: grep -v '^//' %t.cu | FileCheck --check-prefix=WRITTEN %s

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
__global__ void shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}

// WRITTEN:     void loop_persistent(
// WRITTEN-NOT: void loop_fused(
void loop(float *x, int n, int steps) {
  // CHECK: :[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel
  for (int t = 0; t < steps; ++t) { // CHECK: :[[@LINE]]:3: note: the loop around the launches becomes one persistent kernel, which saves more [in-persistent-loop]
    scale<<<n / 64, 64>>>(x, n);
    shift<<<n / 64, 64>>>(x, n);
  }
}

// WRITTEN: void report_fused(
void note(int step);
void report(float *x, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    // CHECK: :[[@LINE+1]]:5: warning: 2 launches in a row can become one kernel without a barrier
    scale<<<n / 64, 64>>>(x, n);
    shift<<<n / 64, 64>>>(x, n);
    note(t);
  }
}

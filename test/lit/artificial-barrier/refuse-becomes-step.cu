// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier that relies on threads having exited does not go into a kernel that
// becomes a step: threads that return from a step live on.
//
// RUN: %barricade --explain %s | FileCheck %s
// RUN: %rewrite-check %s %t.cu
// RUN: FileCheck --check-prefix=RESULT --input-file=%t.cu %s
// RUN: %barricade --explain --rules=artificial-barrier %s \
// RUN:   | FileCheck --check-prefix=ALONE %s

// RESULT-LABEL: void relax_step(
// RESULT-NOT: {{^ *}}__syncthreads
// RESULT: } // relax
__global__ void relax(const float *in, float *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  // CHECK: [[@LINE+3]]:3: remark: for loop could take an artificial barrier
  // CHECK: note: {{.*}} [becomes-step]
  // ALONE: [[@LINE+1]]:3: warning: memory-bound for loop can take
  for (int k = 0; k < m; ++k)
    s += in[k * n + i];
  out[i] = s;
} // relax

// Without an exit the barrier is as good in a step.
//
// RESULT-LABEL: void smooth_step(
// RESULT: {{^ *}}__syncthreads
// RESULT: } // smooth
__global__ void smooth(const float *in, float *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += in[k * n + i];
  out[i] = s;
} // smooth

void solve(float *a, float *b, int n, int m, int steps) {
  for (int t = 0; t < steps; ++t) {
    relax<<<n, 64>>>(a, b, n, m);
    smooth<<<n, 64>>>(b, a, n, m);
  }
}

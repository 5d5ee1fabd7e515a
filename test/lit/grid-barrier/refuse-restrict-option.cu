// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --restrict promises for every kernel that its pointers do not alias. The
// persistent kernel's do.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 --restrict 2>&1 | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: 1 finding in 1 file: 1 to rewrite

__global__ void relax(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x + 1];
}
// CHECK: :[[#@LINE-3]]:17: note: {{.*}} [restrict-option]

void loop(float *a, float *b, int n) {
  for (int t = 0; t < n; ++t) {
    relax<<<1, 64>>>(a, b);
    relax<<<1, 64>>>(b, a);
  }
}

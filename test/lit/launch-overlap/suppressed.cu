// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comment at any launch of a stretch leaves all of it as it is.
//
// RUN: %barricade --rules=launch-overlap %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

__global__ void plain(float *a) { a[threadIdx.x] += 1; }

// CHECK: suppressed.cu:[[@LINE+2]]:{{.*}}2 launches can begin
void shown(float *a) {
  plain<<<1, 32>>>(a);
  plain<<<1, 32>>>(a);
}
// CHECK-NOT: can begin
void first(float *a) {
  plain<<<1, 32>>>(a); // NOLINT(barricade-launch-overlap)
  plain<<<1, 32>>>(a);
}
void second(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    plain<<<1, 32>>>(a);
    // NOLINTNEXTLINE(barricade-launch-overlap)
    plain<<<1, 32>>>(a);
  }
}
// CHECK: 3 findings in 1 file: 1 to rewrite, 2 suppressed

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comment at any launch of a row leaves all of it as it is.
//
// RUN: %barricade --rules=launch-fusion %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
__global__ void more(float *x) { x[threadIdx.x] += 1; }

// CHECK: suppressed.cu:[[@LINE+2]]:{{.*}}3 launches in a row can become one
void shown(float *x) {
  twice<<<1, 32>>>(x);
  more<<<1, 32>>>(x);
  twice<<<1, 32>>>(x);
  // NOLINTNEXTLINE(barricade-launch-overlap)
}
// CHECK-NOT: can become one
void first(float *x) {
  twice<<<1, 32>>>(x); // NOLINT(barricade-launch-fusion)
  more<<<1, 32>>>(x);
}
void second(float *x) {
  twice<<<1, 32>>>(x);
  more<<<1, 32>>>(x); // NOLINT(barricade-launch-fusion)
}
void third(float *x) {
  twice<<<1, 32>>>(x);
  more<<<1, 32>>>(x);
  // NOLINTNEXTLINE(barricade-launch-fusion)
  twice<<<1, 32>>>(x);
}
// CHECK: can become one
// CHECK-NOT: can become one
void otherRule(float *x) {
  twice<<<1, 32>>>(x);
  more<<<1, 32>>>(x); // NOLINT(barricade-launch-overlap)
}
// CHECK: 5 findings in 1 file: 2 to rewrite, 3 suppressed

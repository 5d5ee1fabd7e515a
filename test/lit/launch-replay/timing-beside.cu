// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that waits is launched by a loop for timing, too: that repeats what
// it did before the kernel began to wait, whatever its body became.
//
// RUN: %rewrite-check %s %t.cu --rules=*,-artificial-barrier -- -arch=sm_90
// RUN: FileCheck %s < %t.cu
// RUN: %rewrite-check %s %t.cu --rules=launch-* -- -arch=sm_90
// RUN: FileCheck %s < %t.cu
// RUN: not %barricade --rules=*,-artificial-barrier --profit=any --explain --dry-run %s -- -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --check-prefix=WHY --implicit-check-not='{{ }}[not-verified]' %s < %t.out
#include <utility>

__global__ void plain(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * 0.5f;
}
__global__ void promised(float *__restrict__ to, const float *__restrict__ from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * 0.25f;
}

// CHECK-LABEL: {{^}}void solve(
// CHECK:         launch_overlapped(plain,
// CHECK-LABEL: {{^}}void solve2(
// CHECK:         launch_overlapped(promised,
void solve(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    plain<<<64, 256>>>(a, b, n);
    std::swap(a, b);
  }
}
void solve2(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    promised<<<64, 256>>>(a, b, n);
    std::swap(a, b);
  }
}

// CHECK-LABEL: {{^}}void timing(
// CHECK:         plain<<<64, 256>>>(a, b, n);
// CHECK-LABEL: {{^}}void timing2(
// CHECK:         promised<<<64, 256>>>(a, b, n);
// WHY: each iteration repeats the last one
// WHY: each iteration repeats the last one
void timing(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    plain<<<64, 256>>>(a, b, n);
}
void timing2(float *__restrict__ a, const float *__restrict__ b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    promised<<<64, 256>>>(a, b, n);
}

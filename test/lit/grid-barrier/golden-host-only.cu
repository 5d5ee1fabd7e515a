// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What only the host looks at is no business of the kernel's, which would get
// parameters that it sets and nobody uses.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier
// RUN: FileCheck %s < %t.cu
// RUN: not %barricade --rules=grid-barrier --dry-run %s -- clang++ -x cuda --cuda-gpu-arch=sm_80 -std=c++17 -Wall -Wextra -Werror 2>/dev/null | FileCheck --check-prefix=STRICT %s
// STRICT: sums_persistent(
// STRICT: mixed_persistent(

__global__ void grow(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += 1;
}

// CHECK:      void sums_persistent(barricade::GridBarrier bar, int t,
// CHECK-NEXT: int steps, float *a, int n) {
// CHECK-NEXT: for (; t < steps; ++t) {
// CHECK-NEXT: grow_step(blockIdx, a, n);
// CHECK-NEXT: __gpu_sync(bar);
// CHECK-NEXT: if (t % 10 == 0)
// CHECK-NEXT: {}
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK:      == cudaSuccess) {
// CHECK-NEXT: for (; t < steps; ++t) {
// CHECK-NEXT: total += n;
// CHECK-NEXT: if (t % 10 == 0)
// CHECK-NEXT: last = t;
// CHECK-NEXT: }
int sums(float *a, int n, int steps) {
  int total = 0, last = -1;
  for (int t = 0; t < steps; ++t) {
    grow<<<4, 64>>>(a, n);
    total += n;
    if (t % 10 == 0)
      last = t;
  }
  return total + last;
}

// The kernel needs one of them, and the host needs both.
//
// CHECK:      void mixed_persistent(barricade::GridBarrier bar, int t,
// CHECK-NEXT: int steps, int width, float *a) {
// CHECK-NEXT: do {
// CHECK-NEXT: grow_step(blockIdx, a, width);
// CHECK-NEXT: __gpu_sync(bar);
// CHECK-NEXT: width -= 1;
// CHECK-NEXT: } while (++t < steps);
// CHECK:      int half = width / 2;
// CHECK-NEXT: width -= 1;
// CHECK-NEXT: seen = half;
int mixed(float *a, int n, int steps) {
  int width = n, seen = 0;
  int t = 0;
  do {
    int half = width / 2;
    grow<<<4, 64>>>(a, width);
    width -= 1;
    seen = half;
  } while (++t < steps);
  return width + seen;
}

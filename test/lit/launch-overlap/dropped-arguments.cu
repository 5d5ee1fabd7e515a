// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a build with NDEBUG drops between launches, another one runs.
//
// RUN: %barricade --rules=launch-overlap --explain %s -- nvcc -std=c++17 -arch=sm_90 -DNDEBUG 2>&1 | FileCheck %s

#include <cassert>

__global__ void scale(float *x) { x[threadIdx.x] *= 2; }
__global__ void shift(float *x) { x[threadIdx.x] += 1; }
[[maybe_unused]] static int readers = 0;

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void asserted(float *x) {
  scale<<<1, 32>>>(x);
  assert(++readers > 0);
  shift<<<1, 32>>>(x);
}
// CHECK: :[[@LINE+2]]:3: warning: 2 launches can begin
void plain(float *x, [[maybe_unused]] int n) {
  scale<<<1, 32>>>(x);
  assert(n > 0);
  shift<<<1, 32>>>(x);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel's step for several rewrites: a loop that is not written has no say in
// its parameters.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-fusion
// RUN: FileCheck %s < %t.cu
// RUN: %barricade --rules=grid-barrier,launch-fusion --explain %s 2>&1 | FileCheck --check-prefix=WHY --implicit-check-not=overlapping-edit %s

// CHECK: void k_step(const uint3 blockIdx, int *x, int v) {
__global__ void k(int *x, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * 3 + v;
}
// WHY: [logical-threads]
void severalSizes(int *x, int n) {
  for (int s = 0; s < n; ++s) {
    k<<<1, 64>>>(x, s);
    k<<<1, 1024>>>(x, s);
  }
}
// CHECK: barricade::launch_fused(inARow_fused
void inARow(int *x, int n) {
  k<<<1, 64>>>(x, 1);
  k<<<1, 64>>>(x, 1);
}
// CHECK: barricade::launch_persistent_exact(loop_persistent
void loop(int *x, int n) {
  for (int s = 0; s < n; ++s)
    k<<<1, 64>>>(x, s);
}

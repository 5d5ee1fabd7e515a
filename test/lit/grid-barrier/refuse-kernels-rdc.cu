// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of which no step can be made, in relocatable device code.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -arch=sm_90 -rdc=true 2>&1 | FileCheck %s

__global__ void child(int *p) { p[threadIdx.x] += 1; }
__global__ void parent(int *p) { child<<<1, 32>>>(p); }
void loopParent(int *p, int n) {
  for (int t = 0; t < n; ++t)
    parent<<<1, 32>>>(p);
}
// CHECK: :[[#@LINE-5]]:34: note: {{.*}} [dynamic-parallelism]

__global__ void jumps(int *p) {
  void *where = &&here;
  goto *where;
here:
  p[threadIdx.x] += 1;
}
void loopJumps(int *p, int n) {
  for (int t = 0; t < n; ++t)
    jumps<<<1, 32>>>(p);
}
// CHECK: :[[#@LINE-8]]:3: note: {{.*}} [unanalysable]

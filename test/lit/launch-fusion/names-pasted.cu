// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A macro puts the name of another together, which the function redefines:
// where the written kernel stands it would mean something else. And a parameter
// gets no name that was a macro while its launch was read.
//
// RUN: %barricade --rules=launch-fusion,grid-barrier --grid-barrier-from-start --explain %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=WHY %s
// RUN: %rewrite-check %s %t.cu --rules=launch-fusion
// RUN: FileCheck --input-file=%t.cu %s

#include <cstdio>

#define TILE1 7
#define TILE(id) TILE##id
template <int By> __global__ void add(int *x) { x[threadIdx.x] += By; }
__global__ void shift(int *x, int by, int further = TILE(1)) {
  x[threadIdx.x] += by + further;
}

void fused(int *x, int *y) {
#undef TILE1
#define TILE1 8
  // WHY: :[[#@LINE+1]]:6: note: a type has the name of an argument, {{.*}} [name-clash]
  add<TILE(1)><<<1, 64>>>(x);
  add<TILE(1)><<<1, 64>>>(y);
}

void defaulted(int *x, int steps) {
  // WHY: :[[#@LINE-13]]:53: note: {{.*}} [default-argument]
  for (int step = 0; step < steps; ++step)
    shift<<<1, 64>>>(x, 1);
}

void argued(int *x, int steps) {
#undef TILE1
#define TILE1 9
  for (int step = 0; step < steps; ++step)
    // WHY: :[[#@LINE+1]]:{{[0-9]+}}: note: a macro of the loop means something else where the kernel would stand [macro-redefined]
    shift<<<1, 64>>>(x, 1, TILE(1));
}

__global__ void scale(int *p, int by) { p[threadIdx.x] *= by; }
#define by 4
// CHECK: void was_fused(barricade::GridBarrier bar, int *x, int by2,
void was(int *x, int *y, int m) {
  scale<<<1, 64>>>(x, by + m);
  scale<<<1, 64>>>(y, 5 + m);
}
#undef by

int main() {
  int *x;
  cudaMallocManaged(&x, 128 * sizeof(int));
  for (int i = 0; i < 128; ++i)
    x[i] = i;
  fused(x, x + 64);
  defaulted(x, 3);
  argued(x, 3);
  was(x, x + 64, 2);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128; ++i)
    printf("%d ", x[i]);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and bounds that macros choose, as benchmarks have them: the text that is
// written names them as the program does, and holds in each build.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -I%project/runtime -DDATA_TYPE=double -DSCALAR_BOUNDS -DTSTEPS=7 -c -o %t.o %t.cu %}

#ifdef SCALAR_BOUNDS
#define LOOP_BOUND(x, y) x
#else
#define LOOP_BOUND(x, y) y
#endif
#ifndef TSTEPS
#define TSTEPS 100
#endif
#define STEPS LOOP_BOUND(TSTEPS, tsteps)
#define SIZE (LOOP_BOUND((4096), n))
#ifndef DATA_TYPE
#define DATA_TYPE float
#endif

__global__ void k1(DATA_TYPE *a, const DATA_TYPE *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < SIZE - 1)
    a[i] = b[i] + b[i + 1];
}

// CHECK:      void solve_persistent(barricade::GridBarrier bar, int tsteps,
// CHECK-NEXT: {{^}} {{ *}}DATA_TYPE *a, DATA_TYPE *b, int n,
// CHECK-NEXT: {{^}} {{ *}}DATA_TYPE *c) {
// CHECK-NEXT: {{^}}  for (int t = 0; t < STEPS; ++t) {
void solve(DATA_TYPE *a, int n, int tsteps) {
  DATA_TYPE *b, *const c = a;
  cudaMalloc(&b, n * sizeof(*b));
  for (int t = 0; t < STEPS; ++t) {
    k1<<<16, 256>>>(a, b, n);
    k1<<<16, 256>>>(b, c, n);
  }
  cudaFree(b);
}

// CHECK:      void twice_persistent(barricade::GridBarrier bar, int tsteps,
// CHECK-NEXT: {{^}} {{ *}}DATA_TYPE **a) {
__global__ void k2(DATA_TYPE **a) { a[0][threadIdx.x] += a[1][threadIdx.x + 1]; }
void twice(DATA_TYPE **a, int tsteps) {
  for (int t = 0; t < STEPS; ++t)
    k2<<<1, 64>>>(a);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point numbers decide how often a loop runs: on the device as on the
// host, unless the build lets either of them be less exact than IEEE 754.
//
// RUN: %rewrite-check %s %t-taken-over.cu --rules=grid-barrier --barrier-scope=grid
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --barrier-scope=grid --grid-barrier-from-start
// RUN: FileCheck --check-prefix=EXACT %s < %t.cu
// RUN: %barricade --rules=grid-barrier --barrier-scope=grid --explain %s -- nvcc -use_fast_math 2>&1 | FileCheck --check-prefixes=SINGLE,FAST %s
// RUN: %barricade --rules=grid-barrier --barrier-scope=grid --explain %s -- nvcc -ftz=true 2>&1 | FileCheck --check-prefixes=SINGLE,FAST %s
// RUN: %barricade --rules=grid-barrier --barrier-scope=grid --explain %s -- nvcc -prec-div=false 2>&1 | FileCheck --check-prefixes=SINGLE,FAST %s
// RUN: %barricade --rules=grid-barrier --barrier-scope=grid --explain %s -- nvcc -ftz=false 2>&1 | FileCheck --check-prefix=DOUBLE %s
//
// SINGLE: [float-arithmetic]
// FAST: 3 refused
// DOUBLE: 4 to rewrite

__global__ void grow(float *p, float by) { p[blockIdx.x] += by; }

// EXACT: {{^}}  for (float x = 0; x < end; x += step) {
// EXACT-NEXT: {{^}}    grow_step(blockIdx, p, x / 3);
void induction(float *p, float end, float step) {
  for (float x = 0; x < end; x += step)
    grow<<<4, 64>>>(p, x / 3);
}

// EXACT: {{^}}  while (residual > tolerance) {
// EXACT: {{^}}    residual = *(p);
void converges(float *p, float tolerance) {
  float residual = tolerance + 1;
  while (residual > tolerance) {
    grow<<<1, 64>>>(p, -1);
    cudaMemcpy(&residual, p, sizeof(float), cudaMemcpyDeviceToHost);
  }
}

void converts(float *p, double x, int n) {
  for (int t = 0; t < n; ++t)
    grow<<<4, 64>>>(p, x);
}

// Of double precision the device has no other.
//
// EXACT: {{^}}  for (double x = 0; x < end; x += 0.5) {
void inDouble(float *p, double end) {
  for (double x = 0; x < end; x += 0.5)
    grow<<<4, 64>>>(p, 1);
}

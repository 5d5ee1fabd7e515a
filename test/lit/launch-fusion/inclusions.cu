// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All findings of a run include the same, whichever form they have: none holds
// back another.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-fusion --gpu-sync=cooperative
// RUN: FileCheck %s < %t.cu
//
// CHECK:      {{^}}#include <cooperative_groups.h>
// CHECK-NEXT: {{^}}#include <barricade/gpu_sync.cuh>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
__global__ void shift(float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[(i + 1) % n];
}

// CHECK: void alone_fused(float *x, int n)
void alone(float *x, int n) {
  scale<<<4, 64>>>(x, n);
  scale<<<4, 64>>>(x, n);
}

// CHECK: void neighbours_fused(barricade::CooperativeGridBarrier bar,
void neighbours(float *x, float *y, int n) {
  scale<<<4, 64>>>(x, n);
  shift<<<4, 64>>>(x, y, n);
}

// CHECK: void steps_persistent(barricade::CooperativeGridBarrier bar,
void steps(float *x, float *y, int n) {
  for (int t = 0; t < n; ++t) {
    shift<<<4, 64>>>(x, y, n);
    shift<<<4, 64>>>(y, x, n);
  }
}

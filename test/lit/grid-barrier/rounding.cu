// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of floating-point numbers that are the same in all steps: compilers
// would compute them once, rounded, and no longer contract them with a sum.
//
// RUN: not %barricade --rules=grid-barrier --profit=any --explain --dry-run %s -- nvcc -std=c++17 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=not-verified %s < %t.out
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier -- -arch=sm_90

#include <utility>

// What the step cannot be given.
__constant__ float rates[2];
__global__ void constants(float *v, const float *u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    // CHECK-DAG: :[[#@LINE+1]]:36: note: {{.*}} [rounding]
    v[i] = u[n - 1 - i] + rates[0] * rates[1];
}
void byConstants(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    constants<<<n / 64, 64>>>(a, b, n);
    std::swap(a, b);
  }
}

__global__ void lanes(float *v, const float *u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    // CHECK-DAG: :[[#@LINE+1]]:41: note: {{.*}} [rounding]
    v[i] = u[n - 1 - i] + (threadIdx.x) * 0.1f;
}
void byLanes(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    lanes<<<n / 64, 64>>>(a, b, n);
    std::swap(a, b);
  }
}

// What it can.
struct Rates {
  float first, second;
};
__global__ void kick(float *v, const float *u, Rates r, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = u[n - 1 - i] + r.first * dt;
}
void kicks(float *a, float *b, Rates r, float dt, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    // CHECK-DAG: {{^}}+    kick_step(barricade::anew<uint3>(blockIdx), a, b, barricade::anew(r),
    kick<<<n / 64, 64>>>(a, b, r, dt, n);
    std::swap(a, b);
  }
}

// Numbers that a launch gives; what is read needs nothing.
__global__ void blend(float *to, const float *a, const float *b, float w,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = w * a[n - 1 - i] + b[i] * a[i];
}
void blends(float *x, float *y, const float *b, float w, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    // CHECK-DAG: {{^}}+    blend_step(blockIdx, y, x, b, barricade::anew(1.0f), n);
    blend<<<n / 64, 64>>>(y, x, b, 1.0f, n);
    std::swap(x, y);
  }
  for (int t = 0; t < steps; ++t) {
    // CHECK-DAG: {{^}}+    blend_step(blockIdx, y, x, b, w, n);
    blend<<<n / 64, 64>>>(y, x, b, w, n);
    std::swap(x, y);
  }
}

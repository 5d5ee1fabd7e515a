// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pragmas that cannot be kept with their loops.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__global__ void operatorForm(const float *a, const int *end, float *out) {
  float s = 0;
  _Pragma("unroll 2") for (int k = 0; k < end[threadIdx.x]; ++k)
    // CHECK: :[[#@LINE-1]]:{{.*}}: note: {{.*}} [preprocessor]
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

#define UNROLL _Pragma("unroll")
__global__ void fromMacro(const float *a, const int *end, float *out) {
  float s = 0;
  UNROLL
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [preprocessor]
  for (int k = 0; k < end[threadIdx.x]; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void condition(const float *a, const int *end, float *out) {
  float s = 0;
#pragma unroll 2
  // CHECK: :[[#@LINE-1]]:1: note: {{.*}} [preprocessor]
#if 1
  for (int k = 0; k < end[threadIdx.x]; ++k)
#endif
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void guardWithoutBraces(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n)
#pragma unroll 4
    // CHECK: :[[#@LINE-1]]:1: note: {{.*}} [preprocessor]
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

__global__ void otherPragma(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [preprocessor]
    s = 3;
#pragma nv_diag_suppress 177
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + threadIdx.x];
    out[threadIdx.x] = s;
  }
}

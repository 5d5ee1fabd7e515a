// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device does not see; what only one of two architectures sees.
//
// RUN: %barricade --explain %s -- nvcc -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 2>&1 | FileCheck %s
// REQUIRES: nvcc

__global__ void hostOnly(const float *a, float *out, int n) {
  float s = 0;
#ifndef __CUDA_ARCH__
  for (int k = 0; k < n; ++k)
    // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [host-pass-only]
    s += a[k * 64 + threadIdx.x];
#endif
  out[threadIdx.x] = s;
}

// Right for one architecture, wrong for the other.
#if __CUDA_ARCH__ >= 900
#define MODE (threadIdx.x % 4)
#else
#define MODE n
#endif
__global__ void different(const float *a, float *out, int n) {
  float s = 0;
  switch (MODE) {
  // CHECK: :[[#@LINE-1]]:3: note: {{.*}} [divergent-switch]
  case 1:
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}

// Seen by one of them only, and right there.
// CHECK: :[[#@LINE+4]]:3: warning: memory-bound for loop can take
__global__ void newerOnly(const float *a, float *out, int n) {
  float s = 0;
#if __CUDA_ARCH__ >= 900
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
#endif
  out[threadIdx.x] = s;
}

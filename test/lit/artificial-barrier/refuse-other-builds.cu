// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that come to a loop equally often here, and do not where macros are set
// otherwise.
//
// RUN: %barricade --rules=artificial-barrier --explain %s -- -std=c++17 2>&1 | FileCheck --implicit-check-not=' error: ' %s

#ifdef SKEWED
#define FIRST threadIdx.x
#define LEAVE(x) if (x) return
#define INC(k) ((k) + threadIdx.x)
#else
#define FIRST 0
#define LEAVE(x)
#define INC(k) ((k) + 1)
#endif
#define NEXT(k) ((k) + 1)
#ifndef WIDTH
#define WIDTH 1024
#endif

// CHECK: :[[@LINE+5]]:3: note: {{.*}} [other-build]
__global__ void fromMacro(const float *a, float *o, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int from = FIRST;
  for (int k = from; k < n; ++k)
    s += a[k * 1024 + t];
  o[t] = s;
}

__device__ int first() {
#ifdef SKEWED
  return threadIdx.x;
#else
  return 0;
#endif
}
// CHECK: :[[@LINE+5]]:3: note: {{.*}} [other-build]
__global__ void fromFunction(const float *a, float *o, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int from = first();
  for (int k = from; k < n; ++k)
    s += a[k * 1024 + t];
  o[t] = s;
}

// CHECK: :[[@LINE+8]]:3: note: {{.*}} [other-build]
__global__ void fromDirective(const float *a, float *o, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int from = 0;
#ifdef SKEWED
  from = t % 2;
#endif
  for (int k = from; k < n; ++k)
    s += a[k * 1024 + t];
  o[t] = s;
}

// CHECK: :[[@LINE+4]]:3: note: {{.*}} [other-build]
__global__ void inHeader(const float *a, float *o, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k = INC(k))
    s += a[k * 1024 + t];
  o[t] = s;
}

// Numbers, and what is the same everywhere.
//
// CHECK: :[[@LINE+4]]:3: warning: {{.*}} can take an artificial barrier
__global__ void same(const float *a, float *o, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k = NEXT(k))
    s += a[k * WIDTH + t];
  o[t] = s;
}

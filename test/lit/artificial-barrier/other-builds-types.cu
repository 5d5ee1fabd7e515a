// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That no thread runs a loop more often than the block's first one holds where
// the thread's index keeps its value: not where another build may count in
// another type. There, a vote follows.
//
// RUN: not %dry-run --rules=artificial-barrier --min-instructions=0 --min-memory-ratio=0 %s 2>/dev/null | FileCheck %s

#ifdef BIG
typedef signed char Index;
struct Start {
  signed char v;
};
#else
typedef int Index;
struct Start {
  int v;
};
#endif
#ifndef STRIDE
#define STRIDE 64
#endif
#define TILE 64
struct Holds {
  Index v;
};
typedef int Plain;
struct Same {
  Plain v;
};

// CHECK: +  for (Index k = threadIdx.x, leader = 0; leader < n || __syncthreads_or(k < n);
__global__ void counter(const float *a, float *out, int n) {
  float s = 0;
  for (Index k = threadIdx.x; k < n; k += 64)
    s += a[k];
  out[threadIdx.x] = s;
}
// CHECK: +  for (int k = (Index)threadIdx.x, leader = 0; leader < n || __syncthreads_or(k < n);
__global__ void cast(const float *a, float *out, int n) {
  float s = 0;
  for (int k = (Index)threadIdx.x; k < n; k += 64)
    s += a[k];
  out[threadIdx.x] = s;
}
// CHECK: leader < n || __syncthreads_or(k < n);
__global__ void variable(const float *a, float *out, int n) {
  float s = 0;
  const Index tid = threadIdx.x;
  for (int k = tid; k < n; k += 64)
    s += a[k];
  out[threadIdx.x] = s;
}
// CHECK: leader < n || __syncthreads_or(k < n);
__global__ void step(const float *a, float *out, int n, Holds by) {
  float s = 0;
  for (int k = threadIdx.x; k < n; k += by.v)
    s += a[k];
  out[threadIdx.x] = s;
}
// CHECK: leader < n || __syncthreads_or(k < n);
__global__ void negative(const float *a, float *out, int n) {
  float s = 0;
  for (int k = threadIdx.x * STRIDE; k < n; k += 64)
    s += a[k];
  out[threadIdx.x] = s;
}

// A number that the step or the bound is made of is one in all builds.
// CHECK: +  for (Plain k = threadIdx.x, leader = 0; leader < n;
__global__ void same(const float *a, float *out, int n) {
  float s = 0;
  for (Plain k = threadIdx.x; k < n; k += STRIDE)
    s += a[k];
  out[threadIdx.x] = s;
}
// CHECK: leader < n;
__global__ void sameVariable(const float *a, float *out, int n, Same by) {
  float s = 0;
  const Plain tid = threadIdx.x * TILE;
  for (int k = tid; k < n; k += by.v)
    s += a[k];
  out[threadIdx.x] = s;
}

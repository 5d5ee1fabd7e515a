// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions around loops protect what the loops' headers compute: a step of 0,
// a division by 0, a start beyond the bound. Such loops keep their headers to
// the threads that ran them; all others run in all threads. Each is run with
// values that nobody passes, too.
//
// RUN: %rewrite-check %s %t.cu --min-memory-ratio=0
// RUN: FileCheck %s < %t.cu
#include "run_kernels.h"

// CHECK-LABEL: void anyBound
// CHECK: for (int j = 0; j < m; ++j) {
__global__ void anyBound(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n)
    for (int j = 0; j < m; ++j)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// CHECK-LABEL: void constantBound
// CHECK: for (int j = 8; j >= 0; j -= 3) {
__global__ void constantBound(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n)
    for (int j = 8; j >= 0; j -= 3)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// One thread at least is in the outer loop, and so in the inner one.
// CHECK-LABEL: void lastThread
// CHECK: for (int j = 0; j < n; j += m) {
__global__ void lastThread(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int i = threadIdx.x; i < n * m; i += 16)
    for (int j = 0; j < n; j += m)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// CHECK-LABEL: void stepIsNotZero
// CHECK: for (int j = 0; __syncthreads_or(staying
__global__ void stepIsNotZero(const float *a, float *out, int n, int step) {
  float s = 0;
  if (step > 0 && threadIdx.x < n)
    for (int j = 0; j < n; j += step)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// CHECK-LABEL: void factorIsMoreThanOne
// CHECK: for (int j = 1; __syncthreads_or(staying
__global__ void factorIsMoreThanOne(const float *a, float *out, int n, int f) {
  float s = 0;
  const bool grows = f > 1;
  if (threadIdx.x < n)
    if (grows)
      for (int j = 1; j < n; j *= f)
        for (int k = threadIdx.x; k < n; ++k)
          s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// CHECK-LABEL: void divisorIsNotZero
// CHECK: for (int j = 0; __syncthreads_or(staying
__global__ void divisorIsNotZero(const float *a, float *out, int n, int d) {
  float s = 0;
  if (d && threadIdx.x < n)
    for (int j = 0; j < n / d; ++j)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// CHECK-LABEL: void startIsBelow
// CHECK: for (int j = inside ? (first) : 0; __syncthreads_or(staying
__global__ void startIsBelow(const float *a, float *out, int n, int first) {
  float s = 0;
  if (threadIdx.x < n && first < n)
    for (int j = first; j != n; ++j)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// The bound is one that the condition asks for: it may be a large one.
// CHECK-LABEL: void boundIsSmall
// CHECK: for (int j = 0; __syncthreads_or(staying
__global__ void boundIsSmall(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n && m < 9)
    for (int j = 0; j < m; ++j)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// No thread that came so far passes.
// CHECK-LABEL: void skipped
// CHECK: for (int j = 0; __syncthreads_or(staying2
__global__ void skipped(const float *a, float *out, int n, int m) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 16) {
    if (m > 8)
      continue;
    for (int j = 0; j < m; ++j)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  }
  out[threadIdx.x] = s;
}

// The counter would never come to a bound that is wider.
// CHECK-LABEL: void narrowCounter
// CHECK: for (signed char j = 0; __syncthreads_or(staying
__global__ void narrowCounter(const float *a, float *out, int n, int m) {
  float s = 0;
  if (threadIdx.x < n)
    for (signed char j = 0; j < m; ++j)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// CHECK-LABEL: void upToTheLast
// CHECK: for (unsigned j = 0; __syncthreads_or(staying
__global__ void upToTheLast(const float *a, float *out, int n, unsigned m) {
  float s = 0;
  if (threadIdx.x < n)
    for (unsigned j = 0; j <= m; ++j)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

// A value that only those have for whom the condition holds.
// CHECK-LABEL: void withoutValue
// CHECK: for (int j = 0; __syncthreads_or(staying
__global__ void withoutValue(const float *a, float *out, int n, int m) {
  float s = 0;
  int rounds;
  if (m > 0)
    rounds = m;
  if (m > 0 && threadIdx.x < n)
    for (int j = 0; j < rounds; ++j)
      for (int k = threadIdx.x; k < n; ++k)
        s += a[k * 64] * j;
  out[threadIdx.x] = s;
}

int main() {
  RUN(anyBound, 20, 3);
  RUN(constantBound, 20, 0);
  RUN(lastThread, 20, 3);
  RUN(stepIsNotZero, 20, 0);
  RUN(stepIsNotZero, 20, 7);
  RUN(factorIsMoreThanOne, 20, 1);
  RUN(factorIsMoreThanOne, 20, 3);
  RUN(divisorIsNotZero, 20, 0);
  RUN(divisorIsNotZero, 20, 7);
  RUN(startIsBelow, 20, 21);
  RUN(startIsBelow, 20, 17);
  RUN(boundIsSmall, 20, 2000000000);
  RUN(boundIsSmall, 20, 3);
  RUN(skipped, 20, 2000000000);
  RUN(skipped, 20, 3);
  RUN(narrowCounter, 0, 2000);
  RUN(narrowCounter, 20, 3);
  RUN(upToTheLast, 0, 0xffffffff);
  RUN(upToTheLast, 20, 3);
  RUN(withoutValue, 20, 0);
  RUN(withoutValue, 20, 3);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header that is neither the toolkit's nor the standard library's may hold
// anything, even if the build calls it a system header: its functions are
// looked into.
//
// RUN: %barricade --explain --min-memory-ratio=0 --min-instructions=0 %s -- -isystem %S/Inputs/other 2>&1 | FileCheck %s
// RUN: not %dry-run --no-verify --min-memory-ratio=0 --min-instructions=0 %s -- -isystem %S/Inputs/other 2>&1 | FileCheck --check-prefix=DIFF --implicit-check-not='{{^\+.*}}__syncthreads' %s

#include "lanes.h"
#include <cmath>

__global__ void lane(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  // DIFF: {{^\+.*}}__syncthreads_or(active = active && (k < countForLane(n)))
  for (int k = 0; k < countForLane(n); ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}

__global__ void named(const float *__restrict__ a, float *__restrict__ out,
                      int n) {
  float s = 0;
  // DIFF: {{^\+.*}}__syncthreads_or(active = active && (k < std::countInStd(n)))
  for (int k = 0; k < std::countInStd(n); ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}

__global__ void block(const float *__restrict__ a, float *__restrict__ out,
                      int n) {
  float s = 0;
  // DIFF: {{^\+ +}}__syncthreads();
  for (int k = 0; k < countForBlock(n) + std::abs(n); ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}

__global__ void unseen(const float *__restrict__ a, float *__restrict__ out,
                       int n) {
  float s = 0;
  // CHECK: :[[#@LINE+2]]:3: remark: for loop cannot take
  // CHECK: [unknown-call]
  for (int k = 0; k < countUnseen(n); ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of fewer bits than they take in memory: counters wrap around before the
// others do, and what starts them is cut off. Clang alone knows `_BitInt`.
//
// RUN: not %dry-run --rules=artificial-barrier --min-instructions=0 %s -- -std=c++17 -arch=sm_90 | grep '^+' | FileCheck %s

#define ARGUMENTS const float *__restrict__ a, float *__restrict__ out, int n

// A vote follows where the leader may not be the last.
//
// CHECK: leader < n || __syncthreads_or(i < n);
__global__ void narrow(ARGUMENTS) {
  float s = 0;
  for (_BitInt(20) i = threadIdx.x; i < n; i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: leader < n;
__global__ void wide(ARGUMENTS) {
  float s = 0;
  for (_BitInt(32) i = (int)threadIdx.x; i < n; i += (_BitInt(32))64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: leader < n || __syncthreads_or(i < n);
__global__ void startIsCut(ARGUMENTS) {
  float s = 0;
  for (int i = (_BitInt(8))threadIdx.x; i < n; i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: leader < n;
__global__ void startIsKept(ARGUMENTS) {
  float s = 0;
  for (int i = (_BitInt(32))threadIdx.x; i < n; i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// The leader's start would need the same cut.
//
// CHECK: __syncthreads_or(active = active && (i < n));
__global__ void leaderIsCut(ARGUMENTS) {
  float s = 0;
  for (unsigned i = (unsigned _BitInt(20))(threadIdx.x + n * 64u); i < n;
       i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}
// CHECK: leader = n * 64u;
__global__ void leaderIsKept(ARGUMENTS) {
  float s = 0;
  for (unsigned i = (unsigned _BitInt(32))(threadIdx.x + n * 64u); i < n;
       i += 64)
    s += a[i];
  out[threadIdx.x] = s;
}

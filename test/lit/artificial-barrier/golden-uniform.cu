// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that look divergent and are not: all get a bare barrier.
//
// RUN: %rewrite-check %s %t.cu
// RUN: not %dry-run %s | FileCheck --implicit-check-not=__syncthreads_or %s
// RUN: FileCheck --check-prefix=COUNT --input-file=%t.cu %s

// The user's own variable hides the built-in one.
// CHECK: +    __syncthreads();
__global__ void shadowed(const float *a, float *out, int n) {
  int3 threadIdx = {n, n, n};
  float s = 0;
  for (int k = 0; k < threadIdx.x; ++k)
    s += a[k * 64 + blockIdx.x];
  out[blockIdx.x] = s;
}

// CHECK: +    __syncthreads();
__global__ void blockIndex(const float *a, float *out, const int *rows) {
  float s = 0;
  for (int k = rows[blockIdx.x]; k < rows[blockIdx.x + 1]; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// What was divergent is overwritten.
// CHECK: +    __syncthreads();
__global__ void overwritten(const float *a, float *out, int n) {
  int m = threadIdx.x;
  m = n;
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// Each field on its own.
// CHECK: +    __syncthreads();
__global__ void fields(const float *a, float *out, int n) {
  int2 pair;
  pair.x = threadIdx.x;
  pair.y = n;
  float s = 0;
  for (int k = 0; k < pair.y; ++k)
    s += a[k * 64 + pair.x];
  out[threadIdx.x] = s;
}

// Bit fields are another variable than the rest of their record.
struct Bits {
  int rows;
  unsigned lane : 8, warp : 24;
};
// CHECK: +    __syncthreads();
__global__ void besideBits(const float *a, float *out, int n) {
  Bits b;
  b.rows = n;
  b.lane = threadIdx.x;
  float s = 0;
  for (int k = 0; k < b.rows; ++k)
    s += a[k * 64 + b.lane];
  out[threadIdx.x] = s;
}

// CHECK: +    __syncthreads();
__global__ void uniformBits(const float *a, float *out, int n) {
  Bits b{};
  b.lane = n;
  b.warp = 17;
  float s = 0;
  for (int k = 0; k < b.lane; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// A vote is the same for all threads.
// CHECK: +    __syncthreads();
__global__ void voted(const float *a, float *out, int n) {
  int m = __syncthreads_count(threadIdx.x < n);
  float s = 0;
  for (int k = 0; k < m; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// Divergent code beside the loop, not around it.
// CHECK: +    __syncthreads();
__global__ void beside(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < 7)
    s = 1;
  for (int k = 0; k < n; ++k)
    if (threadIdx.x & 1)
      s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s > 0 ? s : -s;
}

// All threads leave together.
// CHECK: +    __syncthreads();
__global__ void leavesTogether(const float *__restrict__ a, float *out, int n) {
  if (n == 0)
    return;
  float s = 0;
  for (int k = 0;; ++k) {
    s += a[k * 64 + threadIdx.x];
    if (k == n || a[k] < 0)
      break;
  }
  out[threadIdx.x] = s;
}

// `int` and `float` objects do not overlap, nor does what is __restrict__.
// CHECK: +    __syncthreads();
__global__ void otherType(const int *counts, const float *a, float *out) {
  float s = 0;
  for (int k = 0; k < counts[blockIdx.x]; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}
// CHECK: +    __syncthreads();
__global__ void restricted(const int *__restrict__ counts, const int *a, int *out) {
  int s = 0;
  for (int k = 0; k < counts[blockIdx.x]; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// CHECK: +    __syncthreads();
__global__ void constantMemory(const int *a, int *out) {
  __constant__ static int counts[4];
  int s = 0;
  for (int k = 0; k < counts[blockIdx.x]; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

// A message is no memory.
// CHECK: +    __syncthreads();
__global__ void asserted(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    static_assert(sizeof(int) == 4, "as everywhere");
    s += a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
}

// Assembly that only computes. The executor does not know any.
#ifndef BARRICADE_EMULATED
// CHECK: +    __syncthreads();
__global__ void plainAsm(const unsigned *a, unsigned *out, int n) {
  unsigned s = 0;
  for (int k = 0; k < n; ++k) {
    unsigned x;
    asm("brev.b32 %0, %1;" : "=r"(x) : "r"(a[k * 64 + threadIdx.x]));
    s += x;
  }
  out[threadIdx.x] = s;
}
#endif

// An `if` on the block, a switch on a parameter, the last return.
// CHECK: +      __syncthreads();
// CHECK: +      __syncthreads();
__global__ void uniformGuards(const float *a, float *out, int n, int mode) {
  float s = 0;
  if (blockIdx.x < n)
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + threadIdx.x];
  switch (mode) {
  case 3:
    for (int k = 0; k < n; ++k)
      s -= a[k * 64 + threadIdx.x];
  }
  out[threadIdx.x] = s;
  return;
}

// COUNT-COUNT-16: {{^ *}}__syncthreads();
// COUNT-NOT: {{^ *}}__syncthreads();

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
int main() {
  float *values = onDevice(someValues<float>(1024));
  int *numbers = onDevice(someValues<int>(1024));
  int *rows = onDevice<int>({2, 7});
  for (int n : {0, 1, 7}) {
    RUN(shadowed, n);
    RUN(overwritten, n);
    RUN(fields, n);
    RUN(besideBits, n);
    RUN(uniformBits, n);
    RUN(voted, n);
    RUN(beside, n);
    RUN(leavesTogether, n);
    RUN(asserted, n);
    RUN(uniformGuards, n, 3);
  }
  run("blockIndex", blockIndex, rows);
  run("constantMemory", constantMemory);
  Buffer<float> sums("otherType", 64);
  otherType<<<1, 64>>>(rows, values, sums);
  Buffer<int> integers("restricted", 64);
  restricted<<<1, 64>>>(rows, numbers, integers);
}
#endif

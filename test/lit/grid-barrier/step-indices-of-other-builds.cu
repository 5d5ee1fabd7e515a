// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step is made of what all builds have alike, where macros are set otherwise.
//
// RUN: not %barricade --rules=grid-barrier --profit=any --explain --dry-run %s -- nvcc -std=c++17 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=not-verified %s < %t.out
// RUN: FileCheck --check-prefix=ASSERT %s < %t.out

#include <cassert>

// CHECK-DAG: :[[#@LINE+1]]:17: note: {{.*}} [other-build]
__global__ void branches(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef STRIDED
  for (; i < n; i += gridDim.x * blockDim.x)
#else
  if (i < n)
#endif
    x[i] += x[0];
}

#ifdef FAST
#define STEP gridDim.x * blockDim.x
#else
#define STEP n
#endif
// CHECK-DAG: :[[#@LINE+1]]:17: note: {{.*}} [other-build]
__global__ void macros(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += STEP)
    x[i] += x[0];
}

// CHECK-DAG: void plain_step(const uint3 blockIdx, float *x, int n)
__global__ void plain(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += x[0];
}

#ifdef FAST
#define LAST (n - 1)
#else
#define LAST 255
#endif
// CHECK-DAG: :[[#@LINE+1]]:17: note: {{.*}} [other-build]
__global__ void bounds(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < LAST)
    x[i] += x[0];
}

// Without assertions, nobody asks for it.
// ASSERT: {{^\+__device__.*}} asserts_step(const uint3 blockIdx,
// ASSERT-NEXT: {{\[\[maybe_unused]]}} const dim3 gridDim,
__global__ void asserts(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(gridDim.x < 1024);
  if (i < n)
    x[i] += x[0];
}

__device__ int stepOf(long) { return 1 << 30; }
#ifdef FAST
__device__ int stepOf(int) { return gridDim.x * blockDim.x; }
#endif
// CHECK-DAG: :[[#@LINE+1]]:17: note: {{.*}} [other-build]
__global__ void overloads(float *x, int n) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stepOf(3))
    x[i] += x[0];
}

__device__ int sameEverywhere(int n) { return n + (1 << 20); }
// CHECK-DAG: void callsSame_step(const uint3 blockIdx, float *x, int n)
__global__ void callsSame(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += sameEverywhere(n))
    x[i] += x[0];
}

void loop1(float *x, int n) {
  for (int m = n; m > 0; m /= 2)
    branches<<<(m + 255) / 256, 256>>>(x, m);
}
void loop2(float *x, int n) {
  for (int m = n; m > 0; m /= 2)
    macros<<<(m + 255) / 256, 256>>>(x, m);
}
void loop3(float *x, int n) {
  for (int m = n; m > 0; m /= 2)
    plain<<<(m + 255) / 256, 256>>>(x, m);
}
void loop4(float *x, int n) {
  for (int m = n; m > 0; m /= 2)
    overloads<<<(m + 255) / 256, 256>>>(x, m);
}
void loop5(float *x, int n) {
  for (int m = n; m > 0; m /= 2)
    callsSame<<<(m + 255) / 256, 256>>>(x, m);
}
void loop6(float *x, int n) {
  for (int m = n; m > 0; m /= 2)
    bounds<<<(m + 255) / 256, 256>>>(x, m);
}
void loop7(float *x, int n) {
  for (int m = n; m > 0; m /= 2)
    asserts<<<(m + 255) / 256, 256>>>(x, m);
}

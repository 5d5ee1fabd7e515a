// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that a kernel promises to be alone, but a step may not.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

// Only read, and a type has the promise.
using Own = const int *__restrict__;
using Plain = int *__restrict__;
__global__ void named(Own a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += a[i];
}
void names(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    named<<<(n + 63) / 64, 64>>>(a, b, n);
    named<<<(n + 63) / 64, 64>>>(b, a, n);
  }
}
// CHECK: :[[#@LINE-5]]:3: remark: {{.*}}the kernel is declared in a way
// CHECK: :[[#@LINE-12]]:{{.*}}[kernel-shape]

// It may be that nothing is written.
__global__ void mayWrite(Plain a, int *b, bool more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (more)
    a[i] = i;
  b[i] += a[i];
}
void reads(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    mayWrite<<<(n + 63) / 64, 64>>>(a, b, true, n);
}
// CHECK: :[[#@LINE-3]]:3: remark: {{.*}}the kernel is declared in a way
// CHECK: :[[#@LINE-13]]:{{.*}}[kernel-shape]

// Functions with promises of their own: one reads, one may write.
__device__ int read(const int *__restrict__ a) { return *a; }
__device__ int put(int *__restrict__ a, bool more) { return more ? *a = 1 : *a; }
__global__ void calls(int *a, int *b, bool more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] += read(a + i) + put(a + i, more);
}
void called(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    calls<<<(n + 63) / 64, 64>>>(a, b, false, n);
    calls<<<(n + 63) / 64, 64>>>(b, a, false, n);
  }
}
// CHECK: :[[#@LINE-12]]:{{.*}}[read-only-load]
// CHECK: :[[#@LINE-14]]:{{.*}}[read-only-load]

// What is stored is what was there: a step that is given 1 writes nothing, and
// still does not read past the coherent caches.
__global__ void scale(int *__restrict__ a, int *b, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] += a[i];
  a[i] *= by;
}
void keeps(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    scale<<<(n + 63) / 64, 64>>>(a, b, 1, n);
}
// CHECK: :[[#@LINE-3]]:3: warning: {{.*}} can become one persistent kernel

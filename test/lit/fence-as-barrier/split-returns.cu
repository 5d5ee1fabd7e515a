// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early returns, which both halves of a kernel take: they do nothing else.
//
// RUN: %rewrite-check %s %t.cu --rules=fence-as-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --implicit-check-not='_rest' %s
// RUN: not %barricade --rules=fence-as-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=WHY %s

__device__ void note(int *count) { atomicAdd(count, 1); }

// WHY-COUNT-5: no-fix what a thread does as it returns before the fence would be done by both halves
// WHY-NOT:     no-fix
static __global__ void counts(int *a, int *b, int *count, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return (void)atomicAdd(count, 1);
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
static __global__ void countsInBlock(int *a, int *b, int *count, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) {
    return (void)(*count += i);
  }
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
static __global__ void calls(int *a, int *b, int *count, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return note(count);
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
static __global__ void steps(int *a, int *b, int *count, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return (void)(count[i]--);
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
static __global__ void readsVolatile(int *a, int *b, volatile int *count,
                                     int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return (void)*count;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}

// CHECK:      {{^}}static __global__ void nothing_rest(
// CHECK:      {{^}}  if (i >= n)
// CHECK-NEXT: {{^}}    return;
static __global__ void nothing(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK:      {{^}}static __global__ void nothingInBlock_rest(
// CHECK:      {{^}}  if (i >= n) {
// CHECK-NEXT: {{^}}    return;
static __global__ void nothingInBlock(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) {
    return;
  }
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK:      {{^}}static __global__ void noEffect_rest(
// CHECK:      {{^}}    return (void)(n + i);
static __global__ void noEffect(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return (void)(n + i);
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// What only the second half does, it does once.
//
// CHECK:      {{^}}static __global__ void countsLater_rest(
// CHECK:      {{^}}    return (void)atomicAdd(count, 1);
// CHECK-NOT:  atomicAdd
static __global__ void countsLater(int *a, int *b, int *count, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  if (i >= n)
    return (void)atomicAdd(count, 1);
  b[i] = a[i + 1];
}

// CHECK:      {{^}}  nothing_rest<<<8, 64>>>(a, b, n);
// CHECK:      {{^}}  nothingInBlock_rest<<<8, 64>>>(a, b, n);
// CHECK:      {{^}}  noEffect_rest<<<8, 64>>>(a, b, n);
// CHECK:      {{^}}  countsLater_rest<<<8, 64>>>(a, b, count, n);
void launches(int *a, int *b, int *count, int n) {
  counts<<<8, 64>>>(a, b, count, n);
  countsInBlock<<<8, 64>>>(a, b, count, n);
  calls<<<8, 64>>>(a, b, count, n);
  steps<<<8, 64>>>(a, b, count, n);
  readsVolatile<<<8, 64>>>(a, b, count, n);
  nothing<<<8, 64>>>(a, b, n);
  nothingInBlock<<<8, 64>>>(a, b, n);
  noEffect<<<8, 64>>>(a, b, n);
  countsLater<<<8, 64>>>(a, b, count, n);
}

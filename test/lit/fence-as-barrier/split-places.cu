// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of functions and numbers of lines, which are others in the second half of a
// kernel, or where something is written once more.
//
// RUN: %rewrite-check %s %t.cu --rules=fence-as-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --implicit-check-not='_rest' %s
// RUN: not %barricade --rules=fence-as-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=WHY %s

#include <cassert>
#include <cstdio>

#define HERE __LINE__
#define FOUR 4

//===--- Names ------------------------------------------------------------===//

__device__ int firstOf(const char *name = __builtin_FUNCTION()) {
  return name[0];
}
struct Named {
  const char *name = __builtin_FUNCTION();
};

// WHY-COUNT-7: no-fix the kernel asks for its own name
static __global__ void prints(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
  if (i == 0)
    printf("%s\n", __func__);
}
static __global__ void sizes(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + sizeof(__PRETTY_FUNCTION__);
}
static __global__ void sizesOfType(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + sizeof(char[sizeof(__FUNCTION__)]);
}
static __global__ void builtIn(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + __builtin_FUNCTION()[0];
}
static __global__ void byDefault(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + firstOf();
}
static __global__ void byMember(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  Named named{};
  b[i] = a[i + 1] + named.name[0];
}
static __global__ void inBoth(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  const int size = sizeof(__func__);
  a[i] = size;
  __threadfence();
  b[i] = a[i + 1] + size;
}

// The first half keeps its name; assert prints another.
//
// CHECK: {{^}}static __global__ void before_rest(
static __global__ void before(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = sizeof(__func__) + firstOf();
  __threadfence();
  b[i] = a[i + 1] + firstOf("");
}
// CHECK: {{^}}static __global__ void asserts_rest(
static __global__ void asserts(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  assert(i >= 0);
  b[i] = a[i + 1];
}

//===--- Places in the kernel ---------------------------------------------===//

// WHY-COUNT-8: no-fix what is written once more, or elsewhere, depends on where it stands
static __global__ void lines(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  const int w = __LINE__;
  a[i] = w;
  __threadfence();
  b[i] = a[i + 1] + w;
}
static __global__ void linesMove(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  const int w = HERE;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + w;
}
static __global__ void returns(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n + __COUNTER__)
    return;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
static __global__ void ofSize(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  const int w = sizeof(char[__LINE__]);
  a[i] = w;
  __threadfence();
  b[i] = a[i + 1] + w;
}
static __global__ void defaultLine(int *a, int *b, int off = __LINE__) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + off;
}
static __global__ void defaultCounter(int *a, int *b, int off = __COUNTER__) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + off;
}
static __global__ void defaultBuiltIn(int *a, int *b,
                                      int off = __builtin_LINE()) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + off;
}
static __global__ void __launch_bounds__(64 + 0 * __COUNTER__)
    bounded(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}

// What only one half has is written once, and macros are the same everywhere.
//
// CHECK: {{^}}static __global__ void once_rest(
static __global__ void once(int *a, int *b, int off = FOUR) {
  int i = blockIdx.x * 64 + threadIdx.x;
  const int w = FOUR;
  a[i] = w + 0 * __COUNTER__;
  __threadfence();
  b[i] = a[i + 1] + w + off + 0 * __COUNTER__;
}
// CHECK: {{^}}static __global__ void __launch_bounds__(64) boundedToo_rest(
static __global__ void __launch_bounds__(64) boundedToo(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}

//===--- Places of launches -----------------------------------------------===//

// WHY-COUNT-3: no-fix what is written once more, or elsewhere, depends on where it stands
// WHY-NOT:     no-fix
static __global__ void counted(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
static __global__ void atLine(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
static __global__ void ofShape(int *a, int *b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}

// CHECK:      {{^}}  before<<<8, 64>>>(a, b);
// CHECK-NEXT: {{^}}  before_rest<<<8, 64>>>(a, b);
// CHECK:      {{^}}  asserts_rest<<<8, 64>>>(a, b);
// CHECK:      {{^}}  once_rest<<<8, 64>>>(a, b);
// CHECK:      {{^}}  boundedToo_rest<<<8, 64>>>(a, b);
void launches(int *a, int *b, int n) {
  prints<<<8, 64>>>(a, b);
  sizes<<<8, 64>>>(a, b);
  sizesOfType<<<8, 64>>>(a, b);
  builtIn<<<8, 64>>>(a, b);
  byDefault<<<8, 64>>>(a, b);
  byMember<<<8, 64>>>(a, b);
  inBoth<<<8, 64>>>(a, b);
  before<<<8, 64>>>(a, b);
  asserts<<<8, 64>>>(a, b);
  lines<<<8, 64>>>(a, b);
  linesMove<<<8, 64>>>(a, b);
  returns<<<8, 64>>>(a, b, n);
  ofSize<<<8, 64>>>(a, b);
  defaultLine<<<8, 64>>>(a, b);
  defaultCounter<<<8, 64>>>(a, b);
  defaultBuiltIn<<<8, 64>>>(a, b);
  bounded<<<8, 64>>>(a, b);
  once<<<8, 64>>>(a, b);
  boundedToo<<<8, 64>>>(a, b);
  counted<<<8, 64>>>(a, b, n + __COUNTER__);
  atLine<<<8, 64>>>(a, b, HERE);
  ofShape<<<8 + 0 * __LINE__, 64>>>(a, b, n);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are cut in two at a fence: all of the first half, to the end of its
// objects, comes before any of the second one.
//
// RUN: %rewrite-check %s %t.cu --rules=fence-as-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --implicit-check-not='_rest' %s
// RUN: not %barricade --rules=fence-as-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=WHY %s

//===--- Waits ------------------------------------------------------------===//

__device__ int flag;

// WHY-COUNT-2: no-fix a thread may wait for what another one does behind the fence
static __global__ void awaits(int *a, int *b, int *c) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (blockIdx.x == 3)
    while (atomicAdd(&flag, 0) == 0)
      ;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
  if (blockIdx.x == 0)
    atomicExch(&flag, 1);
  c[i] = 1;
}
__device__ void await() {
  while (atomicAdd(&flag, 0) == 0)
    ;
}
static __global__ void callsToWait(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  if (blockIdx.x == 3)
    await();
  __threadfence();
  b[i] = a[i + 1];
  if (blockIdx.x == 0)
    atomicExch(&flag, 1);
}

// What the second half waits for, its own threads do, or it is done already.
//
// CHECK: {{^}}static __global__ void awaitsLater_rest(
static __global__ void awaitsLater(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
  if (blockIdx.x == 0)
    atomicExch(&flag, 1);
  if (blockIdx.x == 3)
    while (atomicAdd(&flag, 0) == 0)
      ;
}

//===--- Objects ----------------------------------------------------------===//

struct Marks {
  int *place;
  __device__ ~Marks() { *place = 7; }
};
__device__ void mark(int **place) { **place = 7; }

// WHY-COUNT-3: no-fix an object that ends behind the fence would end at it
static __global__ void object(int *a, int *b, int *c) {
  int i = blockIdx.x * 64 + threadIdx.x;
  Marks marks = {c + i};
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + c[i];
}
static __global__ void temporary(int *a, int *b, int *c) {
  int i = blockIdx.x * 64 + threadIdx.x;
  [[maybe_unused]] const Marks &marks = Marks{c + i};
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + c[i];
}
static __global__ void byAttribute(int *a, int *b, int *c) {
  int i = blockIdx.x * 64 + threadIdx.x;
  __attribute__((cleanup(mark))) int *place = c + i;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + c[i];
}

// CHECK:      {{^}}static __global__ void endsBefore_rest(
// CHECK:      {{^}}  b[i] = a[i + 1] + c[i];
static __global__ void endsBefore(int *a, int *b, int *c) {
  int i = blockIdx.x * 64 + threadIdx.x;
  {
    Marks marks = {c + i};
    a[i] = i;
  }
  __threadfence();
  b[i] = a[i + 1] + c[i];
}

//===--- Members ----------------------------------------------------------===//

struct Outer {
  Marks &marks;
  int own;
};
// WHY: no-fix a variable lives across the fence
static __global__ void byReference(int *a, int *b, Outer p) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int value = *p.marks.place;
  a[i] = i;
  if (i == 0)
    *p.marks.place = 1;
  __threadfence();
  b[i] = a[i + 1] + value;
}
// CHECK: {{^}}static __global__ void byMember_rest(
static __global__ void byMember(int *a, int *b, Outer p) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int value = p.own;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + value;
}

//===--- Lines ------------------------------------------------------------===//

// What follows the fence on its line does not become a comment.
//
// CHECK:      {{^}}static __global__ void sameLine_rest(int *a, int *b) {
// CHECK-NEXT: {{^}}  int i = blockIdx.x * 64 + threadIdx.x; // The thread.
// CHECK-NEXT: {{^}}   b[i] = a[i + 1]; // Behind.
// clang-format off
static __global__ void sameLine(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x; // The thread.
  a[i] = i;
  __threadfence(); b[i] = a[i + 1]; // Behind.
}
// clang-format on

//===--- Arguments --------------------------------------------------------===//

__managed__ int managed;
// WHY: no-fix an argument of a launch cannot be evaluated again
static __global__ void leftOut(int *a, int *b, int n = managed) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}
// CHECK: {{^}}static __global__ void leftOutToo_rest(
static __global__ void leftOutToo(int *a, int *b, int n = 3) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1] + n;
}

// CHECK:      {{^}}  awaitsLater<<<8, 64>>>(a, b);
// CHECK-NEXT: {{^}}  awaitsLater_rest<<<8, 64>>>(a, b);
// CHECK:      {{^}}  endsBefore<<<8, 64>>>(a, b, c);
// CHECK-NEXT: {{^}}  endsBefore_rest<<<8, 64>>>(a, b, c);
// CHECK:      {{^}}  byMember_rest<<<8, 64>>>(a, b, p);
// CHECK:      {{^}}  sameLine_rest<<<8, 64>>>(a, b);
// CHECK:      {{^}}  leftOutToo_rest<<<8, 64>>>(a, b);
void launches(int *a, int *b, int *c, Outer p) {
  awaits<<<8, 64>>>(a, b, c);
  callsToWait<<<8, 64>>>(a, b);
  awaitsLater<<<8, 64>>>(a, b);
  object<<<8, 64>>>(a, b, c);
  temporary<<<8, 64>>>(a, b, c);
  byAttribute<<<8, 64>>>(a, b, c);
  endsBefore<<<8, 64>>>(a, b, c);
  byReference<<<8, 64>>>(a, b, p);
  byMember<<<8, 64>>>(a, b, p);
  sameLine<<<8, 64>>>(a, b);
  leftOut<<<8, 64>>>(a, b);
  leftOutToo<<<8, 64>>>(a, b);
}

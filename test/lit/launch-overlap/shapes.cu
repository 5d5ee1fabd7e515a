// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How launches and kernels may be spelled.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cassert>
#include <cstdio>
#include <cstdlib>

// Kernels that wait already stay as they are.
//
// CHECK:      void waits(float *a) {
// CHECK-NEXT: {{^}}  cudaGridDependencySynchronize();
// CHECK-NEXT: {{^}}  a[0]
__global__ void waits(float *a) {
  cudaGridDependencySynchronize();
  a[0] += 1;
}
// CHECK:      void assembled(float *a) {
// CHECK-NEXT: {{^}}  asm volatile
// CHECK-NEXT: {{^}}  a[0]
__global__ void assembled(float *a) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  a[0] += 1;
}
// CHECK-LABEL: void known(
// CHECK: overlap.launch(waits, 1, 1, 0, nullptr, a);
// CHECK: overlap.launch(assembled, 1, 1, 0, nullptr, a);
void known(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    waits<<<1, 1>>>(a);
    assembled<<<1, 1>>>(a);
  }
}

// Comments and parentheses.
//
// CHECK-LABEL: void spelled(
// CHECK: overlap2.launch((plain), 1, 32, 0, nullptr, a);
// CHECK: overlap2.launch(plain, 1, 32, 0, nullptr, /* before */ a);
// CHECK: overlap2.launch(plain, 1, 32, 0, nullptr, // behind
// CHECK: overlap2.launch(nothing, 1, 1, 0, nullptr NONE);
#define NONE
__global__ void plain(float *a) { a[threadIdx.x] += 1; }
__global__ void nothing() {}
void spelled(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    (plain)<<<1, 32>>>(a);
    plain<<<1, 32>>> /* before */ (a);
    plain<<<1, 32>>> // behind
        (a);
    nothing<<<1, 1>>>(NONE);
  }
}

// Copies to constant memory are the host's; what a macro of numbers stands for
// is a number everywhere.
//
// CHECK-LABEL: void reading(
// CHECK: overlap3.launch(reads, COUNT, 32, 0, nullptr, a);
#ifdef SMALL
#define COUNT 1
#else
#define COUNT (2 + 2)
#endif
__constant__ float table[4];
__global__ void reads(float *a) {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  for (int i = 0; i < COUNT; ++i)
    a[lane] += table[i % 4];
}
void reading(float *a, const float *values, int n) {
  cudaMemcpyToSymbol(table, values, sizeof(table));
  for (int i = 0; i < n; ++i)
    reads<<<COUNT, 32>>>(a);
}

// Errors are asked for, told of, and end the program.
//
// CHECK-LABEL: void checking(
// CHECK: overlap4.launch(plain, 1, 32, 0, nullptr, a);
#define CHECKED(Call)                                                          \
  do {                                                                         \
    const cudaError_t Error = (Call);                                          \
    if (Error != cudaSuccess) {                                                \
      fprintf(stderr, "%s\n", cudaGetErrorString(Error));                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
void checking(float *a, int n) {
  assert(n > 0);
  for (int i = 0; i < n; ++i) {
    plain<<<1, 32>>>(a);
    CHECKED(cudaGetLastError());
    CHECKED(cudaDeviceSynchronize());
    assert(n > i);
  }
}

// In a lambda.
//
// CHECK-LABEL: void lambda(
// CHECK:      {{^}}  auto run = [=] {
// CHECK-NEXT: {{^}}    barricade::OverlappedLaunches overlap5;
// CHECK-NEXT: {{^}}    for (int i = 0; i < n; ++i)
// CHECK-NEXT: {{^}}      overlap5.launch(plain, 1, 32, 0, nullptr, a);
void lambda(float *a, int n) {
  auto run = [=] {
    for (int i = 0; i < n; ++i)
      plain<<<1, 32>>>(a);
  };
  run();
}

// Pragmas of other statements, and jumps that lead elsewhere.
//
// CHECK-LABEL: void apart(
// CHECK: overlap6.launch(plain, 1, 1, 0, nullptr, a);
#define PARALLEL _Pragma("omp parallel for")
int rare();
void apart(float *a, int n) {
  PARALLEL for (int i = 0; i < n; ++i) {
    static int sum;
    sum += i;
  }
  if (n > 2) {
    goto before;
  before:
    rare();
  }
  plain<<<1, 1>>>(a);
  plain<<<1, 1>>>(a);
  switch (n) {
  case 1:
    rare();
  }
}

// Classes with constructors that copies may ask for.
//
// CHECK-LABEL: void greedy(
// CHECK: overlap7.launch(apply, 1, 1, 0, nullptr, a, Greedy());
struct Greedy {
  float x;
  Greedy() = default;
  template <typename F> Greedy(F &&from) : x(from.value()) {}
};
__global__ void apply(float *a, Greedy by) { a[0] += by.x; }
void greedy(float *a) {
  apply<<<1, 1>>>(a, Greedy());
  apply<<<1, 1>>>(a, Greedy());
}

// In a constructor's initialiser.
//
// CHECK-LABEL: struct Initialised {
// CHECK: overlap8.launch(plain, 1, 1, 0, nullptr, a);
struct Initialised {
  int launched;
  explicit Initialised(float *a)
      : launched([=] {
          plain<<<1, 1>>>(a);
          plain<<<1, 1>>>(a);
          return 2;
        }()) {}
};

// Labels behind the launches to which only what is there jumps.
//
// CHECK-LABEL: void jumpsBehind(
// CHECK: overlap9.launch(plain, 1, 1, 0, nullptr, a);
void jumpsBehind(float *a, int n) {
  plain<<<1, 1>>>(a);
  plain<<<1, 1>>>(a);
  for (int i = 0; i < n; ++i) {
    if (i > 3)
      goto next;
    printf("%d", i);
  next:;
  }
}

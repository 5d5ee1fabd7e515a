// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that may be more than a choice of a name, or of a type that is written
// by its name.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can become' %s

#ifndef DATA_TYPE
#define DATA_TYPE float
#endif
#ifndef CONST_TYPE
#define CONST_TYPE const float
#endif
__global__ void k1(DATA_TYPE *a, const DATA_TYPE *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i] + b[i + 1];
}
__global__ void k2(DATA_TYPE *a, DATA_TYPE by) { a[threadIdx.x] += by; }

// Of one that is not defined in each build.
#ifdef SCALAR_BOUNDS
#define SOME(x, y) x
#elif defined(ARRAY_BOUNDS)
#define SOME(x, y) y
#endif
#ifndef SOME
#define SOME(x, y) y
#endif
// By something else than what it chooses between here.
#ifdef SCALAR_BOUNDS
#define OTHER(x, y) total
#define CALLED(x, y) x()
#define SUM(x, y) x + y
#else
#define OTHER(x, y) y
#define CALLED(x, y) y
#define SUM(x, y) y
#endif

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void some(float *a, float *b, int steps) {
  for (int t = 0; t < SOME(100, steps); ++t) {
    k2<<<1, 64>>>(a, 1);
    k2<<<1, 64>>>(b, a == b);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void other(float *a, float *b, int steps, int total) {
  for (int t = 0; t < OTHER(100, steps); ++t, --total) {
    k2<<<1, 64>>>(a, 1);
    k2<<<1, 64>>>(b, total);
  }
}
int limit();
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void called(float *a, int steps) {
  for (int t = 0; t < CALLED(limit, steps); ++t)
    k2<<<1, 64>>>(a, t);
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void sum(float *a, int steps) {
  for (int t = 0; t < SUM(1, steps); ++t)
    k2<<<1, 64>>>(a, t);
}
// By value it may be of any class.
//
// CHECK: :[[@LINE+1]]:39: note: {{.*}} [local-name]
void value(float *a, int n, DATA_TYPE by) {
  for (int t = 0; t < n; ++t)
    k2<<<1, 64>>>(a, by);
}
// What qualifies it stands beside it, or in the macro.
//
// CHECK: :[[@LINE+1]]:42: note: {{.*}} [local-name]
void constant(float *a, const DATA_TYPE *b, int n) {
  for (int t = 0; t < n; ++t) {
    k1<<<1, 64>>>(a, b);
    k2<<<1, 64>>>(a, t);
  }
}
// CHECK: :[[@LINE+1]]:38: note: {{.*}} [local-name]
void constant2(float *a, CONST_TYPE *b, int n) {
  for (int t = 0; t < n; ++t) {
    k1<<<1, 64>>>(a, b);
    k2<<<1, 64>>>(a, t);
  }
}

// Undefined in another build, where the name is a variable's or a function's.
#define GONE steps
#define PICK(x, y) y
#define PICKED PICK(100, steps)
#ifdef SCALAR_BOUNDS
#undef GONE
#undef PICK
#endif
#ifdef SCALAR_BOUNDS
#define NUMBER(x, y) x
#else
#define NUMBER(x, y) y
#endif
#define POINTER NUMBER(0, q)
#define SCALE NUMBER(0.5f, steps)
#define FACTOR NUMBER(2, steps)

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void undefined(float *a, int steps) {
  for (int t = 0; t < PICKED; ++t)
    k2<<<1, 64>>>(a, t);
}
// No integer, or not compared with: templates would get another type.
//
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void pointer(float *a, float *q, int steps) {
  for (int t = 0; t < steps; ++t)
    k1<<<1, 64>>>(a, POINTER);
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void real(float *a, int steps) {
  for (int t = 0; t < SCALE; ++t)
    k2<<<1, 64>>>(a, t);
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void argument(float *a, int steps) {
  for (int t = 0; t < steps; ++t)
    k2<<<1, 64>>>(a, FACTOR);
}

// Nor where no expression shows it.
//
#define SIZE NUMBER(100, Many)
constexpr int Many = 7;
template <int N> __global__ void sized(float *a, int t) {
  a[threadIdx.x] += a[threadIdx.x + 1] + t + N;
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void templateArgument(float *a, int n) {
  for (int t = 0; t < n; ++t)
    sized<SIZE><<<16, 64>>>(a, t);
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void arraySize(float *a, int n) {
  for (int t = 0; t < n; ++t)
    k2<<<16, 64>>>(a, sizeof(char[SIZE]));
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void typeOf(float *a, int n) {
  for (int t = 0; t < n && t < SIZE; ++t) {
    decltype(SIZE) x = t;
    k2<<<16, 64>>>(a, x);
  }
}

// Where the kernel would stand the macro is another one.
#ifndef MOVING
#define MOVING const float
#endif
// CHECK: :[[@LINE+6]]:11: note: {{.*}} [local-name]
void redefined(float *a, int n) {
#undef MOVING
#ifndef MOVING
#define MOVING float
#endif
  MOVING *b = a;
  for (int t = 0; t < n; ++t)
    k2<<<1, 64>>>(b, t);
}

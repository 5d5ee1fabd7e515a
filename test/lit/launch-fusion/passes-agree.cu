// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the C library that Clang computes in one pass only are the same code
// in all passes; what is a constant of its own in each is not.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_80 > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %barricade --rules=launch-overlap --explain %s -- nvcc -std=c++17 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --check-prefix=OVERLAP %s < %t.out

#include <cmath>
#include <cstdlib>

__global__ void add(double *x, double by) { x[threadIdx.x] += by; }
__global__ void scale(double *x, double by) { x[threadIdx.x] *= by; }

void absolute(double *x) {
  add<<<1, 64>>>(x, fabs(-1.5));
  scale<<<1, 64>>>(x, std::abs(-2.0));
}
// CHECK: :[[#@LINE-3]]:3: warning: 2 launches in a row can become one kernel
// OVERLAP: :[[#@LINE-4]]:3: warning: 2 launches can begin while

void chosen(double *x) {
  add<<<1, 64>>>(x, fmax(1.0, 2.0) + std::fmin(1.0, 2.0));
  scale<<<1, 64>>>(x, std::isnan(1.0) ? 1.0 : std::abs(-3));
}
// CHECK: :[[#@LINE-3]]:3: warning: 2 launches in a row can become one kernel
// OVERLAP: :[[#@LINE-4]]:3: warning: 2 launches can begin while

// Another overload is known to each pass.
void powers(double *x, int n) {
  add<<<1, 64>>>(x, pow(2.0, n));
  scale<<<int(std::pow(2.0, 3)), 64>>>(x, pow(2.0, 3) + 1);
}
// OVERLAP: :[[#@LINE-3]]:3: warning: 2 launches can begin while

const double most = fabs(-8.0);
void ofVariable(double *x) {
  add<<<1, 64>>>(x, most);
  scale<<<1, 64>>>(x, most);
}
// CHECK: :[[#@LINE-3]]:3: warning: 2 launches in a row can become one kernel
// OVERLAP: :[[#@LINE-4]]:3: warning: 2 launches can begin while

#ifdef __CUDA_ARCH__
constexpr double least = 1;
constexpr double least_of() { return 1; }
#else
constexpr double least = 2;
constexpr double least_of() { return 2; }
#endif

void differs(double *x) {
  add<<<1, 64>>>(x, fabs(least));
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

const double absolutely = fabs(least);
void differsInVariable(double *x) {
  add<<<1, 64>>>(x, absolutely);
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

void differsAround(double *x, int n) {
  add<<<1, 64>>>(x, pow(least, n));
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

#ifdef __CUDA_ARCH__
#define CALL(n) pow(2.0, n)
#else
#define CALL(n) log(2.0 * n)
#endif
void differsInFunction(double *x, int n) {
  add<<<1, 64>>>(x, CALL(n));
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

void differsInCall(double *x) {
  add<<<1, 64>>>(x, least_of());
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

// What names of types stand for, and what numbers choose.
#ifdef __CUDA_ARCH__
typedef unsigned Wide;
typedef float Real;
enum { Chosen = 5 };
constexpr int Bits = 5;
#else
typedef unsigned long long Wide;
typedef double Real;
enum { Chosen = 7 };
constexpr int Bits = 7;
#endif
typedef int Same;
template <int N> __global__ void shift(double *x, double by) {
  x[threadIdx.x] += N * by;
}
struct Narrow {
  int value : Bits;
};

void differsInCast(double *x, int n) {
  add<<<1, 64>>>(x, double(Wide(-n) >> 3));
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

void differsInParameter(double *x, Real n) {
  add<<<1, 64>>>(x, n);
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

void differsInArgument(double *x) {
  shift<Chosen><<<1, 64>>>(x, 1.0);
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

void differsInField(double *x, Narrow n) {
  add<<<1, 64>>>(x, n.value);
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]
// OVERLAP: :[[#@LINE-4]]:3: note: {{.*}} [passes-differ]

void sameTypes(double *x, Same n) {
  add<<<1, 64>>>(x, Same(n) + 1);
  scale<<<1, 64>>>(x, 1.0);
}
// CHECK: :[[#@LINE-3]]:3: warning: 2 launches in a row can become one kernel
// OVERLAP: :[[#@LINE-4]]:3: warning: 2 launches can begin while

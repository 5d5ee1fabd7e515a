// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that the program has a name for, which another build may give to another
// type: written by that name, or not at all.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: not %dry-run --rules=grid-barrier %s -- -std=c++17 2>/dev/null | FileCheck --check-prefix=TEXT %s

namespace lib {
#ifdef DOUBLE
using real = double;
#else
using real = float;
#endif
template <class T> using Same = T;
#ifdef LARGE
typedef long long index;
#else
typedef int index;
#endif
} // namespace lib
__global__ void add(double *x, lib::real v) { x[threadIdx.x] += v; }

// TEXT-DAG: double *x, lib::real v) {
void qualified(double *x, lib::real v, int steps) {
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, v);
}
void deduced(double *x, lib::real v, int steps) {
  auto w = v;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, w);
  // CHECK: [local-name]
}
void deducedAgain(double *x, lib::real v, int steps) {
  auto u = v;
  const auto w = u + 1;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, w);
  // CHECK: [local-name]
}
void usesLocally(double *x, lib::real v, int steps) {
  using lib::real;
  real w = v;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, w);
  // CHECK: [local-name]
}
template <class T> struct Other {
#ifdef DOUBLE
  using type = double;
#else
  using type = T;
#endif
};
void byMember(double *x, lib::real v, int steps) {
  auto w = Other<float>::type(v);
  // CHECK: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, w);
  // CHECK: [local-name]
}
#ifndef SIZE
#define SIZE 4
#endif
#define FOUR 4
constexpr int Size = SIZE;
void extents(double *x, int steps) {
  float a[Size] = {1, 2, 3, 4};
  // CHECK: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, a[s & 3]);
  // CHECK: [local-name]
}
// TEXT-DAG: barricade::Array<float, 4> a
void fixedExtents(double *x, int steps) {
  float a[FOUR] = {1, 2, 3, 4};
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, a[s & 3]);
}
#ifndef NUMBER
#define NUMBER float
#endif
void byMacro(double *x, int steps) {
  NUMBER v = 2;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, v);
  // CHECK: [local-name]
}
// An alias that is the same in all builds stands for its type.
// TEXT-DAG: void byTemplate_persistent
void byTemplate(double *x, float v, int steps) {
  using Own = lib::Same<float>;
  Own w = v;
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, w);
}
// TEXT-DAG: double *x, float w) {
void plainly(double *x, float v, int steps) {
  auto w = v;
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, w);
}
// Begun anew, for the counter's type is what the program calls so.
// TEXT-DAG: counter_persistent(barricade::GridBarrier bar, int steps,
void counter(double *x, int steps) {
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (lib::index s = 0; s < steps; ++s)
    add<<<1, 64>>>(x, 1);
}

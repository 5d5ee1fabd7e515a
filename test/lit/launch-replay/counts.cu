// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a loop runs is computed before it begins: only from what has its
// value then, and where the loop computes the same at once.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <algorithm>

__global__ void k(float *a);

// A counter that was there before, and others that lead to it.
//
// CHECK-LABEL: void divides(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void reads(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void isAhead(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void hasAnotherName(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void isCalled(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void isShared(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void beginsByItself(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay;
void divides(float *a, int n, int i) {
  for (i = 2; i < n / i; ++i)
    k<<<1, 1>>>(a + i);
}
void reads(float *a, const int *ends) {
  int i;
  for (i = 0; i < ends[i]; ++i)
    k<<<1, 1>>>(a + i);
}
void isAhead(float *a, int n) {
  int i;
  for (i = 0; i < n - i; ++i)
    k<<<1, 1>>>(a + i);
}
void hasAnotherName(float *a, int n) {
  int i = 0;
  int &r = i;
  for (i = 2; i < n / r; ++i)
    k<<<1, 1>>>(a + i);
}
int counter;
int halved(int n) { return n / counter; }
void isCalled(float *a, int n) {
  for (counter = 2; counter < halved(n); ++counter)
    k<<<1, 1>>>(a + counter);
}
void isShared(float *a, const int *end) {
  int i;
  for (i = 0; i < *end; ++i)
    k<<<1, 1>>>(a + i);
}
void beginsByItself(float *a, int n, int i) {
  for (i = i / 2; i < n; ++i)
    k<<<1, 1>>>(a + i);
}

// Differences that might be too large for their type.
//
// CHECK-LABEL: void mixesSigns(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(static_cast<long long>(n) - 1);
// CHECK-LABEL: void mixesWidths(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
void mixesSigns(float *a, int n) {
  for (unsigned i = 1; i < n; ++i)
    k<<<1, 1>>>(a + i);
}
void mixesWidths(float *a, long n) {
  for (int i = 1; i < n; ++i)
    k<<<1, 1>>>(a + i);
}

// Neighbours that are counted. What the head of the loop divides by, it divides
// by at once.
//
// CHECK-LABEL: void plain(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay((n / m) - 1);
// CHECK-LABEL: void member(
// CHECK:      {{^}}  barricade::ReplayedLaunches replay((size.n));
// CHECK-LABEL: void ownCounter(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay((ends[2]));
// CHECK-LABEL: void smaller(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay((std::min(n, m)));
void plain(float *a, unsigned n, unsigned m) {
  unsigned i;
  for (i = 1; i < n / m; ++i)
    k<<<1, 1>>>(a + i);
}
struct Size {
  int n;
};
void member(float *a, Size size) {
  int i;
  for (i = 0; i < size.n; ++i)
    k<<<1, 1>>>(a + i);
}
void ownCounter(float *a, const int *ends) {
  for (int i = 0; i < ends[2]; ++i)
    k<<<1, 1>>>(a + i);
}
void smaller(float *a, int n, int m) {
  for (int i = 0; i < std::min(n, m); ++i)
    k<<<1, 1>>>(a + i);
}

// Counts that are computed by operators and conversions of the user's.
//
// CHECK-LABEL: void convertsClass(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void comparesEnumeration(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void castsEnumeration(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay((int(steps)));
struct Count {
  int v;
  Count(const Count &);
  operator int() const { return v; }
};
void convertsClass(float *a, const Count &steps) {
  for (int i = 0; i < steps; ++i)
    k<<<1, 1>>>(a + i);
}
enum Steps { Few = 3, Many = 900 };
bool operator>(Steps, int);
void comparesEnumeration(float *a, Steps steps) {
  for (int i = 0; i < steps; ++i)
    k<<<1, 1>>>(a + i);
}
void castsEnumeration(float *a, Steps steps) {
  for (int i = 0; i < int(steps); ++i)
    k<<<1, 1>>>(a + i);
}

// Limits that are others wherever they are written.
//
// CHECK-LABEL: void ofLine(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay;
// CHECK-LABEL: void ofFour(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay((n + Const<4>::value));
template <int N> struct Const {
  static constexpr int value = N;
};
void ofLine(float *a, int n) {
  for (int i = 0; i < n + Const<__LINE__>::value; ++i)
    k<<<1, 1>>>(a + i);
}
void ofFour(float *a, int n) {
  for (int i = 0; i < n + Const<4>::value; ++i)
    k<<<1, 1>>>(a + i);
}

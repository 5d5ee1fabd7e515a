// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects are copied to a kernel if their constructors are seen to set every
// member.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

#include <cstring>

__global__ void inc(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] += x[n - 1 - threadIdx.x]; }

struct ByList { int a, b; ByList(int n) : a(n), b(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofByList(float *x, int n, int steps) {
  ByList c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct ByBody { int a, b, c[3]; ByBody(int n) { this->a = b = n; for (int i = 0; i < 3; ++i) c[i] = i; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofByBody(float *x, int n, int steps) {
  ByBody c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct ByBase : ByList { int c, d = 3; ByBase(int n) : ByList(n), c(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofByBase(float *x, int n, int steps) {
  ByBase c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n + t);
}

struct Delegates { int a, b; Delegates(int n) : Delegates(n, n) {} Delegates(int a, int b) : a(a), b(b) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofDelegates(float *x, int n, int steps) {
  Delegates c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct DelegatesHalf { int a, b; DelegatesHalf(int n) : DelegatesHalf(n, n) {} DelegatesHalf(int a, int) : a(a) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofDelegatesHalf(float *x, int n, int steps) {
  DelegatesHalf c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct DelegatesThenSets { int a, b; DelegatesThenSets(int n) : DelegatesThenSets(n, n) { b = n; } DelegatesThenSets(int a, int) : a(a) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofDelegatesThenSets(float *x, int n, int steps) {
  DelegatesThenSets c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct Inherits : ByList { int c = 1; using ByList::ByList; };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofInherits(float *x, int n, int steps) {
  Inherits c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n + t);
}

struct InheritsHalf : ByList { int c; using ByList::ByList; };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofInheritsHalf(float *x, int n, int steps) {
  InheritsHalf c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n + t);
}

struct OnAllWays { int a, b; OnAllWays(int n) : b(n) { if (n > 3) a = n; else { a = 3; return; } } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofOnAllWays(float *x, int n, int steps) {
  OnAllWays c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct OnOneWay { int a, b; OnOneWay(int n) : b(n) { if (n > 3) a = n; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofOnOneWay(float *x, int n, int steps) {
  OnOneWay c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct Returns { int a, b; Returns(int n) : b(n) { if (n > 3) return; a = n; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofReturns(float *x, int n, int steps) {
  Returns c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct ByCall { int a, b; ByCall(int n) { reset(n); } void reset(int n) { a = n; b = n; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofByCall(float *x, int n, int steps) {
  ByCall c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct HalfByCall { int a, b; HalfByCall(int n) { reset(n); } void reset(int n) { if (n) a = n; b = n; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofHalfByCall(float *x, int n, int steps) {
  HalfByCall c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct ByUnseen { int a, b; ByUnseen(int n) { reset(n); } void reset(int n); };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofByUnseen(float *x, int n, int steps) {
  ByUnseen c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct OfOther { int a, b; OfOther(int n) : a(n) { ByList other(n); other.b = n; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofOfOther(float *x, int n, int steps) {
  OfOther c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct ByWhole { int a, b; ByWhole(int n) { *this = ByWhole{n, n}; } ByWhole(int a, int b) : a(a), b(b) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofByWhole(float *x, int n, int steps) {
  ByWhole c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct ByMemset { int a, b; ByMemset(int n) { memset(this, n, sizeof(*this)); } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofByMemset(float *x, int n, int steps) {
  ByMemset c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct OneElement { int a, c[3]; OneElement(int n) : a(n) { c[0] = c[1] = n; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofOneElement(float *x, int n, int steps) {
  OneElement c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct AllElements { int a, c[3] = {}; AllElements(int n) : a(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofAllElements(float *x, int n, int steps) {
  AllElements c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct Half { int set = 7, unset; };
struct HalfBase : Half { int c; HalfBase(int n) : c(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofHalfBase(float *x, int n, int steps) {
  HalfBase c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n + t);
}

struct HalfMember { Half c; int d; HalfMember(int n) : d(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofHalfMember(float *x, int n, int steps) {
  HalfMember c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.d + n + t);
}

struct HalfMemberSet { Half c; int d; HalfMemberSet(int n) : d(n) { c.unset = n; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofHalfMemberSet(float *x, int n, int steps) {
  HalfMemberSet c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.d + n + t);
}

struct BracedMember { Half c{}; int d; BracedMember(int n) : d(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofBracedMember(float *x, int n, int steps) {
  BracedMember c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.d + n + t);
}

struct Elsewhere { int a, b; Elsewhere(int n); };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofElsewhere(float *x, int n, int steps) {
  Elsewhere c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

template <typename T> struct Of { T a, b; Of(T n) : a(n), b() {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofOf(float *x, int n, int steps) {
  Of<int> c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

template <typename T> struct HalfOf { T a, b; HalfOf(T n) : a(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofHalfOf(float *x, int n, int steps) {
  HalfOf<int> c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

union Either { int a; float b; Either(int n) : a(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofEither(float *x, int n, int steps) {
  Either c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

union Neither { int a; float b; Neither(int) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofNeither(float *x, int n, int steps) {
  Neither c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct Nameless { union { int a; float b; }; int c; Nameless(int n) : a(n), c(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofNameless(float *x, int n, int steps) {
  Nameless c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n + t);
}

struct NamelessInBody { union { int a; float b; }; int c; NamelessInBody(int n) : c(n) { b = 1; } };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofNamelessInBody(float *x, int n, int steps) {
  NamelessInBody c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n + t);
}

struct HalfNameless { union { int a; float b; }; int c; HalfNameless(int n) : c(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofHalfNameless(float *x, int n, int steps) {
  HalfNameless c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n + t);
}

struct Padded { int a, : 3, b : 7; Padded(int n) : a(n), b(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofPadded(float *x, int n, int steps) {
  Padded c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.a + n + t);
}

struct OfSystem { dim3 grid; int n; OfSystem(int n) : n(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofOfSystem(float *x, int n, int steps) {
  OfSystem c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.n + n + t);
}

// Arrays, and what is no record.
struct Late { int a, b; Late() {} void set(int n) { a = b = n; } };
// CHECK: :[[#@LINE+4]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofPair(float *x, int n, int steps) {
  const dim3 grid(n), block;
  int sizes[2] = {n, n};
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, sizes[t & 1] + int(grid.x + block.y));
}
struct HoldsLate { Late late[2]; int c; HoldsLate(int n) : c(n) {} };
// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: note: {{.*}} [unset-variable]
void ofHoldsLate(float *x, int n, int steps) {
  HoldsLate c(n);
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n);
}
// CHECK: :[[#@LINE+5]]:{{[0-9]+}}: warning: {{.*}} can become one
void ofHoldsLateSet(float *x, int n, int steps) {
  HoldsLate c(n);
  c.late[0].a = c.late[0].b = n;
  c.late[1].a = c.late[1].b = n;
  for (int t = 0; t < steps; ++t) inc<<<4, 64>>>(x, c.c + n);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands around a declaration stays with it: attributes, constraints.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --barrier-scope=grid -- -std=c++20
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s

template <typename T>
concept Number = sizeof(T) >= 4;

//===--- Kernels --------------------------------------------------------------//

// CHECK: Kernels ---
// CHECK:      {{^}}template <typename T>
// CHECK-NEXT: {{^}}static __device__ __forceinline__ void constrained_step(
// CHECK:      {{^}}template <typename T>
// CHECK-NEXT: {{^}}  requires Number<T>
// CHECK-NEXT: {{^}}static __global__ void constrained(T *p, int by) {
template <typename T>
  requires Number<T>
static __global__ void constrained(T *p, int by) {
  p[blockIdx.x] += by;
}

// CHECK:      {{^}}static __device__ __forceinline__ void attributed_step({{.*}}
// CHECK:      {{^}}{{\[\[}}maybe_unused]] static __global__ void attributed(int *p, {{\[\[}}maybe_unused]] int by) {
[[maybe_unused]] static __global__ void attributed(int *p, [[maybe_unused]] int by) {
  ++p[blockIdx.x];
}

//===--- Functions ------------------------------------------------------------//

// CHECK:      {{^}}static __global__ void runConstrained_persistent({{.*}}
// CHECK:      {{^}}{{\[\[}}nodiscard]] int runConstrained(int *p, int n) {
[[nodiscard]] int runConstrained(int *p, int n) {
  for (int t = 0; t < n; ++t)
    constrained<<<4, 64>>>(p, t);
  return n;
}

// CHECK:      {{^}}static __global__ void runAttributed_persistent({{.*}}
// CHECK:      {{^}}/** Of those who call it. */
// CHECK-NEXT: {{^}}{{\[\[}}nodiscard, gnu::noinline, // not the kernel's
// CHECK-NEXT: {{^}}  other::attribute("]]", a[1])]] OWN
// CHECK-NEXT: {{^}}int runAttributed(int *p, int n) {
#define OWN [[deprecated("for a reason")]]
/** Of those who call it. */
[[nodiscard, gnu::noinline, // not the kernel's
  other::attribute("]]", a[1])]] OWN
int runAttributed(int *p, int n) {
  for (int t = 0; t < n; ++t)
    attributed<<<4, 64>>>(p, t);
  return n;
}

// The attributes above are the macro's.
// CHECK:      {{^}}#define OTHER {{\[\[}}nodiscard]]
// CHECK-NEXT: {{^}}/// The loop of runPlain() {{.*}}
#define OTHER [[nodiscard]]
int runPlain(int *p, int n) {
  for (int t = 0; t < n; ++t)
    attributed<<<4, 64>>>(p, t);
  return n;
}

//===--- Constants ------------------------------------------------------------//

consteval int twice(int n) { return 2 * n; }

// CHECK:      {{^}}static __global__ void runTwice_persistent({{.*}}
// CHECK:      {{^}}  for (int t = 0; t < twice(50); ++t) {
// CHECK-NEXT: {{^}}    attributed_step(blockIdx, p);
// CHECK:      {{^}}  for (int t = 0; t < twice(50); ++t)
// CHECK-NEXT: {{^}}    attributed<<<twice(2), 64>>>(p, twice(3));
void runTwice(int *p) {
  for (int t = 0; t < twice(50); ++t)
    attributed<<<twice(2), 64>>>(p, twice(3));
}

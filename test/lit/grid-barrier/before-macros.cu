// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that stand for nothing before a function, and for a part of it in
// another build: what is written stands before them.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: FileCheck --input-file=%t.cu %s
// RUN: %clang -fsyntax-only --cuda-host-only -nocudalib -Wno-unknown-cuda-version -std=c++17 -Wall -Wextra -Werror -I%project/runtime -D_CG_LIMIT_INCLUDED_DEPENDENCIES -DOTHER %t.cu

#ifdef OTHER
#define API static
#define KERNEL_API __attribute__((visibility("default")))
#define GENERIC template <typename T>
#define CALLED(x) [[maybe_unused]]
#else
#define API
#define KERNEL_API
#define GENERIC typedef int T;
#define CALLED(x)
#endif
#define NOTHING

KERNEL_API __global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] += 0.5f * (from[i - 1] + from[i + 1]);
}
// CHECK:      {{^}}__device__ __forceinline__ void relax_step(
// CHECK:      {{^}}KERNEL_API __global__ void relax(float *to, const float *from, int n) {

// CHECK:      {{^}}/// The loop of solve() as one launch
// CHECK-NEXT: {{^}}static __global__ void solve_persistent(
// CHECK:      {{^}}// Solves.
// CHECK-NEXT: {{^}}CALLED(1) {{\[\[}}maybe_unused]] API void solve(
// Solves.
CALLED(1) [[maybe_unused]] API void solve(float *a, float *b, int n) {
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

// CHECK:      {{^}}/// The loop of twoLines() as one launch
// CHECK:      {{^}}CALLED((1, 2))
// CHECK-NEXT: {{^}}NOTHING
// CHECK-NEXT: {{^}}static void twoLines(
CALLED((1, 2))
NOTHING
static void twoLines(float *a, float *b, int n) {
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

// It is all of a declaration here.
// CHECK-NOT:  {{^}}static __global__
GENERIC
inline void generic(float *a, float *b, int n) {
  for (; n > 64; n /= 2)
    relax<<<n / 64, 64>>>(a, b, n);
}

void use(float *a, float *b, int n) {
  solve(a, b, n);
  twoLines(a, b, n);
}

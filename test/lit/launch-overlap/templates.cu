// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in function templates: all instances have the same text, and each
// has to be able to.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=launch-overlap --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=WHY %s

// CHECK-LABEL: __global__ void relax(
// CHECK-NEXT: {{^}}  barricade::wait_for_previous_grid();
template <typename T> __global__ void relax(T *to, const T *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
// One instance of the host's template launches one that must stay.
template <typename T> __global__ void gather(T *to, const T *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
template <>
__global__ void gather<int>(int *to, const int *from) {
  to[threadIdx.x] = __ldg(&from[threadIdx.x]);
}

// CHECK-LABEL: void solve(
// CHECK-NEXT: {{^}}  barricade::OverlappedLaunches [[A:overlap[0-9]*]];
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; ++i) {
// CHECK-NEXT: {{^}}    [[A]].launch(relax<T>, 1, 32, 0, nullptr, a, b);
// CHECK-NEXT: {{^}}    [[A]].launch(relax<T>, 1, 32, 0, nullptr, b, a);
template <typename T> void solve(T *a, T *b, int n) {
  for (int i = 0; i < n; ++i) {
    relax<T><<<1, 32>>>(a, b);
    relax<T><<<1, 32>>>(b, a);
  }
}
void useSolve(float *a, double *b) {
  solve(a, a + 32, 3);
  solve(b, b + 32, 3);
}

// CHECK-LABEL: void mixed(
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; ++i) {
// CHECK-NEXT: {{^}}    relax<T><<<1, 32>>>(a, b);
// CHECK-NEXT: {{^}}    gather<T><<<1, 32>>>(b, a);
// WHY: :[[#@LINE+4]]:5: remark: launch cannot overlap the one before: the kernel reads memory
template <typename T> void mixed(T *a, T *b, int n) {
  for (int i = 0; i < n; ++i) {
    relax<T><<<1, 32>>>(a, b);
    gather<T><<<1, 32>>>(b, a);
  }
}
void useMixed(float *a, int *b) {
  mixed(a, a + 32, 3);
  mixed(b, b + 32, 3);
}

// Waits are for this rule to keep, and each branch is some instance's.
//
// CHECK-LABEL: void waits(
// CHECK-NEXT: {{^}}  barricade::OverlappedLaunches [[B:overlap[0-9]*]];
// CHECK: {{^}}    [[B]].launch(relax<float>, 1, 32, 0, nullptr, a, b + i);
template <bool Wait> void waits(float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    relax<float><<<1, 32>>>(a, b + i);
    if constexpr (Wait)
      cudaDeviceSynchronize();
  }
}
void useWaits(float *a) {
  waits<false>(a, a + 32, 3);
  waits<true>(a, a + 32, 3);
}

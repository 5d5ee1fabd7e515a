// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in function templates: all instances have the same text.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %rewrite-check %s %t.both.cu --rules=launch-overlap,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.both.cu | FileCheck --check-prefixes=BOTH %s
// RUN: %rewrite-check %s %t.20.cu --rules=launch-replay -- -std=c++20 -arch=sm_90

#include <cstdio>
#include <utility>

// BOTH-LABEL: __global__ void relax(
// BOTH-NEXT: {{^}}  barricade::wait_for_previous_grid();
template <typename T, int Block>
__global__ void relax(T *to, const T *from, int n) {
  int i = blockIdx.x * Block + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = (from[i - 1] + from[i + 1]) / 2;
}
template <typename T> __global__ void scale(T *a, T by) { a[threadIdx.x] *= by; }

// CHECK-LABEL: {{^}}void solve(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(steps);
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) {
// CHECK-NEXT: {{^}}    replay.launch(relax<T, Block>, (n + Block - 1) / Block, Block, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replay.flush();
// BOTH: {{^}}    replay.launch_overlapped(relax<T, Block>, (n + Block - 1) / Block, Block, 0, nullptr, a, b, n);
template <typename T, int Block>
void solve(T *a, T *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<T, Block><<<(n + Block - 1) / Block, Block>>>(a, b, n);
    std::swap(a, b);
  }
  cudaDeviceSynchronize();
}
template void solve<int, 64>(int *, int *, int, int);
void useSolve(float *a, double *b) {
  solve<float, 128>(a, a + 64, 64, 10);
  solve<double, 256>(b, b + 64, 64, 10);
}

// Values of the template's types.
//
// CHECK-LABEL: void scaled(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(n);
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; ++i) {
// CHECK-NEXT: {{^}}    replay.launch(scale<T>, 1, 32, 0, nullptr, a, factor);
// CHECK-NEXT: {{^}}    factor = factor * T(2) + T(1);
template <typename T> void scaled(T *a, T factor, int n) {
  for (int i = 0; i < n; ++i) {
    scale<T><<<1, 32>>>(a, factor);
    factor = factor * T(2) + T(1);
  }
}
void useScaled(float *a, double *b) {
  scaled(a, 0.5f, 3);
  scaled(b, 0.5, 3);
}

// Each branch is some instance's.
//
// CHECK-LABEL: void branches(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(n);
// CHECK-NEXT: {{^}}  for (int i = 0; i < n; ++i) {
// CHECK-NEXT: {{^}}    if constexpr (Print)
// CHECK-NEXT: {{^}}      printf("%d\n", i);
// CHECK-NEXT: {{^}}    replay.launch(scale<int>, 1, 32, 0, nullptr, a, i);
template <bool Print> void branches(int *a, int n) {
  for (int i = 0; i < n; ++i) {
    if constexpr (Print)
      printf("%d\n", i);
    scale<int><<<1, 32>>>(a, i);
  }
}
void useBranches(int *a) {
  branches<false>(a, 3);
  branches<true>(a, 3);
}

// A specialisation is a function of its own.
//
// CHECK-LABEL: void specialised(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(N);
// CHECK-LABEL: void specialised<4>(
// CHECK-NEXT: {{^}}  for (int i = 0; i < 4; ++i) {
template <int N> void specialised(int *a) {
  for (int i = 0; i < N; ++i)
    scale<int><<<1, 32>>>(a, i);
}
template <> void specialised<4>(int *a) {
  for (int i = 0; i < 4; ++i) {
    scale<int><<<1, 32>>>(a, i);
    cudaStreamQuery(nullptr);
  }
}
void useSpecialised(int *a) {
  specialised<3>(a);
  specialised<4>(a);
}

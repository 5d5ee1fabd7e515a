// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that a function calls by names of its own, or by none, where others
// have the name around it.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=WHY %s

struct Pair {
  int first, second;
};
Pair makePair(int n) { return {n, 7}; }
namespace {
struct Unnamed {
  int value;
};
} // namespace

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }

namespace outer {
struct Pair {
  int second, first;
};

// CHECK: void deduced_persistent(
// CHECK: {{[, ]}}::Pair pair) {
void deduced(int *p, int steps) {
  auto pair = ::makePair(steps);
  for (int t = 0; t < steps; ++t)
    add<<<4, 64>>>(p, pair.first);
}
// CHECK: void aliased_persistent(
// CHECK: {{[, ]}}::Pair pair) {
void aliased(int *p, int steps) {
  using Pair = ::Pair;
  Pair pair = ::makePair(steps);
  for (int t = 0; t < steps; ++t)
    add<<<4, 64>>>(p, pair.first);
}
// CHECK: void own_persistent(
// CHECK: {{[, ]}}Pair pair) {
void own(int *p, int steps, Pair pair) {
  for (int t = 0; t < steps; ++t)
    add<<<4, 64>>>(p, pair.first);
}
} // namespace outer

// CHECK: void unnamed_persistent(
// CHECK: {{[, ]}}Unnamed u) {
void unnamed(int *p, int steps) {
  auto u = Unnamed{steps};
  for (int t = 0; t < steps; ++t)
    add<<<4, 64>>>(p, u.value);
}

// CHECK-NOT: void hidden_persistent(
struct cell {
  int value;
};
struct cell cell(int value) { return {value}; }
void hidden(int *p, int steps) {
  auto c = cell(steps);
  for (int t = 0; t < steps; ++t)
    // WHY: :[[#@LINE+1]]:{{.*}}[local-name]
    add<<<4, 64>>>(p, c.value);
}

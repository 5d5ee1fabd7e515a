// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that are repeated by what has neither a keyword nor a launch of its
// own: by arrays, packs, the library's templates and templates that call
// themselves.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not="remark:" %s < %t.out

#include <cstdlib>
#include <memory>
#include <utility>

__global__ void add(int by) {}

struct Begins {
  int x;
  Begins() { add<<<4, 64>>>(1); }
  Begins(int by) { add<<<4, 64>>>(by); }
};
struct Ends {
  ~Ends() { add<<<4, 64>>>(1); }
};
struct Quiet {
  int x;
  Quiet(int x = 1) : x(x) {}
  ~Quiet() { x = 0; }
  bool operator<(const Quiet &other) const { return x < other.x; }
};

void byLibrary(int n) {
  // CHECK: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int t = 0; t < n; ++t)
    std::make_unique<Begins>(t);
  // CHECK: [host-statement]
  for (int t = 0; t < n; ++t)
    std::make_unique<Quiet>(t);
}
void arrays(int n) {
  // CHECK: :[[#@LINE+2]]:10: remark: repeated call of kernel launches cannot become
  // CHECK: [launch-of-array]
  Begins all[10];
  // CHECK: :[[#@LINE+2]]:3: remark: repeated call of kernel launches cannot become
  // CHECK: [launch-of-array]
  Ends ends[10];
  // CHECK: :[[#@LINE+2]]:21: remark: repeated call of kernel launches cannot become
  // CHECK: [launch-of-array]
  Begins some[10] = {1, 2};
  Begins one, listed[2] = {1, 2};
  Quiet quiet[10] = {1, 2};
}
// CHECK: :[[#@LINE+2]]:8: remark: repeated call of kernel launches cannot become
// CHECK: [launch-of-array]
Begins outside[10];

int compares(const void *, const void *) {
  add<<<4, 64>>>(1);
  return 0;
}
int comparesQuietly(const void *, const void *) { return 0; }
void launchOne() { add<<<4, 64>>>(1); }
void byCLibrary(int *p, int n) {
  // CHECK: :[[#@LINE+2]]:3: remark: repeated call of kernel launches cannot become
  // CHECK: [library-loop]
  qsort(p, n, sizeof(int), compares);
  qsort(p, n, sizeof(int), comparesQuietly);
  // CHECK: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int t = 0; t < n; ++t)
    atexit(launchOne);
  // CHECK: [launch-in-call]
  atexit(launchOne);
}

template <int N> void steps() {
  add<<<4, 64>>>(N);
  // CHECK: :[[#@LINE+3]]:5: remark: repeated call of kernel launches cannot become
  // CHECK: [recursive-launch]
  if constexpr (N > 0)
    steps<N - 1>();
}
void callsSteps() { steps<10>(); }
template <class F> void applies(F f) { f(); }
void nests(int n) {
  applies([&] { applies([&] { add<<<4, 64>>>(n); }); });
}

template <int... I> void folds(std::integer_sequence<int, I...>) {
  // CHECK: :[[#@LINE+2]]:4: remark: repeated call of kernel launches cannot become
  // CHECK: [launch-of-pack]
  (add<<<4, 64>>>(I), ...);
}
template <class... T> void expands(T... t) {
  // CHECK: :[[#@LINE+2]]:20: remark: repeated call of kernel launches cannot become
  // CHECK: [launch-of-pack]
  int dummy[] = {((add<<<4, 64>>>(t)), 0)...};
}
template <class... T> int sums(T... t) { return (t + ... + 0); }
void packs() {
  folds(std::make_integer_sequence<int, 10>());
  sums(1, 2, 3);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in what stands in no function: each place has a reason of each rule.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++20 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --check-prefixes=ALL,LOOP --implicit-check-not=remark --implicit-check-not=" can become" %s < %t.out
// RUN: %barricade --rules=launch-fusion --explain %s -- -std=c++20 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --check-prefixes=ALL,FUSION --implicit-check-not=remark --implicit-check-not=" can become" %s < %t.out
// RUN: %barricade --rules=launch-overlap --explain %s -- -std=c++20 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --check-prefixes=ALL,OVERLAP --implicit-check-not=remark --implicit-check-not=" can overlap" %s < %t.out

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }

int variable = [] {
  for (int t = 0; t < 10; ++t)
    add<<<4, 64>>>(nullptr, t);
  return 1;
}();
// LOOP: :[[#@LINE-4]]:3: remark: for loop of kernel launches cannot become
// LOOP: :[[#@LINE-5]]:3: note: {{.*}} [in-lambda]
// OVERLAP: :[[#@LINE-6]]:3: remark: launches cannot overlap

int argument(int n = [] {
  for (int t = 0; t < 10; ++t)
    add<<<4, 64>>>(nullptr, t);
  add<<<4, 64>>>(nullptr, 1);
  add<<<4, 64>>>(nullptr, 2);
  return 1;
}());
int callsArgument() { return argument(); }
// LOOP: :[[#@LINE-7]]:3: remark: for loop of kernel launches cannot become
// LOOP: :[[#@LINE-8]]:3: note: {{.*}} [in-lambda]
// FUSION: :[[#@LINE-9]]:3: remark: launch cannot be joined
// FUSION: :[[#@LINE-8]]:3: remark: launch cannot be joined
// OVERLAP: :[[#@LINE-11]]:3: remark: launches cannot overlap
// OVERLAP: :[[#@LINE-10]]:3: remark: launches cannot overlap

int list[] = {1, [] {
  for (int t = 0; t < 10; ++t)
    add<<<4, 64>>>(nullptr, t);
  return 1;
}()};
// LOOP: :[[#@LINE-4]]:3: remark: for loop of kernel launches cannot become
// LOOP: :[[#@LINE-5]]:3: note: {{.*}} [in-lambda]
// OVERLAP: :[[#@LINE-6]]:3: remark: launches cannot overlap

template <class T> T ofTemplate = [] {
  for (int t = 0; t < 10; ++t)
    add<<<4, 64>>>(nullptr, t);
  return T(1);
}();
int usesTemplate() { return ofTemplate<int> + ofTemplate<short>; }
// LOOP: :[[#@LINE-5]]:3: remark: for loop of kernel launches cannot become
// LOOP: :[[#@LINE-6]]:3: note: {{.*}} [host-template]
// LOOP: :[[#@LINE-7]]:3: note: {{.*}} [in-lambda]
// OVERLAP: :[[#@LINE-7]]:5: remark: launches cannot overlap

template <class T> struct InTemplate {
  T value = [] {
    for (int t = 0; t < 10; ++t)
      add<<<4, 64>>>(nullptr, t);
    return T(1);
  }();
};
int usesMember() { return InTemplate<int>().value; }
// LOOP: :[[#@LINE-6]]:5: remark: for loop of kernel launches cannot become
// LOOP: :[[#@LINE-7]]:5: note: {{.*}} [host-template]
// LOOP: :[[#@LINE-8]]:5: note: {{.*}} [in-lambda]
// OVERLAP: :[[#@LINE-8]]:7: remark: launches cannot overlap

struct Members {
  int value = [] {
    add<<<4, 64>>>(nullptr, 1);
    add<<<4, 64>>>(nullptr, 2);
    return 1;
  }();
  static inline int shared = [] {
    for (int t = 0; t < 10; ++t)
      add<<<4, 64>>>(nullptr, t);
    return 1;
  }();
};
int makesMembers() { return Members().value; }
// LOOP: :[[#@LINE-6]]:5: remark: for loop of kernel launches cannot become
// LOOP: :[[#@LINE-7]]:5: note: {{.*}} [in-lambda]
// FUSION: :[[#@LINE-13]]:5: remark: launch cannot be joined
// FUSION: :[[#@LINE-14]]:5: note: {{.*}} [in-lambda]
// OVERLAP: :[[#@LINE-15]]:5: remark: launches cannot overlap
// OVERLAP: :[[#@LINE-11]]:5: remark: launches cannot overlap

template <auto F> int call() { return F(); }
int callsTemplateArgument() {
  return call<[] {
    for (int t = 0; t < 10; ++t)
      add<<<4, 64>>>(nullptr, t);
    return 1;
  }>();
}
// LOOP: :[[#@LINE-5]]:5: remark: for loop of kernel launches cannot become
// LOOP: :[[#@LINE-6]]:5: note: {{.*}} [in-lambda]
// OVERLAP: :[[#@LINE-7]]:5: remark: launches cannot overlap

using OfType = decltype([] {
  for (int t = 0; t < 10; ++t)
    add<<<4, 64>>>(nullptr, t);
  return 1;
});
int callsType() { return OfType()(); }
// LOOP: :[[#@LINE-5]]:3: remark: for loop of kernel launches cannot become
// LOOP: :[[#@LINE-6]]:3: note: {{.*}} [in-lambda]
// OVERLAP: :[[#@LINE-7]]:3: remark: launches cannot overlap

// Nothing is repeated, or nothing launched.
int once = [] {
  add<<<4, 64>>>(nullptr, 1);
  return 1;
}();
int sum(int n = [] {
  int all = 0;
  for (int t = 0; t < 10; ++t)
    all += t;
  return all;
}()) { return n; }
__global__ void computes(int *p, int by) {
  const auto adds = [&] {
    for (int t = 0; t < by; ++t)
      p[t] += by;
  };
  adds();
}
// ALL-NOT: remark

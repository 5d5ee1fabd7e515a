// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs without a call between two launches, and what does not.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=not-verified --implicit-check-not=': warning:' %s < %t.out

#include <tuple>

__global__ void add(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}

int wait() {
  cudaDeviceSynchronize();
  return 1;
}
thread_local int late = wait();
extern thread_local int elsewhere;
int global;
int ofLate() { return late; }

// CHECK: :[[#@LINE+2]]:3: remark: launch cannot be joined with the next one
void readsLate(float *x, int n) {
  add<<<10, 64>>>(x, n);
  add<<<10, 64>>>(x, late);
}
// CHECK: :[[#@LINE+2]]:3: remark: launch cannot be joined with the next one
void readsElsewhere(float *x, int n) {
  add<<<10, 64>>>(x, n);
  add<<<10, 64>>>(x, elsewhere);
}
// CHECK: :[[#@LINE+2]]:3: remark: launch cannot be joined with the next one
void readsThroughCall(float *x, int n) {
  add<<<10, 64>>>(x, n);
  add<<<10, 64>>>(x, ofLate());
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches in a row can become one kernel
void readsGlobal(float *x, int n) {
  add<<<10, 64>>>(x, n);
  add<<<10, 64>>>(x, global);
}

// CHECK: :[[#@LINE+2]]:3: remark: launch cannot be joined with the next one
void computesLength(float *x, int n) {
  add<<<10, 64>>>(x, n);
  using A = int[wait() + 1];
  add<<<10, 64>>>(x, n);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches in a row can become one kernel
void namesType(float *x, int n) {
  add<<<10, 64>>>(x, n);
  using A = int[3];
  add<<<10, 64>>>(x, sizeof(A));
}

struct Base {
  virtual ~Base() {}
};
struct Derived : Base {
  int n;
};
// CHECK: :[[#@LINE+2]]:3: remark: launch cannot be joined with the next one
void mayThrow(float *x, int n, Base &b) {
  add<<<10, 64>>>(x, n);
  add<<<10, 64>>>(x, dynamic_cast<Derived &>(b).n);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches in a row can become one kernel
void cannotThrow(float *x, int n, Base &b) {
  add<<<10, 64>>>(x, n);
  add<<<10, 64>>>(x, static_cast<Derived &>(b).n);
}

struct Box {
  float *p;
  int n;
};
namespace std {
template <> struct tuple_size<Box> {
  static constexpr size_t value = 2;
};
template <size_t I> struct tuple_element<I, Box> {
  using type = int;
};
} // namespace std
template <size_t I> int get(const Box &b) { return wait() + b.n; }
int unpacks(const Box &b) {
  auto [p, m] = b;
  return 3;
}
struct Pair {
  int a, b;
};
int plainPair(const Pair &b) {
  auto [p, m] = b;
  return 3;
}
// CHECK: :[[#@LINE+2]]:3: remark: launch cannot be joined with the next one
void getsParts(float *x, int n, const Box &b) {
  add<<<10, 64>>>(x, n);
  add<<<10, 64>>>(x, unpacks(b));
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches in a row can become one kernel
void getsPlainParts(float *x, int n, const Pair &b) {
  add<<<10, 64>>>(x, n);
  add<<<10, 64>>>(x, plainPair(b));
}

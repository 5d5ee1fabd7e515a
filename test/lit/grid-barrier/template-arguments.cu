// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in templates whose arguments nvcc does not take for kernels: a new
// kernel would be a template of the same parameters.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='one persistent kernel' %s

#include <utility>

__global__ void add(float *x, const float *y, int n, float k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += y[n - 1 - i] * k;
}

// A lambda to be called behind the loop.
template <typename Callback>
void solve(float *u, float *v, int n, int steps, Callback done) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int t = 0; t < steps; ++t) {
    add<<<n / 64, 64>>>(u, v, n, t);
    std::swap(u, v);
  }
  done(u);
}
void solveAll(float *u, float *v) {
  solve(u, v, 1024, 1000, [](const float *) {});
}

// A type of a function.
template <class F> void local(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + int(sizeof(F)));
    std::swap(u, v);
  }
}
void useLocal(float *u, float *v) {
  struct Local {
    int a;
  };
  local<Local>(u, v, 64, 5);
}

// A private type, as an argument of another one's.
template <class T> struct Box {};
class Sim {
  struct Opt {
    float w;
  };

public:
  void go(float *u, float *v);
};
template <class O> void hidden(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + int(sizeof(O)));
    std::swap(u, v);
  }
}
void Sim::go(float *u, float *v) { hidden<Box<Opt *>>(u, v, 64, 5); }

// Addresses.
static int table[4];
template <int *P> void pointed(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i);
    std::swap(u, v);
  }
  P[0] = 1;
}
void usePointed(float *u, float *v) { pointed<table>(u, v, 64, 5); }
template <void (*Report)(int)> void told(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i);
    std::swap(u, v);
  }
  Report(k);
}
static void show(int) {}
void useTold(float *u, float *v) { told<show>(u, v, 64, 5); }

// What anybody may name.
namespace {
enum Kind { One, Two };
struct Tag {};
} // namespace
typedef struct {
  int a;
} Plain;
template <class T, Kind K, int N, class A, class B, class C>
void open(T *u, T *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: warning: {{.*}} one persistent kernel
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + int(K) + N);
    std::swap(u, v);
  }
}
void useOpen(float *u, float *v) {
  open<float, Two, 3, Box<Tag *>, Plain, int (*)(float &)>(u, v, 64, 5);
}

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

// Values of enumerations that no enumerator has, or one with other letters.
namespace flags {
enum Flags { Damped = 1, Forced = 2 };
enum class Art { Größe = 1, Breite };
} // namespace flags
template <flags::Flags F> void flagged(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + F);
    std::swap(u, v);
  }
}
void useFlagged(float *u, float *v) {
  flagged<flags::Damped>(u, v, 64, 5);
  flagged<flags::Flags(flags::Damped | flags::Forced)>(u, v, 64, 5);
}
template <flags::Flags F> void flaggedOnce(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: warning: {{.*}} can become one persistent kernel
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + F);
    std::swap(u, v);
  }
}
void useFlaggedOnce(float *u, float *v) {
  flaggedOnce<flags::Damped>(u, v, 64, 5);
  flaggedOnce<flags::Forced>(u, v, 64, 5);
}
template <flags::Art A> void large(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + int(A));
    std::swap(u, v);
  }
}
void useLarge(float *u, float *v) { large<flags::Art::Größe>(u, v, 64, 5); }
template <flags::Art A> void broad(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: warning: {{.*}} can become one persistent kernel
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + int(A));
    std::swap(u, v);
  }
}
void useBroad(float *u, float *v) { broad<flags::Art::Breite>(u, v, 64, 5); }

// An instance of a private template, and what is in one; a vector of GNU's.
class Solver {
  template <class T> struct Policy {
    struct Deep {};
    T w;
  };

public:
  void go(float *u, float *v);
};
typedef float Vector __attribute__((vector_size(16)));
template <class T> void ofPolicy(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + int(sizeof(T)));
    std::swap(u, v);
  }
}
template <class T> void ofDeep(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + int(sizeof(T)));
    std::swap(u, v);
  }
}
void Solver::go(float *u, float *v) {
  ofPolicy<Policy<int>>(u, v, 64, 5);
  ofDeep<Policy<int>::Deep>(u, v, 64, 5);
}
template <class T> void ofVector(float *u, float *v, int n, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop is in a template
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, i + int(sizeof(T)));
    std::swap(u, v);
  }
}
void useVector(float *u, float *v) { ofVector<Vector>(u, v, 64, 5); }

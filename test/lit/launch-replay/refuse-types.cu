// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are found by types, and types that another build may have others
// of: there a function may be called that waits for the launches.
//
// RUN: %barricade --rules=launch-replay --explain %s -- nvcc -std=c++17 > %t 2>&1
// RUN: FileCheck --implicit-check-not=warning: %s < %t
// RUN: %barricade --rules=launch-replay --explain %s -- nvcc -std=c++17 -DOTHER > %t-other 2>&1
// RUN: FileCheck --check-prefix=OTHER --implicit-check-not=warning: %s < %t-other
// OTHER-COUNT-10: cannot be replayed
#include <cuda_runtime.h>

struct Quiet {
  void tell() const {}
  void operator()() const {}
};
struct Loud {
  void tell() const { cudaDeviceSynchronize(); }
  void operator()() const { cudaDeviceSynchronize(); }
};
struct Number {
  int value;
};
inline Number operator+(Number a, int) {
  cudaDeviceSynchronize();
  return a;
}
inline void note(float) {}
inline void note(double) { cudaDeviceSynchronize(); }
template <typename T> struct Traits {
  static void after() {}
  static unsigned size() { return 32; }
};
template <> struct Traits<double> {
  static void after() { cudaDeviceSynchronize(); }
  static unsigned size() {
    cudaDeviceSynchronize();
    return 32;
  }
};
template <typename T> void hint(T) {}
template <> void hint<double>(double) { cudaDeviceSynchronize(); }
#ifdef OTHER
typedef double real;
typedef Loud policy;
typedef Number number;
#else
typedef float real;
typedef Quiet policy;
typedef int number;
#endif

template <typename T> __global__ void k(T *a) { a[threadIdx.x] += 1; }

// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-template]
template <typename T> void statics(T *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<T><<<1, 32>>>(a);
    Traits<T>::after();
  }
}
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-template]
template <typename T> void configurations(T *a, int n) {
  for (int i = 0; i < n; ++i)
    k<T><<<1, Traits<T>::size()>>>(a);
}
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-template]
template <typename P> void members(float *a, int n, P p) {
  for (int i = 0; i < n; ++i) {
    k<float><<<1, 32>>>(a);
    p.tell();
  }
}
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-template]
template <typename P> void functors(float *a, int n, P p) {
  for (int i = 0; i < n; ++i) {
    k<float><<<1, 32>>>(a);
    p();
  }
}
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-template]
template <typename T> void operators(float *a, int n, T x) {
  for (int i = 0; i < n; ++i) {
    k<float><<<1, 32>>>(a);
    x = x + 1;
  }
}
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-template]
template <typename T> void specialised(T *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<T><<<1, 32>>>(a);
    hint(T(1));
  }
}
void use(real *a, float *b, policy p, number x) {
  statics(a, 3);
  configurations(a, 3);
  members(b, 3, p);
  functors(b, 3, p);
  operators(b, 3, x);
  specialised(a, 3);
}

// The same in functions that are no templates.
//
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [other-build]
void plainStatics(real *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<real><<<1, 32>>>(a);
    Traits<real>::after();
  }
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [other-build]
void plainMembers(float *a, int n, policy p) {
  for (int i = 0; i < n; ++i) {
    k<float><<<1, 32>>>(a);
    p.tell();
  }
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [other-build]
void plainFunctors(float *a, int n, policy p) {
  for (int i = 0; i < n; ++i) {
    k<float><<<1, 32>>>(a);
    p();
  }
}
// CHECK: :[[#@LINE+2]]:3: note: {{.*}} [other-build]
void plainOverloads(float *a, int n, real x) {
  for (int i = 0; i < n; ++i) {
    k<float><<<1, 32>>>(a);
    note(x);
  }
}

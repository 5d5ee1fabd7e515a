// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in templates that stay as they are: an instance does something else,
// or may in another build.
//
// RUN: %barricade --rules=launch-replay --profit=any --edit-headers --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can be made' --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 -DMORE 2>&1 | FileCheck --check-prefix=MORE %s

#include "Inputs/template.cuh"
#include <cstdio>

template <typename T> __global__ void k(T *a) { a[threadIdx.x] += 1; }
template <typename T> __global__ void by(T *a, T value) {}
struct Owner {
  Owner(int) {}
  Owner(const Owner &);
};

// CHECK: template.cuh:{{.*}} [host-template]
void useHeader(float *a) { inHeader(a, 3); }

template <typename T> void never(T *a, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<T><<<1, 32>>>(a);
}

template <typename T> void deduced(T *a, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [kernel-name]
    k<<<1, 32>>>(a);
}
template void deduced(float *, int);

// One of them makes an object of a class.
template <typename T> void kept(T *a, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:25: note: {{.*}} [between]
    by<T><<<1, 32>>>(a, i);
}
void useKept(float *a, Owner *b) {
  kept(a, 3);
  kept(b, 3);
}

void quiet(float) {}
void quiet(double) { cudaDeviceSynchronize(); }
template <typename T> void loudForOne(T *a, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<T><<<1, 32>>>(a);
    quiet(T(1));
  }
}
void useLoudForOne(float *a, double *b) {
  loudForOne(a, 3);
  loudForOne(b, 3);
}

// No instance has the other overload, but it is there.
template <typename T> void loudForNone(T *a, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<T><<<1, 32>>>(a);
    quiet(T(1));
  }
}
void useLoudForNone(float *a) { loudForNone(a, 3); }

template <bool Wait> void leftOutByAll(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<float><<<1, 32>>>(a);
    if constexpr (Wait)
      cudaDeviceSynchronize();
  }
}
void useLeftOutByAll(float *a) { leftOutByAll<false>(a, 3); }

template <bool Wait> void leftOutByOne(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [host-template]
  for (int i = 0; i < n; ++i) {
    k<float><<<1, 32>>>(a);
    if constexpr (Wait)
      cudaDeviceSynchronize();
  }
}
void useLeftOutByOne(float *a) {
  leftOutByOne<false>(a, 3);
  leftOutByOne<true>(a, 3);
}

template <bool Twice> void launchLeftOut(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<float><<<1, 32>>>(a);
    if constexpr (Twice)
      k<float><<<1, 32>>>(a + 1);
  }
}
void useLaunchLeftOut(float *a) { launchLeftOut<false>(a, 3); }

template <int N> void launchesDiffer(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<float><<<1, 32>>>(a);
    if constexpr (N > 1)
      k<float><<<1, 32>>>(a + 1);
  }
}
void useLaunchesDiffer(float *a) {
  launchesDiffer<1>(a, 3);
  launchesDiffer<2>(a, 3);
}

// A hint of how often the loop runs can be given for one of them only.
template <typename I> void countsDiffer(float *a, I n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [host-template]
  for (I i = 2; i < n; ++i)
    k<float><<<1, 32>>>(a + i);
}
void useCountsDiffer(float *a) {
  countsDiffer(a, 3);
  countsDiffer(a, 3ul);
  countsDiffer(a, 3l);
}

template <typename T> void inOtherBuild(T *a, int n) {
  // MORE: :[[@LINE+1]]:3: warning: launches in a loop can be made
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<T><<<1, 32>>>(a);
}
template void inOtherBuild(float *, int);
#ifdef MORE
template void inOtherBuild(double *, int);
#endif

template <typename T> void byUser(T *a, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [host-template]
    k<T><<<1, 32>>>(a);
}
template <typename T> struct User {
  static void call(T *a) { byUser(a, 3); }
};
#define CALL(T) User<T>::call(nullptr)
void useUser() {
  CALL(float);
#ifdef MORE
  CALL(double);
#endif
}

template <int N> struct Size {
  static constexpr int Value = N;
};
#ifdef MORE
template <> struct Size<1> {
  static constexpr int Value = 2;
};
#endif
template <int N> void chosen(float *a, int n) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [other-build]
  for (int i = 0; i < n; ++i)
    k<float><<<1, Size<N>::Value>>>(a + i);
}
void useChosen(float *a) { chosen<1>(a, 3); }

template <typename T> struct Class {
  T *a;
  void member(int n) {
    for (int i = 0; i < n; ++i)
      // CHECK: :[[@LINE+1]]:7: note: {{.*}} [host-template]
      k<T><<<1, 32>>>(a);
  }
};
template struct Class<float>;

// An instance of a lambda's, in no function.
static int initialised = [](auto *a) {
  // CHECK: :[[@LINE+1]]:3: note: {{.*}} [no-place]
  for (int i = 0; i < 3; ++i)
    k<float><<<1, 32>>>(a + i);
  return 0;
}(static_cast<float *>(nullptr));

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another build may have a specialisation of a template that decides how often
// a thread comes to a loop. Between what it may have, near misses.
//
// RUN: %barricade --explain --min-memory-ratio=0 --rules=artificial-barrier %s -- -std=c++17 -arch=sm_80 2>&1 | FileCheck --implicit-check-not=warning: --implicit-check-not='{{\[preprocessor]}}' %s

template <int V> struct Bound {
  __device__ static int get(int n) { return n; }
};
template <class T> struct Member {
  __device__ static int get(int n) { return n; }
};
template <class T> struct Partial {
  __device__ static int get(int n) { return n; }
};
template <class T> struct Trait {
  static constexpr bool IsWide = false;
};
template <class T> struct Same {
  __device__ static int get(int n) { return n; }
};
template <> struct Same<float> {
  __device__ static int get(int n) { return n - 1; }
};
#ifdef OLD
template <> struct Bound<2> {
  __device__ static int get(int n) { return n + threadIdx.x; }
};
template <> int Member<int>::get(int n) { return n + threadIdx.x; }
template <class T> struct Partial<T *> {
  __device__ static int get(int n) { return n + threadIdx.x; }
};
template <> struct Trait<int> {
  static constexpr bool IsWide = true;
};
template <class T> struct Other {
  __device__ static int get(int n) { return Same<T>::get(n); }
};
#endif
template <class T> __device__ int wide(int n) {
  if constexpr (Trait<T>::IsWide)
    return n + threadIdx.x;
  else
    return n;
}

__global__ void special(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:11: note: {{.*}} [preprocessor]
  int b = Bound<2>::get(n);
  for (int k = 0; k < b; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void member(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:11: note: {{.*}} [preprocessor]
  int b = Member<int>::get(n);
  for (int k = 0; k < b; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void partial(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:11: note: {{.*}} [preprocessor]
  int b = Partial<int *>::get(n);
  for (int k = 0; k < b; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void trait(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:11: note: {{.*}} [preprocessor]
  int b = wide<int>(n);
  for (int k = 0; k < b; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

// What names it without declaring anything of it, and what all builds have.
__global__ void same(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  int b = Same<float>::get(n);
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < b; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

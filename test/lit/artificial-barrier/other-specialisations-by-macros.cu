// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A macro may specialise any template: its name may be pasted.
//
// RUN: %barricade --explain --min-memory-ratio=0 --rules=artificial-barrier %s -- -std=c++17 -arch=sm_80 2>&1 | FileCheck --implicit-check-not=warning: --implicit-check-not='{{\[preprocessor]}}' %s

#define SPECIALISE(T)                                                          \
  template <> struct ByMacro<T> {                                              \
    __device__ static int get(int n) { return n + threadIdx.x; }               \
  };
template <class T> struct ByMacro {
  __device__ static int get(int n) { return n; }
};
#ifdef OLD
SPECIALISE(int)
#endif

// Instances are no specialisations.
#define INSTANCE(T) template int ByMacro<T>::get(int);
#ifdef OLD
INSTANCE(long)
#endif

__global__ void byMacro(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:11: note: {{.*}} [preprocessor]
  int b = ByMacro<int>::get(n);
  for (int k = 0; k < b; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

__global__ void plain(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: warning: memory-bound
  for (int k = 0; k < n; ++k) {
    s += a[k * 64 + t] * a[k];
  }
  out[t] = s;
}

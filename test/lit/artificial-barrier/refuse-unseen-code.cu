// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that cannot be followed.
//
// RUN: %barricade --explain %s 2>&1 | FileCheck --implicit-check-not=warning: %s

__device__ int count(int n) { return n <= 0 ? 0 : 1 + count(n - 1); }
__global__ void recursion(const float *a, float *out, int n) {
  // CHECK: :[[#@LINE-1]]:17: note: {{.*}} [unanalysable]
  float s = 0;
  n = count(n);
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

template <typename F> __device__ float apply(F f, int n) { return f(n); }
__global__ void lambda(const float *a, float *out, int n) {
  out[threadIdx.x] = apply(
      [=](int m) {
        float s = 0;
        for (int k = 0; k < m; ++k)
          // CHECK: :[[#@LINE-1]]:9: note: {{.*}} [in-lambda]
          out[k * 64 + threadIdx.x] = s += a[k * 64 + threadIdx.x];
        return s;
      },
      n);
}

extern __device__ int elsewhere(int n);
__global__ void externCall(const float *a, float *out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s + elsewhere(n);
  // CHECK: :[[#@LINE-1]]:26: note: {{.*}} [unknown-call]
}

__global__ void pointerCall(const float *a, float *out, int n, int (*f)(int)) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x] * f(k);
  // CHECK: :[[#@LINE-1]]:36: note: {{.*}} [unknown-call]
  out[threadIdx.x] = s;
}

struct Shape {
  __device__ virtual int area(int n) { return n; }
};
__global__ void virtualCall(const float *a, float *out, int n, Shape *shape) {
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s + shape->area(n);
  // CHECK: :[[#@LINE-1]]:26: note: {{.*}} [unknown-call]
}

__device__ int throughOne(int n) { return elsewhere(n); }
// CHECK: :[[#@LINE+5]]:3: remark: for loop cannot take
// CHECK: :[[#@LINE-2]]:43: note: {{.*}} [unknown-call]
__global__ void throughVisible(const float *a, float *out, int n) {
  float s = 0;
  int m = throughOne(n);
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s + m;
}

// What is given global memory may be all that reads it.
extern __device__ float load(const float *at);
extern __device__ float same(const float &value);
extern __device__ float value(float value);
__global__ void passesPointer(const float *a, float *out, int n) {
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    s += load(a + k * 64 + threadIdx.x);
  // CHECK: :[[#@LINE-1]]:10: note: {{.*}} [unknown-call]
  out[threadIdx.x] = s;
}
__device__ float passesOn(const float *at) { return load(at); }
__global__ void passesReference(const float *a, float *out, int n) {
  float s = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    s += same(a[k * 64 + threadIdx.x]);
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    s += passesOn(&a[k]);
  out[threadIdx.x] = s;
}
__global__ void asksObject(float *out, int n, Shape *shape) {
  int s = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    s += shape->area(k);
  out[threadIdx.x] = s;
}

// Nothing global is given, and nothing read.
// CHECK-NOT: :[[#@LINE+4]]:3: remark:
// CHECK-NOT: :[[#@LINE+6]]:3: remark:
__global__ void passesOwn(float *out, int n) {
  float s = 0, mine[4] = {};
  for (int k = 0; k < n; ++k)
    s += value(s);
  __shared__ float ours[64];
  for (int k = 0; k < n; ++k)
    s += load(mine) + load(ours);
  out[threadIdx.x] = s;
}

// Nothing is known of T.
template <typename T> __global__ void pattern(const T *a, T *out, int n) {
  // CHECK: :[[#@LINE-1]]:39: note: {{.*}} [uninstantiated-template]
  T s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  out[threadIdx.x] = s;
}

template <typename T> struct Holder {
  static __device__ T sum(const T *a, int n) {
    // CHECK: :[[#@LINE-1]]:23: note: {{.*}} [uninstantiated-template]
    T s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + threadIdx.x];
    return s;
  }
};

// CHECK: 12 findings in 1 file: 12 refused

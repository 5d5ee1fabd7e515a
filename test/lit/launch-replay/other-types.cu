// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a number here may be of a class where macros are set otherwise, whose
// functions wait for the device.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=' error: ' --implicit-check-not='can be made' %s < %t.out

struct Traced {
  int v;
  Traced(int x) : v(x) {}
  ~Traced() { cudaDeviceSynchronize(); }
  operator int() const { return v; }
};
#ifdef DEBUG
typedef Traced number;
#else
typedef int number;
#endif
struct Kept {
  int v;
#ifdef DEBUG
  ~Kept() { cudaDeviceSynchronize(); }
#endif
};
__global__ void k(float *a, int n) { a[threadIdx.x] += n; }
template <typename T> __global__ void kt(float *a, T n) { a[threadIdx.x] += n; }

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void made(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    number by = 2;
    k<<<1, 32>>>(a, by);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void destroyed(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    Kept by{2};
    k<<<1, 32>>>(a, by.v);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void converted(float *a, int n, number by) {
  for (int i = 0; i < n; ++i)
    k<<<1, 32>>>(a, by);
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
template <typename T> void argument(float *a, int n, T by) {
  for (int i = 0; i < n; ++i)
    kt<T><<<1, 32>>>(a, by);
}
template void argument<number>(float *, int, number);

#ifdef DEBUG
Traced some(1);
#else
int some = 1;
#endif

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void elsewhere(float *a, int n) {
  for (int i = 0; i < n; ++i)
    k<<<1, 32>>>(a, some);
}

#ifdef DEBUG
inline cudaError_t cudaMemset(float *a, int, size_t) {
  return cudaDeviceSynchronize();
}
#endif

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void overloaded(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMemset(a, 0, 4);
    k<<<1, 32>>>(a, i);
  }
}

// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made many at a time
template <typename T> void pointed(T *a, int n) {
  for (int i = 0; i < n; ++i)
    k<<<1, 32>>>(a, i);
}
template void pointed<float>(float *, int);

#ifdef LARGE
typedef long large;
#else
typedef int large;
#endif

// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made many at a time
void numbers(float *a, large n) {
  for (large i = 0; i < n; ++i)
    k<<<1, 32>>>(a, (int)n);
}

#ifdef LARGE
constexpr int block = 64;
#else
constexpr int block = 32;
#endif

// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made many at a time
void constants(float *a, int n) {
  for (int i = 0; i < n; ++i)
    k<<<1, block>>>(a, i);
}

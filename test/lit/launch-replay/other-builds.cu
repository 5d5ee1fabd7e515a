// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for nothing here may wait for the device where macros are set
// otherwise, before launches that are held back. Numbers may be other ones.
//
// RUN: %barricade --rules=launch-replay --explain %s -- nvcc -std=c++17 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=' error: ' %s < %t.out
// RUN: %barricade --rules=launch-overlap --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=OVERLAP %s

__global__ void k(float *a) { a[threadIdx.x] += 1; }

#ifdef DEBUG
#define CHECK_ERROR() cudaDeviceSynchronize()
inline void check() { cudaDeviceSynchronize(); }
#else
#define CHECK_ERROR()
inline void check() {}
#endif

// CHECK: :[[@LINE+3]]:3: note: {{.*}} [other-build]
// OVERLAP: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void macro(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    CHECK_ERROR();
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void function(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, 32>>>(a);
    check();
  }
}

inline int next(int i) {
#ifdef DEBUG
  cudaDeviceSynchronize();
#endif
  return i + 1;
}
inline int after(int i) { return next(i); }

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void deeper(float *a, int n) {
  for (int i = 0; i < n; i = after(i))
    k<<<1, 32>>>(a);
}

// For more, or less, than one argument.
#ifdef STREAMS
#define ON , 0, stream
#else
#define ON
#endif

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void configuration(float *a, int n) {
  for (int i = 0; i < n; ++i)
    k<<<1, 32 ON>>>(a);
}

#ifdef DEBUG
#define step(i) (cudaDeviceSynchronize(), (i) + 1)
#endif
inline int step(int i) { return i + 1; }

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void leftOut(float *a, int n) {
  for (int i = 0; i < n; i = step(i))
    k<<<1, 32>>>(a);
}

//===--- The same everywhere ----------------------------------------------===//

#ifndef BLOCK
#define BLOCK 256
#endif
#define HALF(x) ((x) / 2)
#define CHECK_LAST() (void)cudaGetLastError()

// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made many at a time
void numbers(float *a, int n) {
  for (int i = 0; i < n; ++i) {
    k<<<1, HALF(BLOCK)>>>(a);
    CHECK_LAST();
  }
}

inline int plain(int i) { return i + 1; }

// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made many at a time
void functions(float *a, int n) {
  for (int i = 0; i < n; i = plain(i))
    k<<<1, 32>>>(a);
}

// Under the same condition.
#ifdef __CUDACC__
#define SCALED(x) ((x) * 2)
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made many at a time
void together(float *a, int n) {
  for (int i = 0; i < n; ++i)
    k<<<1, 32>>>(a);
}
#endif

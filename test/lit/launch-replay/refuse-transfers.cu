// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sets or copies memory between launches and cannot be held back: the
// host's memory is read or written, or no other function can be named.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can be made' --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=launch-overlap --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=OVERLAP --implicit-check-not='could overlap' --implicit-check-not=' error: ' %s

#include <cstdio>

__global__ void k(int *x) { x[threadIdx.x] += 1; }

void kinds(int *x, int *y, int *host, int n, cudaMemcpyKind kind) {
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaMemcpy(x, host, 128, cudaMemcpyHostToDevice);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaMemcpy(host, x, 128, cudaMemcpyDeviceToHost);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaMemcpy(y, x, 128, cudaMemcpyDefault);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaMemcpyAsync(y, x, 128, kind);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaMemset2D(x, 32, 0, 16, 8);
  }
}

#define CLEAR(x) cudaMemset(x, 0, 128)
#define ONLY(call) (void)(call)
#define TOLD(call) puts(#call), (void)(call)
#define TEXT(call) #call
#define PASSED(call) puts(TEXT(call)), ONLY(call)
#define SET cudaMemset
#ifdef HOST
#define SAME cudaMemcpyDeviceToHost
#else
#define SAME cudaMemcpyDeviceToDevice
#endif
inline void clear(int *x) { cudaMemset(x, 0, 128); }
inline auto set = cudaMemset;

void names(int *x, int *y, int n) {
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    CLEAR(x);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [between]
    ONLY(CLEAR(x));
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [in-macro]
    TOLD(cudaMemset(x, 0, 128));
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:{{[0-9]+}}: note: {{.*}} [in-macro]
    PASSED(cudaMemset(x, 0, 128));
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    SET(x, 0, 128);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    cudaMemcpy(y, x, 128, SAME);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    clear(x);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    set(x, 0, 128);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    (cudaMemset)(x, 0, 128);
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:5: note: {{.*}} [between]
    ::SET(x, 0, 128);
  }
}

int *bins;
struct Sets {
  int error = cudaMemset(bins, 0, 4);
};
inline int given(int error = cudaMemset(bins, 0, 4)) { return error; }

void defaults(int *x, int n) {
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :[[@LINE+1]]:14: note: {{.*}} [between]
    Sets own{};
  }
  for (int t = 0; t < n; ++t) {
    k<<<1, 32>>>(x);
    // CHECK: :{{.*}}: note: {{.*}} [between]
    (void)given();
  }
}

// OVERLAP: :[[@LINE+2]]:3: remark: {{.*}} [barricade-launch-overlap]
void within(int *x, int n) {
  for (int t = 0; t < n; ++t)
    // CHECK: :[[@LINE+1]]:12: note: {{.*}} [argument]
    k<<<1, 32 + cudaMemset(x, 0, 128)>>>(x);
}

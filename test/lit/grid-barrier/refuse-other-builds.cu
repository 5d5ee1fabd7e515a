// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the text of a loop stands for where macros are set otherwise: a kernel
// could not run it, or it would have another stream.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=' error: ' %s

__global__ void k1(float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i] + b[i + 1];
}
__global__ void k2(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] + a[i + 1];
}

#ifdef DEBUG
#define CHECK_ERROR()                                                          \
  do {                                                                         \
    if (cudaDeviceSynchronize())                                               \
      throw 1;                                                                 \
  } while (0)
#define ON , 0, stream
#define NEXT(i) ((i) + 2)
#else
#define CHECK_ERROR()
#define ON
#define NEXT(i) ((i) + 1)
#endif
#define AFTER(i) ((i) + 1)
#ifndef BLOCK
#define BLOCK 128
#endif

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void checks(float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    k1<<<4, 64>>>(a, b);
    CHECK_ERROR();
    k2<<<4, 64>>>(a, b);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void streams(float *a, float *b, int n, cudaStream_t stream) {
  for (int i = 0; i < n; ++i) {
    k1<<<4, 64 ON>>>(a, b);
    k2<<<4, 64 ON>>>(a, b);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void counts(float *a, float *b, int n) {
  for (int i = 0; i < n; i = NEXT(i)) {
    k1<<<4, 64>>>(a, b);
    k2<<<4, 64>>>(a, b);
  }
}

// The same everywhere, and numbers.
//
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can become one persistent kernel
void same(float *a, float *b, int n) {
  for (int i = 0; i < n; i = AFTER(i)) {
    k1<<<4, BLOCK>>>(a, b);
    k2<<<4, BLOCK>>>(a, b);
  }
}

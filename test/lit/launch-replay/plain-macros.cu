// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that may be something else in another build, and change nothing of
// what is launched when. Between them, near misses.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

#include <cstdio>
#include <cstdlib>
#include <utility>

#ifdef USE_DOUBLE
#define REAL double
#else
#define REAL float
#endif
struct Pair {
  float x, y;
  operator float() const;
};
#ifdef USE_PAIRS
#define NUMBER Pair
#else
#define NUMBER float
#endif

__global__ void heat(REAL *out, const REAL *in, int n, REAL by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] += by * (in[i - 1] - 2 * in[i] + in[i + 1]);
}

// CHECK: :[[@LINE+2]]:3: warning: launches in a loop can be made
void ofType(REAL *a, REAL *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<(n + 255) / 256, 256>>>(b, a, n, (REAL)0.1);
    REAL *last = a;
    a = b;
    b = last;
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void ofClass(REAL *a, REAL *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    NUMBER by = {};
    heat<<<(n + 255) / 256, 256>>>(b, a, n, by);
    std::swap(a, b);
  }
}

#ifndef ENSURE
#define ENSURE(call)                                                           \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      printf("%s\n", cudaGetErrorString(error));                               \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#endif
#ifndef REQUIRE
#define REQUIRE(call) ENSURE(call)
#endif
#ifdef QUIET
#define MUST(call)
#endif
#ifndef MUST
#define MUST(call) ENSURE(call)
#endif
#ifndef TRY
#define TRY(call) MUST(call)
#endif

// CHECK: :[[@LINE+2]]:3: warning: launches in a loop can be made
void isGuarded(REAL *a, REAL *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<(n + 255) / 256, 256>>>(b, a, n, 1);
    ENSURE(cudaGetLastError());
    REQUIRE(cudaGetLastError());
    std::swap(a, b);
  }
}

// A command line may drop the check that would make what is held back.
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void waits(REAL *a, REAL *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<(n + 255) / 256, 256>>>(b, a, n, 1);
    ENSURE(cudaDeviceSynchronize());
    std::swap(a, b);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void isDefinedTwice(REAL *a, REAL *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<(n + 255) / 256, 256>>>(b, a, n, 1);
    MUST(cudaGetLastError());
    std::swap(a, b);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void namesSuch(REAL *a, REAL *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<(n + 255) / 256, 256>>>(b, a, n, 1);
    TRY(cudaGetLastError());
    std::swap(a, b);
  }
}

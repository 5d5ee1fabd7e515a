// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that another build may give another meaning: by a macro that it defines
// before this file does, or for a keyword.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=' error: ' %s

#include <cstdio>

__global__ void add(float *to, int by) { to[threadIdx.x] += by; }

#ifndef LOG
#define LOG printf
#endif
#define LOG_STEP(step) LOG("%d", step)
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void logs(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x, 1);
    LOG("%d", s);
  }
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void logsByMacro(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x, 1);
    LOG_STEP(s);
  }
}

#ifndef BLOCK_SIZE
#define BLOCK_SIZE 256
#endif
#ifndef REAL
#define REAL float
#endif
#ifndef INDEX
typedef long Index;
#define INDEX Index
#endif
#define PRINT printf
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void numbers(float *x, REAL by) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, BLOCK_SIZE>>>(x, int(REAL(2) + INDEX(3)));
    PRINT("%d", s);
  }
}

#ifdef WEAK
#define inline __attribute__((weak))
#endif
inline void tickInline() {}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void ofInline(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x, 1);
    tickInline();
  }
}

#ifdef WEAK
#define static extern __attribute__((weak))
#endif
static void tickStatic() {}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void ofStatic(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x, 1);
    tickStatic();
  }
}

#ifdef OLD
#define constexpr
#define nullptr 0
#define noexcept throw()
#endif
constexpr void tickConstant() noexcept {}
// CHECK: :[[@LINE+2]]:3: warning: launches in a loop
void ofConstant(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x, 1);
    tickConstant();
    if (x == nullptr)
      break;
  }
}

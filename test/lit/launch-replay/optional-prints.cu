// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directives among launches, around what only prints in the builds that have
// it. Between them, near misses.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -DDEBUG -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

#include <cstdio>
#include <utility>

__global__ void heat(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] += in[i - 1] - 2 * in[i] + in[i + 1];
}
inline int twice(int n) { return 2 * n; }

// CHECK: :[[@LINE+2]]:3: warning: launches in a loop can be made
void prints(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
#ifdef DEBUG
    printf("step %d of %d\n", step, (int)steps);
#endif
    heat<<<n / 256, 256>>>(b, a, n);
    std::swap(a, b);
#if defined(DEBUG)
    if (step % 10 == 0 && (step > 3))
      printf("%g\n", 100.0 * step / steps);
    puts("next");
#endif
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [preprocessor]
void calls(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<n / 256, 256>>>(b, a, n);
    std::swap(a, b);
#ifdef DEBUG
    printf("%d\n", twice(step));
#endif
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [preprocessor]
void changes(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<n / 256, 256>>>(b, a, n);
    std::swap(a, b);
#ifdef DEBUG
    printf("%d\n", n--);
#endif
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [{{preprocessor|other-build}}]
void goesOn(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
#ifdef DEBUG
    if (step % 2)
#endif
    heat<<<n / 256, 256>>>(b, a, n);
    std::swap(a, b);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [preprocessor]
void other(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<n / 256, 256>>>(b, a, n);
#ifdef DEBUG
    puts("a");
#else
    puts("b");
#endif
    std::swap(a, b);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [preprocessor]
void within(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<n / 256, 256>>>(b, a,
#ifdef DEBUG
    n + 0 *
#endif
    n);
    std::swap(a, b);
  }
}

// CHECK: :[[@LINE+2]]:3: note: {{.*}} [preprocessor]
void waits(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    heat<<<n / 256, 256>>>(b, a, n);
    cudaDeviceSynchronize();
    std::swap(a, b);
#ifdef NEVER
    puts("a");
#endif
  }
}

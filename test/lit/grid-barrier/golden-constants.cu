// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is named by a constant of the function's own: outside of that
// its number stands for it.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier -- -std=c++17
// RUN: grep -vE '^// ' %t.cu | FileCheck %s
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=REFUSED %s
#include <utility>

#ifndef WIDTH
#define WIDTH 64
#endif
#define STANDARD (__cplusplus / 100)
template <typename T, int Block>
__global__ void shift(T *to, const T *from, int n) {
  int i = blockIdx.x * Block + threadIdx.x;
  if (i > 0 && i < n)
    to[i] = from[i - 1];
}
template <auto Block> __global__ void divide(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x + 1] / Block;
}
template <typename T, T By> __global__ void add(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x + 1] + By;
}

// CHECK: {{^}}    shift_step<float, 64>(blockIdx, x, y, n);
// CHECK: {{^}}    shift<float, threads><<<blocks, threads>>>(x, y, n);
void numbers(float *x, float *y, int n, int steps) {
  const int threads = 64;
  const int blocks = (n + threads - 1) / threads;
  for (int t = 0; t < steps; ++t) {
    shift<float, threads><<<blocks, threads>>>(x, y, n);
    std::swap(x, y);
  }
}

// CHECK: {{^}}    shift_step<float, 128>(blockIdx, x, y, n);
void computed(float *x, float *y, int n, int steps) {
  constexpr unsigned half = 64, block = 2 * half;
  for (int t = 0; t < steps; ++t) {
    shift<float, block><<<n / block, block>>>(x, y, n);
    std::swap(x, y);
  }
}

//===--- Where it would not be the same -------------------------------------===//

// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void ofBuild(float *x, float *y, int n, int steps) {
  constexpr int width = WIDTH;
  for (int t = 0; t < steps; ++t) {
    shift<float, width><<<n / 64, 64>>>(x, y, n);
    std::swap(x, y);
  }
}
// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void ofStandard(float *x, float *y, int n, int steps) {
  constexpr int width = __cplusplus / 100;
  for (int t = 0; t < steps; ++t) {
    shift<float, width><<<n / 64, 64>>>(x, y, n);
    std::swap(x, y);
  }
}
// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void ofToolkit(float *x, float *y, int n, int steps) {
  constexpr int width = CUDART_VERSION / 1000;
  for (int t = 0; t < steps; ++t) {
    shift<float, width><<<n / 64, 64>>>(x, y, n);
    std::swap(x, y);
  }
}
// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void ofOwnMacro(float *x, float *y, int n, int steps) {
  constexpr int width = STANDARD;
  for (int t = 0; t < steps; ++t) {
    shift<float, width><<<n / 64, 64>>>(x, y, n);
    std::swap(x, y);
  }
}
// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void ofCompiler(float *x, float *y, int n, int steps) {
  constexpr int width = __GNUC__ * 8;
  for (int t = 0; t < steps; ++t) {
    shift<float, width><<<n / 64, 64>>>(x, y, n);
    std::swap(x, y);
  }
}
// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void deduced(float *x, float *y, int steps) {
  constexpr unsigned width = 64;
  for (int t = 0; t < steps; ++t) {
    divide<width><<<1, 64>>>(x, y);
    std::swap(x, y);
  }
}
// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void ofType(float *x, float *y, int steps) {
  constexpr unsigned by = 3;
  for (int t = 0; t < steps; ++t) {
    add<unsigned, by><<<1, 64>>>(x, y);
    std::swap(x, y);
  }
}
// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void partOf(float *x, float *y, int n, int steps) {
  constexpr int half = 32;
  for (int t = 0; t < steps; ++t) {
    shift<float, half * 2><<<n / 64, 64>>>(x, y, n);
    std::swap(x, y);
  }
}
// REFUSED-DAG: :[[#@LINE+4]]:{{.*}} [local-name]
void ofLoop(float *x, float *y, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    constexpr int block = 64;
    shift<float, block><<<n / 64, 64>>>(x, y, n);
    std::swap(x, y);
  }
}

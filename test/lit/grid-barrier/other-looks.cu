// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop leaves in its variables, though only another build looks at it.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier
// RUN: grep -vE '^ *//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=grid-barrier,launch-replay --profit=any --explain %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=WHY %s

#include <cstdio>
#include <utility>

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

#ifdef VERBOSE
#define LOG(...) printf(__VA_ARGS__)
#define SHOW() printf("%d\n", step)
#define TELL(x) printf("%d\n", x)
#else
#define TELL(x) x = 0
#define LOG(...)
#define SHOW()
#endif

// CHECK-LABEL: void isLogged(
// CHECK: == cudaSuccess) {
// CHECK-NEXT: {{^}}      for (; step < steps; ++step) {
void isLogged(float *a, float *b, int n, int steps) {
  int step = 0;
  for (; step < steps; ++step) {
    relax<<<n / 64, 64>>>(a, b, n);
    std::swap(a, b);
  }
  LOG("%d steps\n", step);
}

// CHECK-LABEL: void isNamedByMacro(
// CHECK: == cudaSuccess) {
// CHECK-NEXT: {{^}}      for (; step < steps; ++step) {
void isNamedByMacro(float *a, float *b, int n, int steps) {
  int step = 0;
  for (; step < steps; ++step) {
    relax<<<n / 64, 64>>>(a, b, n);
    std::swap(a, b);
  }
  SHOW();
}

// CHECK-LABEL: void isSetHere(
// CHECK: == cudaSuccess) {
// CHECK-NEXT: {{^}}      for (; step < steps; ++step) {
void isSetHere(float *a, float *b, int n, int steps) {
  int step = 0;
  for (; step < steps; ++step) {
    relax<<<n / 64, 64>>>(a, b, n);
    std::swap(a, b);
  }
  TELL(step);
}

// CHECK-LABEL: float isKept(
// CHECK: == cudaSuccess) {
// CHECK-NEXT: {{^}}      for (; step < steps; ++step) {
// CHECK-NEXT: {{^}}        std::swap(a, b);
float isKept(float *a, float *b, int n, int steps) {
  int step = 0;
  for (; step < steps; ++step) {
    relax<<<n / 64, 64>>>(a, b, n);
    std::swap(a, b);
  }
  float value = 0;
#ifdef KEEP
  cudaMemcpy(&value, a + 5, 4, cudaMemcpyDeviceToHost);
#endif
  return value;
}

// Nobody looks at these anywhere.
// CHECK-LABEL: void isGone(
// CHECK: == cudaSuccess) {
// CHECK-NEXT: {{^}}      break;
void isGone(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 64, 64>>>(a, b, n);
    std::swap(a, b);
  }
#ifdef VERBOSE
  printf("%d steps\n", steps);
#endif
}

// Who catches it looks at how far the loop has come.
// WHY: :[[@LINE+8]]:3: remark: for loop of kernel launches cannot become one kernel
// WHY: :[[@LINE+7]]:3: remark: launches cannot be replayed by a graph
int isTried(float *a, int n, int steps) {
  int step = 0;
#ifdef CATCHING
  try {
#endif
  cudaDeviceSynchronize();
  for (; step < steps; ++step) {
    relax<<<n / 64, 64>>>(a, a, n);
    if (cudaDeviceSynchronize() != cudaSuccess)
      throw 1;
  }
#ifdef CATCHING
  } catch (int) {
  }
#endif
  return step;
}

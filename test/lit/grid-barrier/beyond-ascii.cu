// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names with letters that nvcc does not take in names of kernels.
//
// RUN: %barricade --rules=grid-barrier,launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='one persistent kernel' --implicit-check-not='can become one kernel' %s

#include <utility>

__global__ void add(float *x, const float *y, int n, float k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += y[n - 1 - i] * k;
}

void löse(float *u, float *v, int n, int steps) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the new kernel would be named
  for (int t = 0; t < steps; ++t) {
    add<<<n / 64, 64>>>(u, v, n, t);
    std::swap(u, v);
  }
}
void längs(float *u, float *v, int n) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot be joined with the next one: the new kernel would be named
  add<<<4, 64>>>(u, v, n, 1);
  add<<<4, 64>>>(v, u, n, 2);
}
namespace übung {
enum Art { X = 1, Y };
void inside(float *u, float *v, int n, int steps) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the new kernel would be named
  for (int t = 0; t < steps; ++t) {
    add<<<n / 64, 64>>>(u, v, n, t);
    std::swap(u, v);
  }
}
} // namespace übung
void art(float *u, float *v, int n, übung::Art a, int k) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot become one kernel: the loop names a type
  for (int i = 0; i < k; ++i) {
    add<<<n / 64, 64>>>(u, v, n, a == übung::X ? i : 2 * i);
    std::swap(u, v);
  }
}
void variables(float *u, float *v, int n, float τ, int steps) {
  // CHECK: [[#@LINE+1]]:3: warning: {{.*}} one persistent kernel
  for (int t = 0; t < steps; ++t) {
    add<<<n / 64, 64>>>(u, v, n, τ);
    std::swap(u, v);
  }
}

// Constructors and destructors give kernels the class's name.
struct Größe {
  float *x;
  Größe(float *to, float *from, int n);
  ~Größe();
};
Größe::Größe(float *to, float *from, int n) : x(to) {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot be joined with the next one: the new kernel would be named
  add<<<4, 64>>>(to, from, n, 1);
  add<<<4, 64>>>(from, to, n, 2);
}
Größe::~Größe() {
  // CHECK: [[#@LINE+1]]:3: remark: {{.*}} cannot be joined with the next one: the new kernel would be named
  add<<<4, 64>>>(x, x + 256, 256, 1);
  add<<<4, 64>>>(x + 256, x, 256, 2);
}

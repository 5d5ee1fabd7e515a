// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's functions that load by a hint read what they are given: such loops
// are no repetitions for a timer.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %barricade-by-default --rules=launch-replay --no-verify --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=WHY %s

__global__ void texture(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = __ldg(from + i - 1) + __ldg(from + i + 1);
}
__device__ inline float load(const float *p) { return __ldg(p); }
__global__ void within(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = load(from + i - 1) + load(from + i + 1);
}
__global__ void streaming(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = __ldcs(from + i - 1) + __ldcg(from + i + 1);
}

// CHECK: replay.launch(texture,
void backAndForth(float *a, float *b, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    texture<<<n / 256, 256>>>(a, b, n);
    texture<<<n / 256, 256>>>(b, a, n);
  }
}
// CHECK: replay.launch(within,
void byAFunction(float *a, float *b, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    within<<<n / 256, 256>>>(a, b, n);
    within<<<n / 256, 256>>>(b, a, n);
  }
}
// CHECK: replay.launch(streaming,
void withoutCaches(float *a, float *b, int n, int steps) {
  for (int s = 0; s < steps; ++s) {
    streaming<<<n / 256, 256>>>(a, b, n);
    streaming<<<n / 256, 256>>>(b, a, n);
  }
}

// Nobody reads what is written.
// WHY: :[[#@LINE+2]]:{{.*}} [repetition]
void again(float *a, float *b, int n, int steps) {
  for (int s = 0; s < steps; ++s)
    texture<<<n / 256, 256>>>(a, b, n);
}

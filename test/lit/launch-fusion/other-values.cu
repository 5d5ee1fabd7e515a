// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids and memory that are the same, or apart, in this build only: by what
// another one assigns, or allocates otherwise. Between them, near misses.
//
// RUN: %barricade --explain --profit=any --rules=launch-fusion %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

__global__ void addTo(float *to, int n) {
  to[blockIdx.x * blockDim.x + threadIdx.x] += n;
}
__global__ void scale(float *to, int n) {
  to[blockIdx.x * blockDim.x + threadIdx.x] *= n;
}
__global__ void shift(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[(i + 64) % n];
}

void grids(float *x) {
  const int n = 256;
  int first = n / 64, second = first, third = first;
#ifdef HALF
  second = n / 128;
#endif
#ifdef VERBOSE
  first += 0;
#endif
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}}since the grids may differ
  addTo<<<4, 64>>>(x, n);
  scale<<<second, 64>>>(x, n);
  cudaDeviceSynchronize();
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  addTo<<<4, 64>>>(x, n);
  scale<<<n / 64, 64>>>(x, n);
  cudaDeviceSynchronize();
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}}since the grids may differ
  addTo<<<4, 64>>>(x, n);
  scale<<<third, 64>>>(x, n);
}

void apart(int n) {
  float *a, *b, *c;
  cudaMalloc(&a, 4 * n);
  cudaMalloc(&b, 4 * n);
  cudaMalloc(&c, 4 * n);
#ifdef INPLACE
  b = a;
#endif
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}}since {{.*}} may be the same memory
  addTo<<<n / 64, 64>>>(a, n);
  shift<<<n / 64, 64>>>(c, b, n);
  cudaDeviceSynchronize();
}

#ifdef POOL
void allocate(float **p, size_t n);
#define deviceMalloc allocate
#else
#define deviceMalloc cudaMalloc
#endif
void pooled(int n) {
  float *a, *b, *c;
  deviceMalloc(&a, 4 * n);
  deviceMalloc(&b, 4 * n);
  deviceMalloc(&c, 4 * n);
  // CHECK: :[[#@LINE+1]]:3: warning: {{.*}}since {{.*}} may be the same memory
  addTo<<<n / 64, 64>>>(a, n);
  shift<<<n / 64, 64>>>(c, b, n);
}

#define MUST(call)                                                             \
  if (call)                                                                    \
  return
void known(int n) {
  float *a, *b, *c;
  MUST(cudaMalloc(&a, 4 * n));
  MUST(cudaMalloc(&b, 4 * n));
  MUST(cudaMalloc(&c, 4 * n));
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  addTo<<<n / 64, 64>>>(a, n);
  shift<<<n / 64, 64>>>(c, b, n);
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether another build gives away a variable of the loop is asked of each
// instance of a template: the pattern does not know what its calls call.
//
// RUN: %barricade --rules=grid-barrier --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

#include <cstdio>

static void check(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess)
    std::printf("%s at %s:%d\n", cudaGetErrorString(error), file, line);
}
#define CHECK(call) (check(call, __FILE__, __LINE__))

template <typename T> __global__ void add(T *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += T(1);
}

template <typename T> void expect(T *data, int n, int repeat) {
  for (int i = 0; i < repeat * n; ++i)
    data[i % n] += T(1);
}

template <typename T> void adds(T *data, int n, int repeat) {
  const size_t bytes = sizeof(T) * n;
  T *onDevice;
  CHECK(cudaMalloc((void **)&onDevice, bytes));
  CHECK(cudaMemcpy(onDevice, data, bytes, cudaMemcpyHostToDevice));
  // CHECK: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int i = 0; i < repeat; ++i)
    add<T><<<n / 64, 64>>>(onDevice, n);
  expect<T>(data, n, repeat);
  CHECK(cudaMemcpy(data, onDevice, bytes, cudaMemcpyDeviceToHost));
  cudaFree(onDevice);
}
template void adds<int>(int *, int, int);

// One that another build shares.
template <typename T> void watches(T *data, int n, int repeat) {
  const size_t bytes = sizeof(T) * n;
  T *onDevice;
  CHECK(cudaMalloc((void **)&onDevice, bytes));
#ifdef WATCHED
  watch(&onDevice);
#endif
  // CHECK: :[[#@LINE+1]]:3: note: {{.*}} [other-build]
  for (int i = 0; i < repeat; ++i)
    add<T><<<n / 64, 64>>>(onDevice, n);
}
template void watches<int>(int *, int, int);

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file must not have anywhere, it must not have in another build.
//
// RUN: split-file %s %t
// RUN: %barricade --rules=launch-overlap --profit=any --explain %t/constants.cu -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=CONSTANTS %s
// RUN: %barricade --rules=grid-barrier --profit=any --explain %t/constants.cu -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=CONSTANTS %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %t/buffers.cu -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=BUFFERS %s
// RUN: %barricade --rules=launch-replay --profit=any --explain %t/streams.cu -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=STREAMS %s
//
// CONSTANTS: note: {{.*}} [constant-memory]
// BUFFERS: note: {{.*}} [between]
// STREAMS: note: {{.*}} [waits-for-host]

//--- constants.cu
__constant__ float table[64];
__global__ void setTable(float *t) { t[threadIdx.x] += 1; }
__global__ void use(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += table[i & 63];
}
void solve(float *a, float *t, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    setTable<<<1, 64>>>(t);
    use<<<n / 64, 64>>>(a, n);
  }
}
void run(float *a, float *scratch, int n) {
  float *t = scratch;
#ifdef ADAPTIVE
  cudaGetSymbolAddress((void **)&t, table);
#endif
  solve(a, t, n, 100);
}

//--- buffers.cu
#include <iostream>
__global__ void add(int *a) { a[threadIdx.x] += 1; }
void solve(int *a, int steps) {
  for (int t = 0; t < steps; ++t) {
    add<<<1, 32>>>(a);
    std::cout << '.';
  }
}
#ifdef PROGRESS
void watch(std::streambuf &own) { std::cout.rdbuf(&own); }
#endif

//--- streams.cu
__global__ void add(int *a) { a[threadIdx.x] += 1; }
void solve(int *a, int steps) {
  for (int t = 0; t < steps; ++t)
    add<<<1, 32>>>(a);
}
#ifdef PROGRESS
void tell(cudaStream_t stream, cudaHostFn_t wait) {
  cudaLaunchHostFunc(stream, wait, nullptr);
}
#endif

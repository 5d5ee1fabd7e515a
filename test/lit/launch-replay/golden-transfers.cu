// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sets or copies the device's memory between launches may be held back
// with them.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

#include <cstdio>

__global__ void count(int *bins, const int *x) {
  atomicAdd(bins + (x[threadIdx.x] & 15), 1);
}
template <typename T> __global__ void half(T *x, const int *bins) {
  x[threadIdx.x] /= T(bins[threadIdx.x & 15] + 1);
}

// CHECK-LABEL: void histogram(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(steps);
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    replay.memset(bins, 0, 16 * sizeof(int)); // none yet
// CHECK-NEXT: {{^}}    replay.launch(count, 1, 32, 0, nullptr, bins, x);
// CHECK-NEXT: {{^}}    replay.launch(half<int>, 1, 32, 0, nullptr, x, bins);
// CHECK-NEXT: {{^}}    replay.memcpy(y, x, 128, cudaMemcpyDeviceToDevice);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  replay.flush();
void histogram(int *bins, int *x, int *y, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(bins, 0, 16 * sizeof(int)); // none yet
    count<<<1, 32>>>(bins, x);
    half<int><<<1, 32>>>(x, bins);
    cudaMemcpy(y, x, 128, cudaMemcpyDeviceToDevice);
  }
}

// CHECK-LABEL: void streams(
// CHECK:      {{^}}    if (::cudaSuccess != replay.memset_async(bins, t, 4))
// CHECK-NEXT: {{^}}      std::puts("not set");
// CHECK:      {{^}}    error = replay.memcpy_async /* both */ (y, x, 128, cudaMemcpyDeviceToDevice,
void streams(int *bins, int *x, int *y, int steps, cudaStream_t s) {
  cudaError_t error = cudaSuccess;
  for (int t = 0; t < steps && !error; ++t) {
    count<<<1, 32, 0, s>>>(bins, x);
    if (::cudaSuccess != ::cudaMemsetAsync(bins, t, 4))
      std::puts("not set");
    error = cudaMemcpyAsync /* both */ (y, x, 128, cudaMemcpyDeviceToDevice,
                                        s);
  }
}

// As an argument of a macro, once or twice.
//
// CHECK-LABEL: void inMacro(
// CHECK:      {{^}}    CHECKED(replay.memset(bins, t, 4));
// CHECK-NEXT: {{^}}    TWICE(replay.memcpy(y, x, 128, cudaMemcpyDeviceToDevice));
// CHECK-NEXT: {{^}}    PASSED(replay.memset(bins, 0, SIZE));
#define CHECKED(call) (void)(call)
#define TWICE(call)                                                            \
  if ((call) != cudaSuccess)                                                   \
  std::puts(cudaGetErrorString(call))
#define PASSED(call) CHECKED(call)
#define SIZE 16
void inMacro(int *bins, int *x, int *y, int steps) {
  for (int t = 0; t < steps; ++t) {
    count<<<1, 32>>>(bins, x);
    CHECKED(cudaMemset(bins, t, 4));
    TWICE(cudaMemcpy(y, x, 128, cudaMemcpyDeviceToDevice));
    PASSED(cudaMemset(bins, 0, SIZE));
  }
}

// In both instances.
//
// CHECK-LABEL: void inTemplate(
// CHECK-NEXT: {{^}}  barricade::ReplayedLaunches replay(steps);
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    replay.memset(x, 0, sizeof(T));
// CHECK-NEXT: {{^}}    replay.launch(half<T>, 1, 32, 0, nullptr, x, bins);
template <typename T> void inTemplate(T *x, int *bins, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(x, 0, sizeof(T));
    half<T><<<1, 32>>>(x, bins);
  }
}
template void inTemplate(int *, int *, int);
template void inTemplate(float *, int *, int);

// Around the stretch they stay, where nothing is held back.
//
// CHECK-LABEL: void around(
// CHECK-NEXT: {{^}}  cudaMemset(bins, 0, 64);
// CHECK:      {{^}}  replay.flush();
// CHECK-NEXT: {{^}}  cudaMemcpy(y, x, 128, cudaMemcpyDeviceToDevice);
void around(int *bins, int *x, int *y, int steps) {
  cudaMemset(bins, 0, 64);
  for (int t = 0; t < steps; ++t)
    count<<<1, 32>>>(bins, x);
  cudaMemcpy(y, x, 128, cudaMemcpyDeviceToDevice);
}

// A loop that makes no launch, but is a part of the stretch.
//
// CHECK-LABEL: void inner(
// CHECK:      {{^}}      replay.memset(bins + i, t, 4);
void inner(int *bins, int *x, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < 4; ++i)
      cudaMemset(bins + i, t, 4);
    count<<<1, 32>>>(bins, x);
  }
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that overlap the grid before, and how they are written.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

// CHECK: {{^}}#include <barricade/gpu_sync.cuh>
#include <cstdio>

// CHECK:      __global__ void core(float *to, const float *from, int n) {
// CHECK-NEXT: {{^}}  barricade::wait_for_previous_grid();
// CHECK-NEXT: {{^}}  int i =
__global__ void core(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1)
    return;
  to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

// CHECK: void set(float *at) { barricade::wait_for_previous_grid(); at[threadIdx.x] = Value; }
template <int Value> __global__ void set(float *at) { at[threadIdx.x] = Value; }

namespace parts {
struct Pair {
  float first, second;
};
// CHECK:      void add(float *at, Pair by) // of two
// CHECK-NEXT: {{^}}{ // comment
// CHECK-NEXT: {{^}}    barricade::wait_for_previous_grid();
// CHECK-NEXT: {{^}}    __shared__
__global__ void add(float *at, Pair by) // of two
{ // comment
    __shared__ float sums[32];
    sums[threadIdx.x] = by.first + by.second;
    __syncthreads();
    at[threadIdx.x] += sums[31 - threadIdx.x];
}
__global__ void nothing() {}
} // namespace parts

// Loops: the first launch of all is an ordinary one.
//
// CHECK-LABEL: void loop(
// CHECK-NEXT: {{^}}  barricade::OverlappedLaunches overlap;
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) {
// CHECK-NEXT: {{^}}    overlap.launch(core, (n + 63) / 64, 64, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    overlap.launch(set<3>, 1, dim3(1), 0, nullptr, a);
// CHECK-NEXT: {{^}}    cudaDeviceSynchronize();
void loop(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    core<<<(n + 63) / 64, 64>>>(a, b, n);
    set<3><<<1, dim3(1)>>>(a);
    cudaDeviceSynchronize();
    if (cudaGetLastError() != cudaSuccess)
      printf("no\n");
    float *other = a;
    a = b;
    b = other;
  }
}

// Other launches may stand among them; streams are looked at as they are.
//
// CHECK-LABEL: void row(
// CHECK-NEXT: {{^}}  const parts::Pair pair = {1, 2};
// CHECK-NEXT: {{^}}  barricade::OverlappedLaunches overlap2;
// CHECK-NEXT: {{^}}  overlap2.launch(parts::add, 1, 32, 16, stream, /* where */ a, pair);
// CHECK-NEXT: {{^}}  if (twice)
// CHECK-NEXT: {{^}}    overlap2.launch(parts::add, 1, 32, 0, stream, a, {3, 4});
// CHECK-NEXT: {{^}}  pointed<<<1, 1>>>(b, a);
// CHECK-NEXT: {{^}}  overlap2.launch(parts::nothing, 1, 1, 0, nullptr);
__global__ void pointed(float *to, const float *from) { to[0] = __ldg(from); }
void row(float *a, float *b, bool twice, cudaStream_t stream) {
  const parts::Pair pair = {1, 2};
  parts::add<<<1, 32, 16, stream>>>(/* where */ a, pair);
  if (twice)
    parts::add<<<1, 32, 0, stream>>>(a, {3, 4});
  pointed<<<1, 1>>>(b, a);
  parts::nothing<<<1, 1>>>();
}

// What may reach the device, or be anything, ends a stretch.
//
// CHECK-LABEL: void stretches(
// CHECK:      {{^}}    cudaMemcpy(b, a, n, cudaMemcpyDeviceToDevice);
// CHECK-NEXT: {{^}}    barricade::OverlappedLaunches overlap3;
// CHECK-NEXT: {{^}}    overlap3.launch(core, 1, 64, 0, nullptr, a, b, n);
// CHECK-NEXT: {{^}}    overlap3.launch(core, 1, 64, 0, nullptr, b, a, n);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  core<<<1, 64>>>(b, a, n);
void unknown();
void stretches(float *a, float *b, int n) {
  for (int i = 0; i < 3; ++i) {
    cudaMemcpy(b, a, n, cudaMemcpyDeviceToDevice);
    core<<<1, 64>>>(a, b, n);
    core<<<1, 64>>>(b, a, n);
  }
  core<<<1, 64>>>(b, a, n);
  unknown();
  core<<<1, 64>>>(b, a, n);
}
void unknown() {
  static int calls;
  ++calls;
}

int main() {
  const int n = 200;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = float(i * 7 % 31);
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
  loop(a, b, n, 5);
  row(a, b, true, nullptr);
  stretches(a, b, 64);
  for (float *each : {a, b}) {
    cudaMemcpy(host, each, sizeof(host), cudaMemcpyDeviceToHost);
    for (float x : host)
      printf("%g ", double(x));
  }
}

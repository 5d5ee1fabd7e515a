// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that waits for the grid before cannot read by ld.global.nc, which
// costs in loops: such kernels are replayed as they are. launch-overlap, which
// would have nothing else to offer, is not expected to pay.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck --implicit-check-not=wait_for_previous_grid %s
// RUN: %rewrite-check %s %t.all.cu --rules=grid-barrier,launch-overlap,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.all.cu | FileCheck --check-prefix=ALL --implicit-check-not=wait_for_previous_grid %s
// RUN: %barricade-by-default --rules=launch-overlap --no-verify --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=WHY --implicit-check-not=barricade-launch-overlap %s
// RUN: %rewrite-check %s %t.any.cu --rules=launch-overlap -- -arch=sm_90
// RUN: FileCheck --check-prefix=ANY --input-file=%t.any.cu %s
// ANY: void gathers_step(
#include <cstdio>

// A loop reads through the promise.
// CHECK:  {{^}}__global__ void gathers(
__global__ void gathers(float *to, const float *__restrict__ from,
                        const int *__restrict__ at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 4; ++k)
    if (at[i] > k)
      sum += from[(at[i] + k) % n];
  to[i] = sum;
}

// So does one in a function.
__device__ float total(const float *from, int n) {
  float sum = 0;
  while (n-- > 0)
    sum += from[n];
  return sum;
}
// CHECK: {{^}}__global__ void totals(
__global__ void totals(float *to, const float *__restrict__ from, int n) {
  to[blockIdx.x * blockDim.x + threadIdx.x] += total(from, n) / 256;
}

// No loop.
// CHECK:      {{^}}__device__ __forceinline__ void relax_step(
// CHECK:      {{^}}  barricade::wait_for_previous_grid();
// ALL-COUNT-3: {{^}}  barricade::wait_for_previous_grid();
__global__ void relax(float *to, const float *__restrict__ from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

// A loop that reads nothing.
// CHECK:      {{^}}__device__ __forceinline__ void powers_step(
// CHECK:      {{^}}  barricade::wait_for_previous_grid();
__global__ void powers(float *to, const float *__restrict__ from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = from[i], y = 1;
  for (int k = 0; k < 3; ++k)
    y = y * x + 0.125f;
  to[i] = y;
}

// A loop that no promise is about.
// CHECK:      {{^}}__device__ __forceinline__ void writes_step(
// CHECK:      {{^}}  barricade::wait_for_previous_grid();
__global__ void writes(float *__restrict__ to, const float *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3; ++k)
    to[i] = from[i] / 2 + to[i];
}

void steps(float *a, float *b, const int *at, int n, int count) {
  // CHECK:      {{^}}  barricade::ReplayedLaunches replay(
  // CHECK:      {{^}}    replay.launch(gathers,
  // CHECK-NEXT: {{^}}    replay.launch(totals,
  // CHECK-NEXT: {{^}}    replay.launch_overlapped(relax,
  // CHECK-NEXT: {{^}}    replay.launch_overlapped(powers,
  // CHECK-NEXT: {{^}}    replay.launch_overlapped(writes,
  // WHY: :[[@LINE+1]]:3: remark: 5 launches could begin while the grid before comes to its end, but it is expected to be slower on an NVIDIA H200 (profile sm_90): loops of its kernels would no longer read by ld.global.nc, which made a real program 3.4 % slower [barricade-launch-overlap]
  for (int step = 0; step < count; ++step) {
    gathers<<<n / 64, 64>>>(b, a, at, n);
    totals<<<n / 64, 64>>>(a, b, n);
    relax<<<n / 64, 64>>>(b, a, n);
    powers<<<n / 64, 64>>>(a, b);
    writes<<<n / 64, 64>>>(a, b);
  }
}

int main() {
  constexpr int N = 256;
  static float host[N];
  static int places[N];
  for (int i = 0; i < N; ++i)
    host[i] = float(i * 37 % 101) / 101, places[i] = i * 11 % 5;
  float *a, *b;
  int *at;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&at, sizeof(places));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(at, places, sizeof(places), cudaMemcpyHostToDevice);
  steps(a, b, at, N, 40);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  for (float x : host)
    printf("%g ", double(x));
}

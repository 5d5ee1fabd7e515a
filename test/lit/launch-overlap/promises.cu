// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that promise (`__restrict__`) what would let compilers read before
// the wait: their bodies become functions that are given pointers of which
// nobody knows where they come from.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_90 -I%project/runtime -ptx %t.cu -o %t.ptx %}
// RUN: %if nvcc %{ FileCheck --check-prefix=PTX --implicit-check-not=.nc %s < %t.ptx %}
#include <cstdio>

// CHECK:      __device__ __forceinline__ void core_step(float *__restrict__ to,
// CHECK-NEXT: const float *__restrict__ from,
// CHECK-NEXT: int n) {
// CHECK-NEXT: {{^}}  int i =
// CHECK:      __global__ void core(float *__restrict__ to, const float *__restrict__ from, int n,
// CHECK-NEXT: int) {
// CHECK-NEXT: {{^}}  barricade::wait_for_previous_grid();
// CHECK-NEXT: {{^}}  core_step(barricade::coherent(to), barricade::coherent(from), n);
// CHECK-NEXT: }
//
// PTX:     .entry {{.*}}core
// PTX-NOT: ld.global
// PTX:     griddepcontrol.wait
// PTX:     ld.global
__global__ void core(float *__restrict__ to, const float *__restrict__ from, int n,
                     int) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1)
    return;
  to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

// Barriers, shared memory, launch bounds, and threads that left before others
// meet are as they were; blockIdx is the built-in one in callees, too.
//
// CHECK:      namespace parts {
// CHECK:      __device__ __forceinline__ void sums_step(float *to, const float *from) {
// CHECK-NEXT: {{^}}  __shared__ float part[32];
// CHECK:      __global__ void __launch_bounds__(32) sums(float *to, const float *from) {
// CHECK-NEXT: {{^}}  barricade::wait_for_previous_grid();
// CHECK-NEXT: {{^}}  ::parts::sums_step(to, barricade::coherent(from));
// CHECK-NEXT: }
//
// PTX:     .entry {{.*}}sums
// PTX-NOT: ld.global
// PTX:     griddepcontrol.wait
// PTX:     ld.global
namespace parts {
struct Pair {
  float first, second;
};
__device__ float at(const float *__restrict__ from) {
  return from[blockIdx.x * 32 + threadIdx.x];
}
__global__ void __launch_bounds__(32) sums(float *to, const float *from) {
  __shared__ float part[32];
  part[threadIdx.x] = at(from);
  __syncthreads();
  if (threadIdx.x % 2)
    return;
  __syncthreads();
  to[blockIdx.x * 32 + threadIdx.x] = part[threadIdx.x] + part[31 - threadIdx.x];
}
} // namespace parts
using namespace parts;

// Of a template, what some instance promises is kept from all.
//
// CHECK:      __global__ void add(T *to, const T *from, Pair by) {
// CHECK-NEXT: {{^}}  barricade::wait_for_previous_grid();
// CHECK-NEXT: {{^}}  ::add_step<T, Twice>(to, barricade::coherent(from), by);
template <typename T, bool Twice>
__global__ void add(T *to, const T *from, Pair by) {
  if constexpr (Twice) {
    const T *__restrict__ own = from + 1;
    to[threadIdx.x] += T(own[threadIdx.x] * by.first);
  } else {
    to[threadIdx.x] += from[threadIdx.x];
  }
}

// CHECK-LABEL: void loop(
// CHECK-NEXT: {{^}}  barricade::OverlappedLaunches overlap;
// CHECK-NEXT: {{^}}  for (int step = 0; step < steps; ++step) {
// CHECK-NEXT: {{^}}    overlap.launch(core, (n + 63) / 64, 64, 0, nullptr, a, b, n, 0);
// CHECK-NEXT: {{^}}    overlap.launch(sums, n / 32, 32, 0, nullptr, b, a);
// CHECK-NEXT: {{^}}    overlap.launch(add<float, true>, 1, 32, 0, nullptr, a, b, {2, 3});
// CHECK-NEXT: {{^}}    overlap.launch(add<float, false>, 1, 32, 0, nullptr, b, a, {2, 3});
void loop(float *a, float *b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    core<<<(n + 63) / 64, 64>>>(a, b, n, 0);
    sums<<<n / 32, 32>>>(b, a);
    add<float, true><<<1, 32>>>(a, b, {2, 3});
    add<float, false><<<1, 32>>>(b, a, {2, 3});
  }
}

// Atomic operations are accesses, of whatever kind.
//
// CHECK:      counts_step(barricade::coherent(bins), barricade::coherent(best), barricade::coherent(from));
__global__ void counts(int *__restrict__ bins, unsigned long long *__restrict__ best,
                       const int *__restrict__ from) {
  const int value = from[threadIdx.x];
  atomicAdd(&bins[value & 7], 1);
  atomicInc((unsigned *)&bins[8], 1000u);
  atomicCAS(&bins[9], value, value + 1);
  atomicMax(best, (unsigned long long)value);
}
// CHECK:      overlap2.launch(counts, 1, 32, 0, nullptr, bins, best, from);
void count(int *bins, unsigned long long *best, const int *from, int steps) {
  for (int step = 0; step < steps; ++step)
    counts<<<1, 32>>>(bins, best, from);
}

int main() {
  const int n = 192;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = float(i * 7 % 31);
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
  loop(a, b, n, 3);
  for (float *each : {a, b}) {
    cudaMemcpy(host, each, sizeof(host), cudaMemcpyDeviceToHost);
    for (float x : host)
      printf("%g ", double(x));
  }
}

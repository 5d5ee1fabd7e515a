// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that a graph makes and that overlap, where their kernels can wait
// for the grid before.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %rewrite-check %s %t.all.cu --rules=grid-barrier,launch-overlap,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.all.cu | FileCheck --check-prefix=ALL %s
// RUN: %barricade --explain --rules=grid-barrier,launch-overlap,launch-replay %s -- nvcc -std=c++17 -arch=sm_90 -I%project/test/lit/Inputs 2>&1 | FileCheck --check-prefix=WHY %s
// Before sm_90 no kernel can wait.
// RUN: %rewrite-check %s %t.old.cu --rules=launch-overlap,launch-replay -- -arch=sm_80
// RUN: grep -vE '^//( |$)' %t.old.cu | FileCheck --check-prefix=OLD --implicit-check-not=launch_overlapped %s
// OLD: replay.launch(relax

// CHECK-LABEL: {{^}}__global__ void relax(
// CHECK-NEXT: {{^}}  barricade::wait_for_previous_grid();
// ALL: {{^}}__global__ void relax(float *to, const float *from, int n) {
// ALL-NEXT: {{^}}  barricade::wait_for_previous_grid();
__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.5f * (from[i - 1] + from[i + 1]);
}

// Its promise is kept to its step.
// CHECK: void scale_step(float *__restrict__ x,
// CHECK: {{^}}  barricade::wait_for_previous_grid();
// CHECK-NEXT: {{^}}  scale_step(barricade::coherent(x), factor);
// ALL: void scale_step(const uint3 blockIdx,
// ALL: {{^}}__global__ void scale(float *__restrict__ x, float factor) {
// ALL-NEXT: {{^}}  barricade::wait_for_previous_grid();
// ALL-NEXT: {{^}}  scale_step(blockIdx, barricade::coherent(x), factor);
__global__ void scale(float *__restrict__ x, float factor) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

// What is read by __ldg may be read ahead.
// CHECK-LABEL: {{^}}__global__ void gather(
// CHECK-NEXT: {{^}}  to[threadIdx.x]
__global__ void gather(float *to, const float *from) {
  to[threadIdx.x] = __ldg(&from[blockDim.x - 1 - threadIdx.x]);
}

// A graph has nothing to change here, and pays at once: no kernel would be
// faster.
// CHECK-LABEL: {{^}}void swapped(
// CHECK: {{^}}    replay.launch_overlapped(relax, 64, 64, 0, nullptr, a, b, n);
// ALL-LABEL: {{^}}void swapped(
// ALL-NEXT: {{^}}  barricade::ReplayedLaunches replay(1000);
// ALL-NEXT: {{^}}  for (int step = 0; step < 1000; ++step) {
// ALL-NEXT: {{^}}    replay.launch_overlapped(relax, 64, 64, 0, nullptr, a, b, n);
// WHY: [[#@LINE+2]]:3: remark: for loop of kernel launches could become one kernel, but a graph
void swapped(float *a, float *b, int n) {
  for (int step = 0; step < 1000; ++step) {
    relax<<<64, 64>>>(a, b, n);
    std::swap(a, b);
  }
  cudaDeviceSynchronize();
}

// One may be faster where each launch gets another number.
// CHECK-LABEL: {{^}}void numbered(
// CHECK: {{^}}    replay.launch_overlapped(scale, 64, 64, 0, nullptr, a, 1.0f / (1 << step % 3));
// ALL-LABEL: {{^}}void numbered(
// ALL: {{^}}  replayed{{[0-9]*}}.join_overlapped(numbered_stretch, 0x1);
// ALL-NEXT: {{^}}  barricade::Takeover takeover{{[0-9]*}}(numbered_persistent, 64, 0, replayed{{[0-9]*}});
// ALL: {{^}}    replayed{{[0-9]*}}.if_confined(0).launch_overlapped(scale, 64, 64, 0, nullptr, a, 1.0f / (1 << step % 3));
void numbered(float *a, int steps) {
  for (int step = 0; step < steps; ++step) {
    scale<<<64, 64>>>(a, 1.0f / (1 << step % 3));
  }
  cudaDeviceSynchronize();
}

// CHECK-LABEL: {{^}}void mixed(
// CHECK: {{^}}    replay.launch_overlapped(scale, 1, 64, 0, nullptr, a, 0.5f);
// CHECK-NEXT: {{^}}    replay.launch(gather, 1, 64, 0, nullptr, b, a);
void mixed(float *a, float *b, int steps) {
  for (int step = 0; step < steps; ++step) {
    scale<<<1, 64>>>(a, 0.5f);
    gather<<<1, 64>>>(b, a);
    std::swap(a, b);
  }
  cudaDeviceSynchronize();
}

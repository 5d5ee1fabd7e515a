// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches overlap unless another rule does make something else of their
// kernels: one that a comment holds back, or that does not pay, does not.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-overlap,launch-replay -- -arch=sm_90
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: rm -rf %t.cache
// RUN: not %dry-run --cache-dir=%t.cache --rules=grid-barrier,launch-overlap,launch-replay %s -- nvcc -std=c++17 -arch=sm_90 > %t.first
// RUN: not %dry-run --cache-dir=%t.cache --rules=grid-barrier,launch-overlap,launch-replay %s -- nvcc -std=c++17 -arch=sm_90 > %t.second
// RUN: diff %t.first %t.second

#include <cstdio>

__global__ void held(float *x, int by) { x[threadIdx.x] += by; }
__global__ void taken(float *x, int by) { x[threadIdx.x] -= by; }
__global__ void both(float *x, int by) { x[threadIdx.x] *= by; }

// CHECK-LABEL: {{^}}void suppressed(
// CHECK: {{^}}    replay.launch_overlapped(held, 1, 64, 0, nullptr, x, step);
void suppressed(float *x, int steps) {
  for (int step = 0; step < steps; ++step) // NOLINT(barricade-grid-barrier)
    held<<<1, 64>>>(x, step);
}
// The persistent kernel makes a step of it.
// CHECK-LABEL: {{^}}void applied(
// CHECK: barricade::Takeover
void applied(float *x, int steps) {
  for (int step = 0; step < steps; ++step)
    taken<<<1, 64>>>(x, step);
}
// CHECK-LABEL: {{^}}void suppressedBeside(
// CHECK: {{^}}    replay.launch(taken, 1, 64, 0, nullptr, x, step);
void suppressedBeside(float *x, int steps) {
  for (int step = 0; step < steps; ++step) // NOLINT(barricade-grid-barrier)
    taken<<<1, 64>>>(x, step);
}
// CHECK-LABEL: {{^}}void oneOfTwo(
// CHECK:      {{^}}    replay.launch(taken, 1, 64, 0, nullptr, x, step);
// CHECK-NEXT: {{^}}    replay.launch_overlapped(both, 1, 64, 0, nullptr, x, step);
void oneOfTwo(float *x, int steps) {
  for (int step = 0; step < steps; ++step) {
    taken<<<1, 64>>>(x, step);
    both<<<1, 64>>>(x, step);
    printf("%d ", step);
  }
}
// Suppressed as a launch that overlaps, too: nothing is left.
// CHECK-LABEL: {{^}}void suppressedOverlap(
// CHECK: {{^}}    both<<<1, 64>>>(x, step);
void suppressedOverlap(float *x, int steps) {
  for (int step = 0; step < steps; ++step) {
    // NOLINTNEXTLINE(barricade-launch-overlap)
    both<<<1, 64>>>(x, step);
    printf("%d ", step);
  }
}
// Where it would not overlap, it is no such launch.
// CHECK-LABEL: {{^}}void suppressedTaken(
// CHECK: {{^}}    replay.launch(taken, 1, 64, 0, nullptr, x, step);
void suppressedTaken(float *x, int steps) {
  for (int step = 0; step < steps; ++step) {
    // NOLINTNEXTLINE(barricade-launch-overlap)
    taken<<<1, 64>>>(x, step);
    printf("%d ", step);
  }
}

int main() {
  float *x, host[64] = {};
  cudaMalloc(&x, sizeof(host));
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  suppressed(x, 5);
  cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost);
  for (float each : host)
    printf("%g ", double(each));
}

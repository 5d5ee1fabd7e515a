// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call leaves to a default: a library has the same in every build, a
// user's header may have something else.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-overlap -- -arch=sm_90 -isystem %S/.
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %barricade --rules=launch-overlap --explain %s -- nvcc -std=c++17 -arch=sm_90 -I%S 2>&1 | FileCheck --check-prefix=WHY %s
// RUN: %barricade --rules=launch-overlap --explain %s -- nvcc -std=c++17 -arch=sm_90 -isystem %S/. 2>&1 | FileCheck --check-prefix=WHY %s

#include <cstdio>
__device__ const float Table[] = {1, 2};
#include <Inputs/defaults.h>

// CHECK:      void shuffles(float *a) {
// CHECK-NEXT: barricade::wait_for_previous_grid();
__global__ void shuffles(float *a) {
  const float mine = a[threadIdx.x];
  float sum = mine + __shfl_down_sync(~0u, mine, 4) +
              __shfl_xor_sync(~0u, mine, 1) + __shfl_sync(~0u, mine, 3);
  __syncwarp();
  a[threadIdx.x] = sum + float(dim3(2).y);
}
__device__ float doubled(float x, float by = 2) { return x * by; }
// CHECK:      void leavesOwn(float *a) {
// CHECK-NEXT: barricade::wait_for_previous_grid();
__global__ void leavesOwn(float *a) {
  a[threadIdx.x] = doubled(a[threadIdx.x]);
}
// CHECK:     void leavesElse(
// CHECK-NOT: wait_for_previous_grid
// WHY:       [[@LINE+1]]:17: note: {{.*}}[other-version]
__global__ void leavesElse(float *a) { a[threadIdx.x] = scaled(a); }

// CHECK:      void rewritten(float *a) {
// CHECK-NEXT: barricade::OverlappedLaunches overlap;
void rewritten(float *a) {
  shuffles<<<1, 32>>>(a);
  leavesOwn<<<1, 32>>>(a);
}
// CHECK:      void kept(float *a) {
// CHECK-NEXT: leavesElse<<<1, 32>>>(a);
void kept(float *a) {
  leavesElse<<<1, 32>>>(a);
  leavesElse<<<1, 32>>>(a);
}

int main() {
  float *a, host[32];
  cudaMalloc(&a, sizeof(host));
  for (int i = 0; i < 32; ++i)
    host[i] = float(i * 7 % 31);
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  rewritten(a);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  for (float x : host)
    printf("%g ", double(x));
}

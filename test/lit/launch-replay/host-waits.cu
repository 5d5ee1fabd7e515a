// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel waits for what the host writes once the loop is done: what waits for
// the device before that, or for room for all blocks, waits for ever.
//
// RUN: %barricade --profit=any --explain %s -- -std=c++17 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=warning: %s < %t.out
//
// Only the device may see that it waits.
//
// RUN: sed 's|//DEVICE ||' %s > %t.device.cu
// RUN: %barricade --profit=any --explain %t.device.cu -- -std=c++17 -arch=sm_90 > %t.device.out 2>&1
// RUN: FileCheck --check-prefix=DEVICE --implicit-check-not=warning: %s < %t.device.out

#include <utility>

// CHECK-DAG: :[[#@LINE+6]]:3: note: {{.*}} wait for the persistent kernel, and that for room [waits-for-host]
// CHECK-DAG: :[[#@LINE+5]]:3: note: {{.*}} wait for the fused kernel, and that for room [waits-for-host]
// CHECK-DAG: :[[#@LINE+4]]:3: note: {{.*}} CUDA for the kernel before it makes a graph [waits-for-host]
// CHECK-DAG: :[[#@LINE+3]]:10: note: the host may change what this reads
__global__ void gate(const volatile int *open) {
//DEVICE #ifdef __CUDA_ARCH__
  while (*open == 0) {
  }
//DEVICE #endif
}

__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    to[i] = 0.5f * from[i - 1];
}

// DEVICE-DAG: :[[#@LINE+6]]:3: note: {{.*}} wait for the persistent kernel, and that for room [waits-for-host]
void behindGate(float *to, float *from, int n, int steps, cudaStream_t gated, cudaStream_t free) {
  int *open = nullptr;
  cudaHostAlloc(&open, sizeof(int), cudaHostAllocMapped);
  *open = 0;
  gate<<<1, 1, 0, gated>>>(open);
  for (int step = 0; step < steps; ++step) {
    relax<<<n / 256, 256, 0, free>>>(to, from, n);
    std::swap(to, from);
  }
  cudaStreamSynchronize(free);
  *open = 1;
  cudaStreamSynchronize(gated);
}

// DEVICE-DAG: :[[#@LINE+2]]:3: note: {{.*}} wait for the fused kernel, and that for room [waits-for-host]
void twice(float *to, float *from, int n, cudaStream_t free) {
  relax<<<n / 256, 256, 0, free>>>(to, from, n);
  relax<<<n / 256, 256, 0, free>>>(from, to, n);
}

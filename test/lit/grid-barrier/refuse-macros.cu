// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros of the program that would expand in what the rules write.
//
// RUN: %barricade --rules=grid-barrier,launch-fusion --explain %s -- -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier,launch-fusion
// RUN: FileCheck --check-prefix=WRITTEN --implicit-check-not='fuses{{_}}fused' %s < %t.cu

#include <utility>
#define copy_to 0
#define swap_all(a, b) std::swap(a, b)
#define copy(to, from) cudaMemcpy(to, from, 4, cudaMemcpyDeviceToDevice)
#define launch_fused 1

__global__ void half(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[n - 1 - i] / 2;
}
__global__ void test(const float *a, int *more) {
  if (a[threadIdx.x] > 1)
    *more = 1;
}

// `result.copy_to(`
int converges(float *a, int *more, int n) {
  int h;
  do {
    cudaMemset(more, 0, sizeof(int));
    half<<<4, 64>>>(a, n);
    test<<<4, 64>>>(a, more);
    cudaMemcpy(&h, more, sizeof(int), cudaMemcpyDeviceToHost);
  } while (h);
  return h;
}
// CHECK: :[[#@LINE-8]]:3: {{.*}}[runtime-name]

// `barricade::copy(`
void copies(float *a, float *b, int n) {
  for (int t = 0; t < n; ++t) {
    half<<<4, 64>>>(a, n);
    cudaMemcpy(b, a, 64 * sizeof(float), cudaMemcpyDeviceToDevice);
    half<<<4, 64>>>(b, n);
  }
}
// CHECK: :[[#@LINE-6]]:3: {{.*}}[runtime-name]

// `barricade::launch_fused(`
__global__ void twice(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
void fuses(float *a) {
  twice<<<4, 64>>>(a);
  twice<<<4, 64>>>(a);
}
// CHECK: :[[#@LINE-3]]:3: {{.*}}[runtime-name]

// Names none of them.
// WRITTEN: void steps_persistent(
void steps(float *a, float *b, int n) {
  for (int t = 0; t < n; ++t) {
    half<<<4, 64>>>(a, n);
    half<<<4, 64>>>(b, n);
    std::swap(a, b);
  }
}

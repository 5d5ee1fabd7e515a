// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fills and copies within the device: CUDA's own functions touch nothing where
// they return an error, which a loop may ignore. So a persistent kernel takes
// it over only where all that is filled and copied is the device's memory.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %rewrite-check %s %t.start.cu --rules=grid-barrier --grid-barrier-from-start
// RUN: grep -vE '^//( |$)' %t.start.cu | FileCheck --check-prefix=START %s
#include <utility>

__global__ void add(float *to, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    to[i] += 1;
    if (count)
      atomicAdd(count, 1);
  }
}
__global__ void relax(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    to[i] = from[i + 1];
}

// Behind the loop there is nothing left to do: the other way round.
//
// CHECK-LABEL: {{^}}void mayBeLeftOut(
// CHECK:      {{^}}    if (takeover{{[0-9]*}}.is_due(steps - t) &&
// CHECK-NEXT: {{^}}        barricade::is_device_memory(count, 4) &&
// CHECK-NEXT: {{^}}        barricade::launch_persistent_exact(
// START-LABEL: {{^}}void mayBeLeftOut(
// START:      {{^}}  if (!barricade::is_device_memory(count, 4) ||
// START-NEXT: {{^}}      barricade::launch_persistent_exact(
// START:      != cudaSuccess) {
void mayBeLeftOut(float *x, int *count, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(count, 0, 4);
    add<<<n / 256, 256>>>(x, count, n);
  }
}

// What the loop declares stands for itself; both ends of a copy are asked for.
//
// CHECK-LABEL: {{^}}void copies(
// CHECK:      {{^}}    if (takeover{{[0-9]*}}.is_due(steps - t) &&
// CHECK-NEXT: {{^}}        barricade::is_device_memory(x, sizeof(float) * n) &&
// CHECK-NEXT: {{^}}        barricade::is_device_memory(y, sizeof(float) * n)) {
// CHECK-NEXT: {{^}}      cudaDeviceSynchronize();
// START-LABEL: {{^}}void copies(
// START:      {{^}}    if (barricade::is_device_memory(x, sizeof(float) * n) &&
// START-NEXT: {{^}}        barricade::is_device_memory(y, sizeof(float) * n) &&
// START-NEXT: {{^}}        barricade::launch_persistent_exact(
// START:      {{^}}    cudaDeviceSynchronize();
void copies(float *x, float *y, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    const size_t bytes = sizeof(float) * n;
    cudaMemcpy(x, y, bytes, cudaMemcpyDeviceToDevice);
    relax<<<n / 256, 256>>>(y, x, n);
    cudaMemset(x, 0, bytes);
    cudaDeviceSynchronize();
  }
}

// Whichever of the two is filled, both can be.
//
// CHECK-LABEL: {{^}}float *swaps(
// CHECK:      {{^}}    if (takeover{{[0-9]*}}.is_due(steps - t) &&
// CHECK-NEXT: {{^}}        barricade::is_device_memory(x, 4 * n) &&
// CHECK-NEXT: {{^}}        barricade::is_device_memory(y, 4 * n) &&
// CHECK-NEXT: {{^}}        barricade::launch_persistent_exact(
float *swaps(float *x, float *y, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(x, 0, 4 * n);
    relax<<<n / 256, 256>>>(x, y, n);
    std::swap(x, y);
  }
  return x;
}

// CHECK-LABEL: {{^}}float *handsOn(
// CHECK:      {{^}}    if (takeover{{[0-9]*}}.is_due(steps - t) &&
// CHECK-NEXT: {{^}}        barricade::is_device_memory(x, 4) &&
// CHECK-NEXT: {{^}}        barricade::is_device_memory(y, 4) &&
// CHECK-NEXT: {{^}}        barricade::launch_persistent_exact(
float *handsOn(float *x, float *y, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(y, 0, 4);
    relax<<<n / 256, 256>>>(y, x, n);
    float *last = x;
    x = y;
    y = last;
  }
  return x;
}

// A product that has no value may be asked for where the loop comes to it.
//
// CHECK-LABEL: {{^}}void hasTwoExtents(
// CHECK:      {{^}}        barricade::is_device_memory(x, n * m * 4) &&
void hasTwoExtents(float *x, float *y, int n, int m, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(x, 0, n * m * 4);
    relax<<<n / 256, 256>>>(x, y, n);
  }
}

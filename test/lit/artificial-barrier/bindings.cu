// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a built-in variable that was taken apart are what its members
// are, unless something changes them.
//
// RUN: cp %s %t.cu
// RUN: %barricade --rules=artificial-barrier --in-place %t.cu -- nvcc -std=c++17 -arch=sm_80
// RUN: %dry-run --rules=artificial-barrier %t.cu -- nvcc -std=c++17 -arch=sm_80
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -ptx %t.cu -o %t.ptx %}
// RUN: %barricade --rules=artificial-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=FACTS %s

// FACTS: load of 4 bytes, global 'a', index {{.*}}threadIdx.x{{.*}}, coalesced
// CHECK-LABEL: void block(
// CHECK: for (int k = 0; k < x + dx; ++k) {
__global__ void block(const float *a, float *out) {
  auto [x, y, z] = blockIdx;
  const auto &[dx, dy, dz] = blockDim;
  auto [tx, ty, tz] = threadIdx;
  float s = 0;
  for (int k = 0; k < x + dx; ++k)
    s += a[k * 64 + tx] * (k + y + z + ty + tz + dy + dz);
  out[tx] = s;
}

// CHECK-LABEL: void thread(
// CHECK: for (int k = 0; __syncthreads_or(
__global__ void thread(const float *a, float *out) {
  auto [x, y, z] = threadIdx;
  float s = 0;
  for (int k = 0; k < x; ++k)
    s += a[k * 64 + x] * (k + y + z);
  out[x] = s;
}

// CHECK-LABEL: void changed(
// CHECK: for (int k = 0; __syncthreads_or(
__global__ void changed(const float *a, float *out) {
  auto [x, y, z] = blockIdx;
  x += threadIdx.x;
  float s = 0;
  for (int k = 0; k < x; ++k)
    s += a[k * 64 + threadIdx.x] * (k + y + z);
  out[x] = s;
}

// CHECK-LABEL: void changedElsewhere(
// CHECK: for (int k = 0; __syncthreads_or(
__device__ void grow(unsigned &x) { x += threadIdx.x; }
__global__ void changedElsewhere(const float *a, float *out) {
  auto [x, y, z] = blockIdx;
  grow(x);
  float s = 0;
  for (int k = 0; k < x; ++k)
    s += a[k * 64 + threadIdx.x] * (k + y + z);
  out[x] = s;
}

// CHECK-LABEL: void changedByPointer(
// CHECK: for (int k = 0; __syncthreads_or(
__global__ void changedByPointer(const float *a, float *out) {
  auto [x, y, z] = blockIdx;
  unsigned *p = &x;
  *p += threadIdx.x;
  float s = 0;
  for (int k = 0; k < x; ++k)
    s += a[k * 64 + threadIdx.x] * (k + y + z);
  out[x] = s;
}

// CHECK-LABEL: void changedByReference(
// CHECK: for (int k = 0; __syncthreads_or(
__global__ void changedByReference(const float *a, float *out) {
  auto [x, y, z] = blockIdx;
  auto &same = x;
  same += threadIdx.x;
  float s = 0;
  for (int k = 0; k < x; ++k)
    s += a[k * 64 + threadIdx.x] * (k + y + z);
  out[x] = s;
}

// Its own type.
// CHECK-LABEL: void copied(
// CHECK: for (int k = 0; __syncthreads_or(
__global__ void copied(const float *a, float *out) {
  uint3 own = blockIdx;
  own.x = threadIdx.x;
  auto [x, y, z] = own;
  float s = 0;
  for (int k = 0; k < x; ++k)
    s += a[k * 64 + threadIdx.x] * (y + z);
  out[x] = s;
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose text or whose elements are not what they seem, each beside some
// that are. OWNED: without a barrier; MEET: with one for the grid.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_80 > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: not %dry-run --rules=launch-fusion %s -- nvcc -std=c++17 -arch=sm_80 2>/dev/null | FileCheck --check-prefix=TEXT %s

#include <future>
#include <memory>

__global__ void grow(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 3;
}
__global__ void reverse(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[n - 1 - i];
}

//===--- More dimensions --------------------------------------------------===//

// A thread's number in x tells it apart in a launch of one dimension only, and
// nothing checks that where the kernels meet at a grid barrier.
//
// CHECK: :[[#@LINE+2]]:3: warning: 3 launches
void mayHaveMore(float *x, float *y, int n, dim3 grid, dim3 block) {
  grow<<<grid, block>>>(x, n);
  scale<<<grid, block>>>(x, n);
  reverse<<<grid, block>>>(y, x, n);
}
// TEXT:      mayHaveMore_fused(
// TEXT:      +  grow_step(
// TEXT-NEXT: +  __gpu_sync(
// TEXT-NEXT: +  scale_step(
// TEXT-NEXT: +  __gpu_sync(
// TEXT-NEXT: +  reverse_step(

void hasOne(float *x, float *y, int n) {
  grow<<<n / 256, 256>>>(x, n);
  scale<<<n / 256, 256>>>(x, n);
  reverse<<<n / 256, 256>>>(y, x, n);
}
// TEXT:      hasOne_fused(
// TEXT:      +  grow_step(
// TEXT-NEXT: +  scale_step(
// TEXT-NEXT: +  __gpu_sync(
// TEXT-NEXT: +  reverse_step(

//===--- Names ------------------------------------------------------------===//

float *x;
// CHECK: :[[#@LINE+3]]:3: note: {{.*}} [name-clash]
void hides(float *y, int n) {
  grow<<<n / 256, 256>>>(x, n);
  float *x = y;
  scale<<<n / 256, 256>>>(x, n);
}
#define BUFFER x
// CHECK: :[[#@LINE+3]]:3: note: {{.*}} [name-clash]
void hidesFromMacro(float *y, int n) {
  grow<<<n / 256, 256>>>(BUFFER, n);
  float *x = y;
  scale<<<n / 256, 256>>>(x, n);
}
namespace other {
int size;
}
// CHECK: :[[#@LINE+3]]:3: note: {{.*}} [name-clash]
void brings(float *y, int n) {
  grow<<<n / 256, 256>>>(y, n);
  using namespace other;
  scale<<<n / 256, 256>>>(y, n);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches in a row can become one kernel
void hidesNothing(float *y, int n) {
  grow<<<n / 256, 256>>>(y, n);
  float *z = y;
  scale<<<n / 256, 256>>>(z, n);
}

//===--- What the program spells ------------------------------------------===//

constexpr int Tile = 16;
template <int N> __global__ void tiled(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += N;
}
void spelled(float *x, int n) {
  tiled<Tile><<<n / 256, 256>>>(x, n);
  tiled<Tile * 2><<<n / 256, 256>>>(x, n);
}
// TEXT:      spelled_fused(
// TEXT:      +  tiled_step<Tile>(
// TEXT-NEXT: +  tiled_step<Tile * 2>(
// TEXT:      {tiled<Tile>, tiled<Tile * 2>}
template <int N = Tile> __global__ void byDefault(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += N;
}
void defaulted(float *x, int n) {
  byDefault<<<n / 256, 256>>>(x, n);
  byDefault<Tile + 1><<<n / 256, 256>>>(x, n);
}
// TEXT:      defaulted_fused(
// TEXT:      +  byDefault_step(
// TEXT-NEXT: +  byDefault_step<Tile + 1>(

//===--- Pointers that no argument shows ----------------------------------===//

__constant__ float *held;
__constant__ float number;
__global__ void throughConstant(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    held[n - i] += 1;
}
__global__ void readsConstant(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += number;
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since throughConstant reaches memory that no parameter shows
void reachesConstant(float *x, int n) {
  grow<<<n / 256, 256>>>(x, n);
  throughConstant<<<n / 256, 256>>>(n);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} without a barrier
void usesConstant(float *x, int n) {
  grow<<<n / 256, 256>>>(x, n);
  readsConstant<<<n / 256, 256>>>(x, n);
}
__device__ void store(const float *to) { *const_cast<float *>(to) = 1; }
__global__ void throughCast(const float *x, int n) {
  if (threadIdx.x < n)
    store(x + n - threadIdx.x);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __gpu_sync()
void castsAway(float *x, int n) {
  throughCast<<<n / 256, 256>>>(x, n);
  throughCast<<<n / 256, 256>>>(x, n);
}

//===--- Functions of libraries -------------------------------------------===//

// CHECK: :[[#@LINE+3]]:30: note: {{.*}} [argument]
void waitsForOther(float *x, int n, std::future<int> &size) {
  grow<<<n / 256, 256>>>(x, n);
  scale<<<n / 256, 256>>>(x, size.get());
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches in a row can become one kernel
void asksHolder(std::unique_ptr<float> &x, int n) {
  grow<<<n / 256, 256>>>(x.get(), n);
  scale<<<n / 256, 256>>>(x.get(), n);
}

// Nor are the types hidden that the fused kernel names itself.
//
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches
void namedLikeTypes(float *x, float *y, int uint3, int dim3) {
  grow<<<dim3 / 64 + 1, 64>>>(x, uint3);
  reverse<<<dim3 / 64, 64>>>(y, x, dim3);
}
// TEXT:      namedLikeTypes_fused(
// TEXT-NEXT: float *x, int uint32, float *y,
// TEXT-NEXT: int dim32, dim3 grow_grid,
// TEXT-NEXT: dim3 reverse_grid) {

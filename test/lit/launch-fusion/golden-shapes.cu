// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes one kernel, with how much between, and how it is written.
//
// RUN: %barricade --rules=launch-fusion %s -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=FOUND --implicit-check-not='warning:' %s
// RUN: %rewrite-check %s %t.cu --rules=launch-fusion
// RUN: grep -vE '^//( |$)|FOUND' %t.cu | FileCheck %s

// CHECK: {{^}}#include <barricade/gpu_sync.cuh>

#ifdef BARRICADE_EMULATED
#include "run_kernels.h"
#else
#define SHOW(data, count)
#endif

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x[i] *= 2;
}

__global__ void shift(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += by;
}

__global__ void copy(float *to, const float *__restrict__ from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

__global__ void smooth(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = from[i - 1] + from[i + 1];
}

//===--- No barrier -------------------------------------------------------===//

// One buffer, and a thread that returns from the first kernel.
//
// CHECK:      {{^}}/// scale and shift of affine() as one launch.
// CHECK-NEXT: {{^}}static __global__ void affine_fused(float *x, int n) {
// CHECK-NEXT: {{^}}  scale_step(blockIdx, x, n);
// CHECK-NEXT: {{^}}  barricade::end_step();
// CHECK-NEXT: {{^}}  shift_step(blockIdx, x, 1.5f, n);
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}  if (barricade::launch_fused(affine_fused, {scale, shift}, n / 256, 256, 0, 0,
// CHECK-NEXT: {{^}}                              x, n) != cudaSuccess) {
// CHECK-NEXT: {{^}}    scale<<<n / 256, 256>>>(x, n);
// CHECK-NEXT: {{^}}    // Then up.
// CHECK-NEXT: {{^}}    shift<<<n / 256, 256>>>(x, 1.5f, n); // Done.
// CHECK-NEXT: {{^}}  }
void affine(float *x, int n) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier, since each element of 'x' stays with its thread in both kernels
  scale<<<n / 256, 256>>>(x, n);
  // Then up.
  shift<<<n / 256, 256>>>(x, 1.5f, n); // Done.
}

// Buffers that are surely distinct; the first boundary needs no barrier, the
// second one does.
//
// CHECK:      {{^}}static __global__ void pipeline_fused(barricade::GridBarrier bar,
// CHECK:      {{^}}  scale_step(blockIdx, a, n);
// CHECK-NEXT: {{^}}  barricade::end_step();
// CHECK-NEXT: {{^}}  copy_step(blockIdx, b, barricade::coherent(a), n);
// CHECK-NEXT: {{^}}  __gpu_sync(bar);
// CHECK-NEXT: {{^}}  smooth_step(blockIdx, c, b, n);
// CHECK-NEXT: {{^}}}
void pipeline(int n) {
  float *a, *b = nullptr, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc((void **)&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(a, 1, n * sizeof(float));
  // FOUND: :[[@LINE+1]]:3: warning: 3 launches in a row can become one kernel with __gpu_sync(), since elements of 'b' are written by copy and read by smooth in threads that may be of other blocks
  scale<<<n / 128, 128>>>(a, n);
  copy<<<n / 128, 128>>>(b, a, n);
  smooth<<<n / 128, 128>>>(c, b, n);
  SHOW(c + 1, n - 2)
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

// Nothing in common but what both only read.
void apart(int n) {
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemset(a, 1, n * sizeof(float));
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier, since the kernels have no buffer in common that one of them writes
  smooth<<<n / 128, 128>>>(b, a, n);
  smooth<<<n / 128, 128>>>(c, a, n);
  SHOW(c + 1, n - 2)
}

// Loops over a grid's stride: element e is thread e modulo the grid's size.
__global__ void strided(float *x, int n) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    x[i] += 1;
}
__global__ void stridedToo(float *x, long n) {
  for (long i = threadIdx.x + blockDim.x * blockIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    x[i] *= 3;
}
void stride(float *x, int n) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier, since each element of 'x'
  strided<<<64, 256>>>(x, n);
  stridedToo<<<64, 256>>>(x, n);
}

// The same by counters that wrap above large limits, for which the launches
// stay.
__global__ void mixed(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    x[i] += 1;
}
__global__ void mixedToo(float *x, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    x[i] *= 3;
}
// CHECK:      {{^}}  if (barricade::launch_fused(limits_fused, {mixed, mixedToo, strided},
// CHECK-NEXT: {{^}}                              barricade::grid_below(n / 256, 256, n, m + 1),
// CHECK-NEXT: {{^}}                              256, 0, 0, x, n, m + 1) != cudaSuccess) {
// CHECK-NEXT: {{^}}    mixed<<<n / 256, 256>>>(x, n);
void limits(float *x, int n, long m) {
  // FOUND: :[[@LINE+1]]:3: warning: 3 launches in a row can become one kernel without a barrier, since each element of 'x' stays with its thread in both kernels, as long as no counter wraps
  mixed<<<n / 256, 256>>>(x, n);
  mixedToo<<<n / 256, 256>>>(x, m + 1);
  strided<<<n / 256, 256>>>(x, n);
}

// The same offset, by other ways.
__global__ void next(float *x) {
  float *own = x + 1;
  own[blockIdx.x * 64 + threadIdx.x] = 1;
}
__global__ void nextToo(float *x) {
  const size_t i = threadIdx.x + blockIdx.x * blockDim.x;
  x[i + 1] += 2.0f;
}
void offset(float *x) {
  constexpr dim3 block(64);
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier, since each element of 'x'
  next<<<4, 64>>>(x);
  nextToo<<<4, block>>>(x);
}

// Elements of class type, whole and in part.
__global__ void wide(float4 *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 old = v[i];
  old.x += v[i].y;
  v[i] = old;
}
void vectors(float4 *v) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier, since each element of 'v'
  wide<<<8, 64>>>(v);
  wide<<<8, 64>>>(v);
}

// Templates: arguments deduced, given, and of types.
template <typename T, int By> __global__ void add(T *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += By;
}
template <typename T> __global__ void twice(T *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
// CHECK:      {{^}}static __global__ void templates_fused(int *x) {
// CHECK-NEXT: {{^}}  add_step<int, 4>(blockIdx, x);
// CHECK-NEXT: {{^}}  twice_step<int>(blockIdx, x);
// CHECK:      {add<int, 4>, twice<int>}
void templates(int *x) {
  constexpr int four = 4;
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier, since each element of 'x'
  add<int, four><<<8, 64>>>(x);
  twice<<<8, 64>>>(x);
}

// What is computed in between stays where it is; the launches move.
//
// CHECK:      {{^}}  const int blocks = n / 64;
// CHECK-NEXT: {{^}}  // Half of it.
// CHECK-NEXT: {{^}}  const int half = n / 2;
// CHECK-NEXT: {{^}}  if (barricade::launch_fused(between_fused, {scale, shift}, blocks, 64, 0, 0,
// CHECK-NEXT: {{^}}                              x, n, half) != cudaSuccess) {
// CHECK-NEXT: {{^}}    scale<<<blocks, 64>>>(x, n);
// CHECK-NEXT: {{^}}    shift<<<blocks, 64>>>(x, 1, half);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  return half;
int between(float *x, int n) {
  const int blocks = n / 64;
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  scale<<<blocks, 64>>>(x, n);
  // Half of it.
  const int half = n / 2;
  shift<<<blocks, 64>>>(x, 1, half);
  return half;
}

// A member function; its fields are the host's business.
struct Solver {
  float *field;
  int n;
  cudaStream_t stream;
  int blocks() const { return (n + 63) / 64; }
  void step();
};
// CHECK:      {{^}}static __global__ void step_fused(float *field, int n, float by) {
// CHECK:      {{^}}  if (barricade::launch_fused(step_fused, {scale, shift}, blocks(), 64, 0,
// CHECK-NEXT: {{^}}                              stream, field, n, -1) != cudaSuccess) {
void Solver::step() {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  scale<<<blocks(), 64, 0, stream>>>(field, n);
  shift<<<blocks(), 64, 0, stream>>>(field, -1, n);
}

// Kernels of another namespace, whose definitions come later, with bounds.
namespace late {
__global__ void first(float *x);
__global__ void second(float *x);
// CHECK: {{^}}__device__ __forceinline__ void first_step(const uint3 blockIdx, float *x);
// CHECK: {{^}}static __global__ void __launch_bounds__(64, 2) both_fused(float *x) {
void both(float *x) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  first<<<4, 64>>>(x);
  second<<<4, 64>>>(x);
}
__global__ void __launch_bounds__(64, 2) first(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
__global__ void __launch_bounds__(64, 2) second(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += 2;
}
} // namespace late

// CHECK:      {{^}}  ::late::first_step(blockIdx, x);
// CHECK-NEXT: {{^}}  ::late::second_step(blockIdx, x);
// CHECK:      {barricade::AnyKernel(twice<int>)}
void oneInstance(int *x) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier, since each element of 'x'
  twice<<<8, 64>>>(x);
  twice<<<8, 64>>>(x);
}

// CHECK:      {late::first, late::second}
void elsewhere(float *x) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  late::first<<<4, 64>>>(x);
  late::second<<<4, 64>>>(x);
}

// Types and macros that have their meaning here, not where the kernel stands.
namespace late {
using Real = float;
__global__ void raise(Real *x, Real by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}
} // namespace late
// CHECK: {{^}}static __global__ void meanings_fused(late::Real *x, late::Real by) {
void meanings(float *x) {
  typedef float mine;
  mine *own = x;
#define BY 3
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  late::raise<<<4, 64>>>(x, BY);
  late::raise<<<4, 64>>>(x, BY);
#undef BY
  cudaMemset(own, 0, 4);
}

namespace late {
namespace inner {
using Real = double;
// CHECK: {{^}}static __global__ void hidden_fused(::late::Real *x, ::late::Real by) {
void hidden(float *x, float by) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  raise<<<4, 64>>>(x, by);
  raise<<<4, 64>>>(x, by);
}
} // namespace inner
namespace other {
// CHECK: {{^}}static __global__ void seen_fused(Real *x, Real by) {
void seen(float *x, float by) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  raise<<<4, 64>>>(x, by);
  raise<<<4, 64>>>(x, by);
}
} // namespace other
} // namespace late

//===--- __syncthreads() --------------------------------------------------===//

// A sum for each block. Threads of the first kernel have returned.
__global__ void sums(float *partial, const float *x) {
  __shared__ float all[64];
  all[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += all[k];
  partial[blockIdx.x] = sum;
}
__global__ void normalize(float *y, const float *partial) {
  y[blockIdx.x * blockDim.x + threadIdx.x] /= partial[blockIdx.x];
}
// CHECK:      void softmax_fused(
// CHECK-NEXT: {{^}}  sums_step(blockIdx, partial, x);
// CHECK-NEXT: {{^}}  __syncthreads();
// CHECK-NEXT: {{^}}  normalize_step(blockIdx, y, partial);
void softmax(int blocks) {
  float *x, *y, *partial;
  cudaMalloc(&x, blocks * 64 * sizeof(float));
  cudaMalloc(&y, blocks * 64 * sizeof(float));
  cudaMalloc(&partial, blocks * sizeof(float));
  cudaMemset(x, 1, blocks * 64 * sizeof(float));
  cudaMemset(y, 1, blocks * 64 * sizeof(float));
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __syncthreads(), since elements of 'partial', written by sums and read by normalize, stay within their block
  sums<<<blocks, 64>>>(partial, x);
  normalize<<<blocks, 64>>>(y, partial);
  SHOW(y, blocks * 64)
}

// Mirrored within the block.
__global__ void mirror(float *y, const float *x) {
  y[blockIdx.x * blockDim.x + threadIdx.x] =
      x[blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x)];
}
void mirrored(int blocks) {
  float *x, *y;
  cudaMalloc(&x, blocks * 64 * sizeof(float));
  cudaMalloc(&y, blocks * 64 * sizeof(float));
  cudaMemset(x, 1, blocks * 64 * sizeof(float));
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __syncthreads(), since elements of 'x', written by shift and read by mirror, stay within their block
  shift<<<blocks, 64>>>(x, 1, blocks * 64);
  mirror<<<blocks, 64>>>(y, x);
  SHOW(y, blocks * 64)
}

// One variable of the step serves twice.
__global__ void reversed(float *x) {
  __shared__ float all[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  all[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = all[63 - threadIdx.x];
}
void scratch(float *x) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __syncthreads(), since both kernels use the same shared memory
  reversed<<<4, 64>>>(x);
  reversed<<<4, 64>>>(x);
}

// Dynamic shared memory is one for all.
__global__ void dynamic(float *x) {
  extern __shared__ float space[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  space[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = space[blockDim.x - 1 - threadIdx.x];
}
__global__ void dynamicToo(float *x) {
  extern __shared__ float space[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  space[threadIdx.x] = 2 * x[i];
  __syncthreads();
  x[i] = space[threadIdx.x / 2];
}
// CHECK: {{^}}  if (barricade::launch_fused(spaces_fused, {dynamic, dynamicToo}, 4, 64, bytes,
// CHECK-NEXT: stream, x) != cudaSuccess) {
void spaces(float *x, size_t bytes, cudaStream_t stream) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __syncthreads(), since both kernels use the same shared memory
  dynamic<<<4, 64, bytes, stream>>>(x);
  dynamicToo<<<4, 64, bytes, stream>>>(x);
}

//===--- __gpu_sync() -----------------------------------------------------===//

// Neighbours.
//
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(neighbours_fused, n / 64, 64, 0, 0, y,
// CHECK-NEXT: {{^}}                                         x, n) != cudaSuccess) {
// CHECK-NEXT: {{^}}    smooth<<<n / 64, 64>>>(y, x, n);
// CHECK-NEXT: {{^}}    smooth<<<n / 64, 64>>>(x, y, n);
// CHECK-NEXT: {{^}}  }
void neighbours(float *x, float *y, int n) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since
  smooth<<<n / 64, 64>>>(y, x, n);
  smooth<<<n / 64, 64>>>(x, y, n);
}

// Two parameters may be one buffer, or two parts of one.
void aliases(float *x, float *y, int n) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since 'x' and 'y' may be the same memory
  scale<<<n / 64, 64>>>(x, n);
  scale<<<n / 64, 64>>>(y, n);
}

// Grids of their own: each kernel runs its logical blocks.
//
// CHECK:      {{^}}  for (uint3 block : barricade::logical_blocks(scale_grid))
// CHECK-NEXT: {{^}}    scale_step(block, x, n);
// CHECK-NEXT: {{^}}  __gpu_sync(bar);
// CHECK-NEXT: {{^}}  for (uint3 block : barricade::logical_blocks(reversed_grid)) {
// CHECK-NEXT: {{^}}    reversed_step(block, x);
// CHECK-NEXT: {{^}}    __syncthreads();
// CHECK-NEXT: {{^}}  }
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(
// CHECK:      barricade::largest_grid(n / 64, 3), 64
void grids(float *x, int n) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since the grids may differ
  scale<<<n / 64, 64>>>(x, n);
  reversed<<<3, 64>>>(x);
}

// A variable of the device; a pointer that memory holds.
__device__ int counter;
__global__ void count(int *x) {
  if (x[blockIdx.x * blockDim.x + threadIdx.x] > 0)
    atomicAdd(&counter, 1);
}
void counts(int *x) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since count reaches memory that no parameter shows
  count<<<4, 64>>>(x);
  twice<<<4, 64>>>(x);
}
__global__ void rows(float **x) { x[blockIdx.x][threadIdx.x] += 1; }
void row(float **x) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since rows reaches memory that no parameter shows
  rows<<<4, 64>>>(x);
  rows<<<4, 64>>>(x);
}

//===--- Near misses of no barrier ----------------------------------------===//

// The index may wrap, changes, or is another one.
__global__ void wraps(float *x, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2;
       i += blockDim.x * gridDim.x)
    x[i] += 1;
}
__global__ void wrapsToo(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    x[i] += 1;
    i += blockDim.x * gridDim.x;
  }
}
// Others may go by what the second one shows them.
__global__ void signals(float *x) {
  __threadfence();
  atomicExch(&x[blockIdx.x * blockDim.x + threadIdx.x], 1);
}
__global__ void adds(float *x) {
  atomicAdd(&x[blockIdx.x * blockDim.x + threadIdx.x], 1);
}
__global__ void tells(volatile float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void tellsThroughCaches(float *x) {
  __stwt((int *)&x[blockIdx.x * blockDim.x + threadIdx.x], 1);
}
__global__ void moves(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  i = n - i;
  x[i] += 1;
}
__global__ void narrow(char *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void offByOne(float *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x + 1] = 1;
}
__global__ void constantSize(float *x) { x[blockIdx.x * 64 + threadIdx.x] = 1; }
__global__ void passes(float *x);
// No limit helps against the second access.
__global__ void mixedAndNext(float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    x[i] += 1;
  x[blockIdx.x * blockDim.x + threadIdx.x + 1024] += 1;
}
__device__ void put(float *x, int i) { x[i] = 1; }
__global__ void passes(float *x) {
  put(x, blockIdx.x * blockDim.x + threadIdx.x);
}
// CHECK:      void nearMisses(
// CHECK-NOT:  grid_below
// CHECK:      void notDistinct(
void nearMisses(float *x, int n) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since elements of 'x' are written by wraps and written by twice
  wraps<<<4, 64>>>(x, n);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since elements of 'x' are written by moves and written by twice
  moves<<<4, 64>>>(x, n);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since '(char *)x' and 'x' may be the same memory
  narrow<<<4, 64>>>((char *)x);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since elements of 'x' are written by offByOne and written by twice
  offByOne<<<4, 64>>>(x);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since elements of 'x' are written by constantSize and written by twice
  constantSize<<<4, 128>>>(x);
  twice<<<4, 128>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since elements of 'x' are written by passes and written by twice
  passes<<<4, 64>>>(x);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since elements of 'x' are written by wrapsToo and written by twice
  wrapsToo<<<4, 64>>>(x, n);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since elements of 'x' are written by mixed and written by twice
  mixed<<<4, 64>>>(x, 2.5f);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since elements of 'x' are written by mixedAndNext and written by twice
  mixedAndNext<<<4, 64>>>(x, n);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since signals has a fence, an atomic or a volatile access, by which others outside of the grid may go
  twice<<<4, 64>>>(x);
  signals<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since adds has a fence, an atomic
  adds<<<4, 64>>>(x);
  twice<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since tells has a fence, an atomic
  twice<<<4, 64>>>(x);
  tells<<<4, 64>>>(x);
  cudaDeviceSynchronize();
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel with __gpu_sync(), since tellsThroughCaches has a fence, an atomic
  twice<<<4, 64>>>(x);
  tellsThroughCaches<<<4, 64>>>(x);
}

// Not two allocations: one is a part of the other, or has been given away.
void notDistinct(int n) {
  float *a, *b, *c, **way = &c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  b = a + 1;
  // FOUND: :[[@LINE+1]]:3: warning: 3 launches in a row can become one kernel with __gpu_sync(), since 'a' and 'b' may be the same memory
  scale<<<n / 64, 64>>>(a, n);
  scale<<<n / 64, 64>>>(b, n);
  scale<<<n / 64, 64>>>(c, n);
  *way = a;
}

//===--- What has no name of its own --------------------------------------===//

struct Field {
  Field(float *x, int n);
  ~Field();
  operator float *() const;
  float *x;
};

// CHECK: void Field_fused(float *x, int n) {
Field::Field(float *x, int n) : x(x) {
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  scale<<<n / 256, 256>>>(x, n);
  shift<<<n / 256, 256>>>(x, 1.5f, n);
}

// CHECK: void Field_fused2(
Field::~Field() {
  float *own = x;
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  scale<<<1, 256>>>(own, 256);
  shift<<<1, 256>>>(own, 1.5f, 256);
}

// CHECK: void operators_fused(
Field::operator float *() const {
  float *own = x;
  // FOUND: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier
  scale<<<1, 256>>>(own, 256);
  shift<<<1, 256>>>(own, 2.5f, 256);
  return own;
}

#ifdef BARRICADE_EMULATED
int main() {
  Buffer<float> x("x", 2048), y("y", 2048);
  Buffer<int> whole("whole", 512);
  affine(x, 512);
  pipeline(256);
  apart(256);
  stride(x, 2000);
  offset(x);
  vectors((float4 *)(float *)x);
  templates(whole);
  between(x, 256);
  Solver{x, 100, 0}.step();
  late::both(x);
  elsewhere(x);
  meanings(x);
  softmax(3);
  mirrored(3);
  scratch(x);
  spaces(x, 64 * sizeof(float), 0);
  neighbours(x, y, 256);
  aliases(x, x + 64, 256);
  grids(x, 256);
  counts(whole);
  float *own[] = {x, x + 64, y, y + 64};
  row(onDevice<float *>({own, own + 4}));
  nearMisses(x, 256);
  Field field(x, 256);
  std::printf("%d\n", static_cast<float *>(field) != nullptr);
}
#endif

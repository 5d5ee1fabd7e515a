// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences that are taken for grid barriers.
//
// RUN: not %barricade --rules=fence-as-barrier %s -- nvcc -std=c++17 -arch=sm_80 2>&1 \
// RUN:   | FileCheck --implicit-check-not='error: memory' --implicit-check-not='[needs-grid-barrier]' %s
// REQUIRES: nvcc

#include <cooperative_groups.h>
#include <cuda/atomic>

__global__ void leftNeighbour(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  if (i > 0)
    b[i] = a[i - 1];
}
// CHECK: :[[#@LINE-4]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:12: note: thread i reads 'a[i - 1]', which thread i - 1 writes before its own fence, in another block where threadIdx.x is 0 [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void rightNeighbour(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n)
    return;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// A barrier of the block does not help at its edges.
__global__ void blockBarrierToo(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  b[i] = i >= 2 ? a[i - 2] : 0;
}
// CHECK: :[[#@LINE-4]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:19: note: thread i reads 'a[i - 2]', which thread i - 2 writes before its own fence, in another block where threadIdx.x < 2 [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void offset(float *a, int n, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = i;
  __threadfence();
  if (i + distance < n)
    a[i] = a[i + distance];
}
// CHECK: :[[#@LINE-4]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:12: note: thread i reads 'a[i + distance]', which thread i + distance writes before its own fence, for many i in another block [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void transposed(float *a, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  a[y * n + x] = x;
  __threadfence();
  b[y * n + x] = a[x * n + y];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:18: note: block 3 reads 'a[x * n + y]' (thread 0), which block 1 writes before its own fence (thread 0), with 9 blocks of 64 threads, n = 16 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + n*blockIdx.y*blockDim.y + n*threadIdx.y + threadIdx.x

// Each of the fences stands for a barrier of its own.
__global__ void twoFences(float *a, float *b, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
  __threadfence();
  c[i] = b[i + 1];
}
// CHECK: :[[#@LINE-5]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-5]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-8]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x
// CHECK: :[[#@LINE-6]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-6]]:10: note: thread i reads 'b[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-9]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void inLoop(float *a, float *b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    b[i] = a[i + 1];
    __threadfence();
    a[i] = b[i];
  }
}
// CHECK: :[[#@LINE-4]]:5: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-6]]:12: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-5]]:5: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x
// CHECK: :[[#@LINE-6]]:5: note: thread i writes 'a[i]', which thread i - 1 reads before its own fence, in another block where threadIdx.x is 0 [needs-grid-barrier]
// CHECK: :[[#@LINE-9]]:12: note: read here before the fence: element blockIdx.x*blockDim.x + threadIdx.x + 1

__device__ void store(float *p, int i) { p[i] = i; }
__device__ float loadNext(const float *p, int i) { return p[i + 1]; }
__device__ void barrierOfSorts() {
  __syncthreads();
  __threadfence();
}
// CHECK: :[[#@LINE-2]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-6]]:59: note: thread i reads 'p[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-8]]:42: note: written here before the fence: element i
__global__ void throughFunctions(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  store(a, i);
  barrierOfSorts();
  b[i] = loadNext(a, i);
}

__global__ void aliases(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *here = a + i, *left = here;
  --left;
  float &target = *here;
  target = i;
  __threadfence();
  if (i > 0)
    b[i] = *left;
}
// CHECK: :[[#@LINE-4]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:12: note: thread i reads '*left', which thread i - 1 writes before its own fence, in another block where threadIdx.x is 0 [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// P5's merge of "save C" with "C ^= B << x".
__global__ void saveAndAdd(unsigned *old, unsigned *c, const unsigned *b,
                           int offset, int bits, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < words)
    old[i] = c[i];
  __threadfence();
  if (i + offset < words)
    c[i + offset] ^= b[i] << bits;
}
// CHECK: :[[#@LINE-4]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:5: note: thread i writes 'c[i + offset]', which thread i + offset reads before its own fence, for many i in another block [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:14: note: read here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// ... with "B = old C" as well.
__global__ void saveAddAndSwap(unsigned *old, unsigned *c, unsigned *b,
                               int shift, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words)
    return;
  old[i] = c[i];
  __threadfence();
  int source = i - shift;
  if (source >= 0)
    c[i] ^= b[source];
  __threadfence();
  b[i] = old[i];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:3: note: thread i writes 'b[i]', which thread i + shift reads before its own fence, for many i in another block [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:13: note: read here before the fence: element blockIdx.x*blockDim.x + threadIdx.x - shift

// No ticket tells block 0 that the others are done.
__global__ void firstBlockSums(const float *in, float *partial, float *total) {
  if (threadIdx.x == 0)
    partial[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    float sum = 0;
    for (int k = 0; k < gridDim.x; ++k)
      sum += partial[k];
    *total = sum;
  }
}
// CHECK: :[[#@LINE-8]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-5]]:14: note: block 0 reads 'partial[k]' (thread 0), which block 1 writes before its own fence (thread 0), with 3 blocks of 64 threads [needs-grid-barrier]
// CHECK: :[[#@LINE-11]]:5: note: written here before the fence: element blockIdx.x

// The ticket is taken, but nobody looks at it.
__global__ void unusedTicket(const float *in, float *partial, float *total,
                             unsigned *count) {
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    atomicAdd(count, 1);
  }
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x < gridDim.x)
    total[threadIdx.x] = partial[threadIdx.x];
}
// CHECK: :[[#@LINE-7]]:5: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:26: note: block 2 reads 'partial[threadIdx.x]' (thread 0), which block 0 writes before its own fence (thread 0), with 3 blocks of 64 threads [needs-grid-barrier]
// CHECK: :[[#@LINE-10]]:5: note: written here before the fence: element blockIdx.x

__global__ void gridStride(float *a, float *b, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    a[i] = i;
  __threadfence();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + 1 < n; i += stride)
    b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-4]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:12: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:5: note: written here before the fence: element blockIdx.x*blockDim.x + blockDim.x*gridDim.x*it(i) + threadIdx.x

// What is read before the fence is overwritten after it.
__global__ void inPlace(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) {
    float right = a[i + 1];
    __threadfence();
    a[i] = right;
  }
}
// CHECK: :[[#@LINE-4]]:5: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-4]]:5: note: thread i writes 'a[i]', which thread i - 1 reads before its own fence, in another block where threadIdx.x is 0 [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:19: note: read here before the fence: element blockIdx.x*blockDim.x + threadIdx.x + 1

__global__ void twoWriters(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  a[i + 1] = -i;
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:3: note: thread i writes 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// One thread fences for its block, and none waits for another block.
__global__ void oneThreadFences(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __syncthreads();
  if (threadIdx.x == 0)
    __threadfence();
  __syncthreads();
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-4]]:5: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-9]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// A prefix sum of the grid (Hillis and Steele).
__global__ void scan(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int distance = 1; distance < n; distance *= 2) {
    int sum = 0;
    if (i < n && i >= distance)
      sum = a[i - distance];
    __threadfence();
    if (i < n)
      a[i] += sum;
    __threadfence();
  }
}
// CHECK: :[[#@LINE-6]]:5: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-5]]:7: note: thread i writes 'a[i]', which thread i + distance reads before its own fence, for many i in another block [needs-grid-barrier]
// CHECK: :[[#@LINE-9]]:13: note: read here before the fence: element blockIdx.x*blockDim.x + threadIdx.x - distance
// CHECK: :[[#@LINE-6]]:5: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-11]]:13: note: thread i reads 'a[i - distance]', which thread i - distance writes before its own fence, for many i in another block [needs-grid-barrier]
// CHECK: :[[#@LINE-9]]:7: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void assembly(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  asm volatile("membar.gl;" ::: "memory");
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void assemblyFence(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void systemFence(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence_system();
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void libraryFence(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst,
                            cuda::thread_scope_device);
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-4]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__device__ float table[1 << 20];
__global__ void deviceVariable(float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  table[i] = i;
  __threadfence();
  b[i] = table[i + 1];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'table[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

template <typename T, int Reach> __global__ void stencil(T *a, T *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = a[i + Reach];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 3]', which thread i + 3 writes before its own fence, in another block where threadIdx.x >= blockDim.x - 3 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x
template __global__ void stencil<float, 0>(float *, float *);
template __global__ void stencil<float, 3>(float *, float *);

#define ALL_DONE() __threadfence()
#define AT(p, d) p[blockIdx.x * blockDim.x + threadIdx.x + (d)]
__global__ void macros(float *a, float *b) {
  AT(a, 0) = 1;
  ALL_DONE();
  AT(b, 0) = AT(a, 1);
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:14: note: thread i reads 'a[blockIdx.x * blockDim.x + threadIdx.x + (1)]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void rows(float *a, float *b, int width, int height, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  a[y * pitch + x] = x;
  __threadfence();
  b[y * pitch + x] = y > 0 ? a[(y - 1) * pitch + x] : 0;
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:30: note: block 3 reads 'a[(y - 1) * pitch + x]' (thread 0), which block 0 writes before its own fence (thread 56), with 9 blocks of 64 threads, height = 16, pitch = 16, width = 16 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + pitch*blockIdx.y*blockDim.y + pitch*threadIdx.y + threadIdx.x

struct Field {
  float *now, *then;
  int width;
};
__global__ void structure(Field f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= f.width)
    return;
  f.now[i] = i;
  __threadfence();
  f.then[i] = f.now[f.width - 1 - i];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:15: note: block 1 reads 'f.now[f.width - 1 - i]' (thread 35), which block 0 writes before its own fence (thread 0), with 3 blocks of 64 threads, f.width = 100 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// The grid barrier came before, not between.
__global__ void earlierGridBarrier(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cooperative_groups::this_grid().sync();
  a[i] = i;
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// Caches are not what is at fault.
__global__ void cacheHints(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  b[i] = __ldcg(&a[i + 1]);
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads '__ldcg(&a[i + 1])', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

__global__ void clamped(float *a, float *b, int n) {
  int i = min(blockIdx.x * blockDim.x + threadIdx.x, n - 1);
  a[i] = i;
  __threadfence();
  b[i] = a[max(i - 1, 0)];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: block 1 reads 'a[max(i - 1, 0)]' (thread 0), which block 0 writes before its own fence (thread 63), with 3 blocks of 64 threads, n = 100 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element min(blockIdx.x * blockDim.x + threadIdx.x, n - 1)

__global__ void vectors(float4 *a, float4 *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = make_float4(1, 2, 3, 4);
  __threadfence();
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// A butterfly over the grid.
__global__ void butterfly(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = i;
  __threadfence();
  for (int mask = 1; mask < n; mask *= 2)
    if ((i ^ mask) < n)
      b[i] += a[i ^ mask];
}
// CHECK: :[[#@LINE-5]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:15: note: block 1 reads 'a[i ^ mask]' (thread 0), which block 0 writes before its own fence (thread 0), with 3 blocks of 64 threads, n = 100 [needs-grid-barrier]
// CHECK: :[[#@LINE-8]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// One thread writes what all print.
__device__ int answer;
__global__ void oneWriter() {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    answer = 42;
  __threadfence();
  printf("%d of block %d\n", answer, blockIdx.x);
}
// CHECK: :[[#@LINE-3]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:30: note: block 1 reads 'answer' (thread 0), which block 0 writes before its own fence (thread 0), with 3 blocks of 64 threads [needs-grid-barrier]
// CHECK: :[[#@LINE-6]]:5: note: written here before the fence: element 0

// The number of blocks is not always one.
__global__ void blocksByVariable(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-4]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-7]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x
void launchByVariable(float *a, float *b, int n) {
  int blocks = 1;
  if (n > 256)
    blocks = n / 256;
  blocksByVariable<<<blocks, 256>>>(a, b);
}

// Counting is no waiting.
__global__ void counted(float *a, float *b, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  atomicAdd(count, 1);
  __syncthreads();
  b[i] = a[i + 1];
}
// CHECK: :[[#@LINE-5]]:3: error: memory fence is used as a grid barrier
// CHECK: :[[#@LINE-3]]:10: note: thread i reads 'a[i + 1]', which thread i + 1 writes before its own fence, in another block where threadIdx.x is blockDim.x - 1 [needs-grid-barrier]
// CHECK: :[[#@LINE-8]]:3: note: written here before the fence: element blockIdx.x*blockDim.x + threadIdx.x

// Objects that only compute are no barriers.
struct Computes {
  int y;
  int x = y + 1;
  __device__ ~Computes() { x = 0; }
};
// CHECK: :[[#@LINE+6]]:3: error: memory fence is used as a grid barrier
__global__ void computes(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  Computes made{2}, all[2] = {{1}, {2}};
  Computes{3};
  __threadfence();
  b[i] = a[i + 1] + made.x + all[1].x;
}
// CHECK: :[[#@LINE-2]]:10: note: {{.*}} [needs-grid-barrier]

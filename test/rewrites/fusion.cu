// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in a row, of all forms. Each case computes its own result on the
// host; exit code 0 where all agree. With --persistent the rewrite must run its
// own kernels on a device that is large enough.

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

constexpr int Block = 32;

template <typename T> struct Buffer {
  T *data;
  explicit Buffer(const std::vector<T> &values) {
    if (cudaMalloc(&data, values.size() * sizeof(T)) != cudaSuccess)
      std::exit(2);
    cudaMemcpy(data, values.data(), values.size() * sizeof(T),
               cudaMemcpyHostToDevice);
  }
  ~Buffer() { cudaFree(data); }
  std::vector<T> get(size_t count) const {
    std::vector<T> values(count);
    cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
};

static bool failed = false;

template <typename T>
static void expect(const char *name, int n, const std::vector<T> &got,
                   const std::vector<T> &want) {
  for (size_t i = 0; i < want.size(); ++i)
    if (got[i] != want[i]) {
      std::printf("%s, n = %d: element %zu is %d instead of %d\n", name, n, i,
                  int(got[i]), int(want[i]));
      failed = true;
      return;
    }
}

static std::vector<int> numbers(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = (i * 7919 + 13) % 101 - 50;
  return values;
}

//===--- Without a barrier ------------------------------------------------===//

__global__ void scale(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || x[i] < 0)
    return;
  x[i] *= 3;
}
__global__ void shift(int *x, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += by;
}
__global__ void spread(int *x, int n) {
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    x[i] = 2 * x[i] + 1;
}

static void sameThread(int n) {
  Buffer<int> x(numbers(n));
  const int blocks = (n + Block - 1) / Block;
  int *p = x.data;
  scale<<<blocks, Block>>>(p, n);
  const int half = n / 2;
  shift<<<blocks, Block>>>(p, 5, half);
  spread<<<blocks, Block>>>(p, n);
  std::vector<int> want = numbers(n);
  for (int i = 0; i < n; ++i) {
    want[i] = want[i] < 0 ? want[i] : 3 * want[i];
    want[i] = 2 * (want[i] + (i < half ? 5 : 0)) + 1;
  }
  expect("same thread", n, x.get(n), want);
}

/// The counter may wrap above the largest limits, which leave the launches.
__global__ void add(int *x, int n, int limit) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < limit;
       i += blockDim.x * gridDim.x) {
    if (i >= n)
      return;
    x[i] += i;
  }
}
__global__ void twice(int *x, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; n > i;
       i += blockDim.x * gridDim.x)
    x[i] *= 2;
}

static void limited(int n, long limit) {
  Buffer<int> x(numbers(n));
  int *p = x.data;
  add<<<3, Block>>>(p, n, limit);
  twice<<<3, Block>>>(p, n);
  add<<<3, Block>>>(p, n, n);
  std::vector<int> want = numbers(n);
  for (int i = 0; i < n; ++i)
    want[i] = (want[i] + (i < limit ? i : 0)) * 2 + i;
  expect("limited", n, x.get(n), want);
}

//===--- __syncthreads() --------------------------------------------------===//

__global__ void blockSums(int *sums, const int *x, int n) {
  __shared__ int all[Block];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  all[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  if (threadIdx.x != blockDim.x - 1)
    return;
  int sum = 0;
  for (int k = 0; k < Block; ++k)
    sum += all[k];
  sums[blockIdx.x] = sum;
}
__global__ void addSums(int *y, const int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = sums[blockIdx.x] + i;
}
__global__ void reverseBlocks(int *x) {
  extern __shared__ int space[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  space[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = space[blockDim.x - 1 - threadIdx.x] + 1;
}

static void sameBlock(int blocks) {
  const int n = blocks * Block - 5;
  int *x, *y, *sums;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMalloc(&sums, blocks * sizeof(int));
  cudaMemcpy(x, numbers(n).data(), n * sizeof(int), cudaMemcpyHostToDevice);
  blockSums<<<blocks, Block>>>(sums, x, n);
  addSums<<<blocks, Block>>>(y, sums, n);
  std::vector<int> got(n), want(n), from = numbers(n);
  cudaMemcpy(got.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    want[i] = i;
    for (int k = i / Block * Block; k < n && k < (i / Block + 1) * Block; ++k)
      want[i] += from[k];
  }
  expect("same block", n, got, want);
  cudaFree(x);
  cudaFree(y);
  cudaFree(sums);
}

static void sharedMemory(int blocks) {
  const int n = blocks * Block;
  Buffer<int> x(numbers(n));
  int *p = x.data;
  reverseBlocks<<<blocks, Block, Block * sizeof(int)>>>(p);
  reverseBlocks<<<blocks, Block, Block * sizeof(int)>>>(p);
  reverseBlocks<<<blocks, Block, Block * sizeof(int)>>>(p);
  std::vector<int> want(n), from = numbers(n);
  for (int i = 0; i < n; ++i)
    want[i] = from[i / Block * Block + Block - 1 - i % Block] + 3;
  expect("shared memory", n, x.get(n), want);
}

//===--- __gpu_sync() -----------------------------------------------------===//

__global__ void rotate(int *to, const int *__restrict__ from, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  to[i] = from[(i + by) % n] + 1;
}
__device__ int total;
__global__ void sum(const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&total, x[i]);
}
__global__ void store(int *x) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    x[0] = total;
}

static void otherThreads(int n) {
  Buffer<int> x(numbers(n)), y(numbers(n));
  const int blocks = (n + Block - 1) / Block;
  rotate<<<blocks, Block>>>(y.data, x.data, 37, n);
  rotate<<<blocks, Block>>>(x.data, y.data, 59, n);
  rotate<<<blocks, Block>>>(y.data, x.data, 11, n);
  std::vector<int> want(n), from = numbers(n);
  for (int i = 0; i < n; ++i)
    want[i] = from[(i + 37 + 59 + 11) % n] + 3;
  expect("other threads", n, y.get(n), want);
}

/// Both parameters are the same memory, shifted.
static void overlapping(int n) {
  Buffer<int> x(numbers(n + 40));
  const int blocks = (n + Block - 1) / Block;
  int *p = x.data, *q = x.data + 40;
  shift<<<blocks, Block>>>(p, 100, n);
  scale<<<blocks, Block>>>(q, n);
  std::vector<int> want = numbers(n + 40);
  for (int i = 0; i < n; ++i)
    want[i] += 100;
  for (int i = 40; i < n + 40; ++i)
    want[i] = want[i] < 0 ? want[i] : 3 * want[i];
  expect("overlapping", n, x.get(n + 40), want);
}

static void otherGrids(int n) {
  Buffer<int> x(numbers(n));
  const int zero = 0;
  cudaMemcpyToSymbol(total, &zero, sizeof(zero));
  sum<<<(n + Block - 1) / Block, Block>>>(x.data, n);
  store<<<1, Block>>>(x.data);
  int want = 0;
  for (int value : numbers(n))
    want += value;
  expect("other grids", n, x.get(1), {want});
}

int main() {
  for (int n : {1, 31, 100, 290}) {
    sameThread(n);
    for (int limit : {0, 40, n, 0x7fffffff - 3 * Block})
      limited(n, limit);
    if (!std::getenv("BARRICADE_TEST_REFUSAL_IS_FATAL"))
      for (int limit : {-5, 0x7fffffff - 3 * Block + 1, 0x7fffffff})
        limited(n, limit);
    otherThreads(n);
    overlapping(n);
    otherGrids(n);
  }
  for (int blocks : {1, 4, 9}) {
    sameBlock(blocks);
    sharedMemory(blocks);
  }
  return failed;
}

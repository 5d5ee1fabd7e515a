// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What relaunch loops launch: kernels of every kind of name, with arguments,
// grids, blocks and shared memory of every kind. Each is compared with the
// host.

#include "relaunch_check.h"
#include <utility>

#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)

static void addOnHost(Values &p, int by) {
  for (int &value : p)
    value += by;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

__global__ void update(int *p, int n) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] += 1;
}
__global__ void update(int *p, int n, int by) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] += by;
}
__global__ void update(int *p, long long n) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] *= 2;
}
static int overloads(int *a, int *, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    update<<<blocksFor(n), Threads>>>(a, n);
    update<<<blocksFor(n), Threads>>>(a, n, t);
    update<<<blocksFor(n), Threads>>>(a, (long long)n);
  }
  return 0;
}
static int overloadsOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int &value : a)
      value = (value + 1 + t) * 2;
  return 0;
}

namespace outer {
__global__ void grow(int *p, int n) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] += 1;
}
inline namespace v2 {
__global__ void scale(int *p, int n) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] *= 2;
}
} // namespace v2
namespace inner {
__global__ void grow(int *p, int n) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] += 10;
}
int fromInside(int *a, int *, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    grow<<<blocksFor(n), Threads>>>(a, n);
    scale<<<blocksFor(n), Threads>>>(a, n);
    outer::grow<<<blocksFor(n), Threads>>>(a, n);
  }
  return 0;
}
} // namespace inner
} // namespace outer
namespace {
__global__ void grow(int *p, int n) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] += 100;
}
} // namespace
namespace alias = outer::inner;
static int namespaces(int *a, int *b, int n, int steps) {
  using outer::scale;
  for (int t = 0; t < steps; ++t) {
    grow<<<blocksFor(n), Threads>>>(a, n);
    ::grow<<<blocksFor(n), Threads>>>(a, n);
    outer::grow<<<blocksFor(n), Threads>>>(a, n);
    alias::grow<<<blocksFor(n), Threads>>>(a, n);
    scale<<<blocksFor(n), Threads>>>(b, n);
  }
  return 0;
}
static int namespacesOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    addOnHost(a, 211);
    for (int &value : b)
      value *= 2;
  }
  return 0;
}
static int fromInsideOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int &value : a)
      value = (value + 10) * 2 + 1;
  return 0;
}

extern "C" {
__global__ void plain(int *p, int n, int by) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] += by;
}
}
extern "C" __global__ void plainAlone(int *p, int n) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] -= 1;
}
extern "C" int linkage(int *a, int *, int n, int steps) {
  int t = 0;
  while (t < steps) {
    plain<<<blocksFor(n), Threads>>>(a, n, t + 1);
    plainAlone<<<blocksFor(n), Threads>>>(a, n);
    ++t;
  }
  return t;
}
static int linkageOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    addOnHost(a, t);
  return steps;
}

/// A kernel that is declared before and defined behind the loop.
__global__ void later(int *p, int n, int by = 3);
static int declaredBefore(int *a, int *, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    later<<<blocksFor(n), Threads>>>(a, n);
    later<<<blocksFor(n), Threads>>>(a, n, t);
  }
  return 0;
}
__global__ void later(int *p, int n, int by) {
  if (const int i = GLOBAL_ID; i < n)
    p[i] += by;
}
static int declaredBeforeOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    addOnHost(a, t + 3);
  return 0;
}

//===----------------------------------------------------------------------===//
// Arguments and templates
//===----------------------------------------------------------------------===//

constexpr unsigned Third = 0xfffffff0u;
__global__ void byDefault(int *p, int n, unsigned by = 1u << 31,
                          bool negate = true, long long third = Third,
                          char last = 'a') {
  const int i = GLOBAL_ID;
  if (i < n)
    p[i] += int((by >> 30) + (third >> 28) + last) * (negate ? -1 : 1);
}
static int defaults(int *a, int *, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    byDefault<<<blocksFor(n), Threads>>>(a, n);
    byDefault<<<blocksFor(n), Threads>>>(a, n, t);
    byDefault<<<blocksFor(n), Threads>>>(a, n, t, t % 2);
  }
  return 0;
}
static int defaultsOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    addOnHost(a, -(2 + 15 + 'a') - (15 + 'a') + (t % 2 ? -1 : 1) * (15 + 'a'));
  return 0;
}

template <typename T, int Scale = 2>
__global__ void combine(const T *in, T *out, int n, T by) {
  const int i = GLOBAL_ID;
  if (i < n)
    out[i] = in[n - 1 - i] * Scale % 101 + by;
}
static void combineOnHost(const Values &in, Values &out, int scale, int by) {
  const int n = int(in.size());
  for (int i = 0; i < n; ++i)
    out[i] = in[n - 1 - i] * scale % 101 + by;
}

template <typename T, int Block>
static int inTemplate(T *a, T *b, int n, int steps) {
  T last = 0;
  for (int t = 0; t < steps; ++t) {
    const int blocks = (n + Block - 1) / Block;
    combine<T><<<blocks, Block>>>(a, b, n, T(t));
    combine<T, 3><<<blocks, Block>>>(b, a, n, last);
    combine<<<blocks, Block>>>(a, b, n, last);
    last += t;
  }
  return last;
}
static int inTemplateOnHost(Values &a, Values &b, int steps) {
  int last = 0;
  for (int t = 0; t < steps; ++t) {
    combineOnHost(a, b, 2, t);
    combineOnHost(b, a, 3, last);
    combineOnHost(a, b, 2, last);
    last += t;
  }
  return last;
}

/// Structures with members, arrays and functions, made in the launch or before.
struct Range {
  int first, last;
  __host__ __device__ int size() const { return last - first; }
};
struct Table {
  Range ranges[2];
  float factors[3];
};
__device__ int bias = 1;
__constant__ int weights[2] = {2, 5};
__global__ void addRange(int *p, Range range, const Table table, int which) {
  const int i = GLOBAL_ID;
  if (i < range.size())
    p[range.first + i] += table.ranges[which].size() * weights[which] +
                          int(table.factors[which] * 2) + bias;
}
__global__ void raiseBias() { bias += 1; }
static int structures(int *a, int *, int n, int steps) {
  Table table = {{{0, 3}, {1, 9}}, {0.5f, 1.5f, 2.5f}};
  Range range = {0, n};
  for (int t = 0; t < steps; ++t) {
    addRange<<<blocksFor(n), Threads>>>(a, range, table, t & 1);
    raiseBias<<<1, 1>>>();
    addRange<<<blocksFor(n), Threads>>>(a, Range{n / 2, n}, table, 1);
    if (range.first < range.last)
      range.first++;
    table.ranges[1].last = t;
  }
  const int back = 1;
  cudaMemcpyToSymbol(bias, &back, sizeof(back));
  return range.first + table.ranges[1].last;
}
static int structuresOnHost(Values &a, Values &, int steps) {
  const int n = int(a.size());
  int first = 0, last = 9, bias = 1;
  for (int t = 0; t < steps; ++t) {
    for (int i = first; i < n; ++i)
      a[i] += (t & 1 ? (last - 1) * 5 + 3 : 3 * 2 + 1) + bias;
    ++bias;
    for (int i = n / 2; i < n; ++i)
      a[i] += (last - 1) * 5 + 3 + bias;
    first += first < n;
    last = t;
  }
  return first + last;
}

//===----------------------------------------------------------------------===//
// Grids, blocks, shared memory
//===----------------------------------------------------------------------===//

/// Each block writes the sum of what it reads.
__global__ void sumShared(const int *in, int *out, int n) {
  extern __shared__ int part[];
  __shared__ int total;
  const int i = GLOBAL_ID;
  part[threadIdx.x] = i < n ? in[i] : 0;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  if (threadIdx.x % 8 == 0)
    for (int k = 0; k < 8; ++k)
      atomicAdd(&total, part[threadIdx.x + k]);
  __syncthreads();
  if (i < n)
    out[i] = (out[i] + total + part[blockDim.x - 1 - threadIdx.x]) % 997;
}
static int sharedMemory(int *a, int *b, int n, int steps) {
  const size_t bytes = Threads * sizeof(int);
  for (int t = 0; t < steps; ++t) {
    sumShared<<<blocksFor(n), Threads, bytes>>>(a, b, n);
    sumShared<<<blocksFor(n), Threads, bytes>>>(b, a, n);
    update<<<blocksFor(n), Threads>>>(a, n, t);
  }
  return 0;
}
static int sharedMemoryOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  const auto sum = [n](const Values &in, Values &out) {
    for (int first = 0; first < n; first += Threads) {
      Values part(Threads);
      int total = 0;
      for (int k = 0; k < Threads; ++k)
        total += part[k] = first + k < n ? in[first + k] : 0;
      for (int k = 0; k < Threads && first + k < n; ++k)
        out[first + k] = (out[first + k] + total + part[Threads - 1 - k]) % 997;
    }
  };
  for (int t = 0; t < steps; ++t) {
    sum(a, b);
    sum(b, a);
    addOnHost(a, t);
  }
  return 0;
}

/// One block of as many threads as there are blocks besides larger grids, and
/// one thread.
__global__ void sumParts(const int *in, int n, int *sums) {
  int sum = 0;
  for (int k = 0; k < Threads && blockIdx.x * Threads + k < n; ++k)
    sum += in[blockIdx.x * Threads + k];
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}
__global__ void prefix(int *sums) {
  int sum = 0;
  for (unsigned k = 0; k <= threadIdx.x; ++k)
    sum += sums[k];
  sums[blockDim.x + threadIdx.x] = sum;
}
__global__ void cut(int *sums, int blocks) {
  for (int k = 0; k < blocks; ++k)
    sums[blocks + k] %= 1009;
}
__global__ void spread(int *out, int n, const int *sums) {
  if (const int i = GLOBAL_ID; i < n)
    out[i] += sums[gridDim.x + blockIdx.x];
}
static int oneBlock(int *a, int *, int n, int steps) {
  int *sums;
  const int blocks = blocksFor(n);
  cudaMalloc(&sums, 2 * blocks * sizeof(int));
  for (int t = 0; t < steps; ++t) {
    sumParts<<<blocks, 2>>>(a, n, sums);
    prefix<<<1, blocks>>>(sums);
    cut<<<1, 1>>>(sums, blocks);
    spread<<<blocks, Threads>>>(a, n, sums);
  }
  cudaFree(sums);
  return 0;
}
static int oneBlockOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t) {
    const Values before = a;
    int sum = 0;
    for (size_t i = 0; i < a.size(); i += Threads) {
      const size_t end = std::min(a.size(), i + Threads);
      for (size_t k = i; k < end; ++k)
        sum += before[k];
      for (size_t k = i; k < end; ++k)
        a[k] += sum % 1009;
    }
  }
  return 0;
}

/// Grids and blocks of two and three dimensions, also such that change.
__global__ void solid(const int *in, int *out, int n, int by) {
  const int block =
      (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int i = block * blockDim.x * blockDim.y * blockDim.z + thread;
  if (i < n)
    out[i] =
        (in[(i + by) % n] * 2 + int(blockIdx.y + threadIdx.z) + i % 7) % 503;
}
static void solidOnHost(const Values &in, Values &out, dim3 grid, dim3 block,
                        int by) {
  const int n = int(in.size()), size = block.x * block.y * block.z;
  const int blocks = grid.x * grid.y * grid.z;
  for (int i = 0; i < n && i < blocks * size; ++i) {
    const int y = i / size / grid.x % grid.y;
    const int z = i % size / (block.x * block.y);
    out[i] = (in[(i + by) % n] * 2 + y + z + i % 7) % 503;
  }
}
static int dimensions(int *a, int *b, int n, int steps) {
  const dim3 block(4, 2, 4), plane(2, (n + 63) / 64);
  dim3 growing(1);
  for (int t = 0; t <= steps; ++t) {
    solid<<<plane, block>>>(a, b, n, t);
    solid<<<dim3(2, 2, t + 1), block>>>(b, a, n, t);
    solid<<<growing, block>>>(a, b, n, 1);
    growing.y += 1;
    growing.z = t % 2 + 1;
  }
  return int(growing.y * 10 + growing.z);
}
static int dimensionsOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  const dim3 block(4, 2, 4), plane(2, (n + 63) / 64);
  dim3 growing(1);
  for (int t = 0; t <= steps; ++t) {
    solidOnHost(a, b, plane, block, t);
    solidOnHost(b, a, dim3(2, 2, t + 1), block, t);
    solidOnHost(a, b, growing, block, 1);
    growing = dim3(1, growing.y + 1, t % 2 + 1);
  }
  return int(growing.y * 10 + growing.z);
}

/// Blocks of several sizes and shapes, of kernels whose threads stand alone,
/// besides one whose threads meet.
static int blockSizes(int *a, int *b, int n, int steps) {
  const int wide = 64;
  for (int t = 0; t < steps; ++t) {
    const int blocks = blocksFor(n);
    solid<<<dim3(2, n / 16 + 1), dim3(2, 2, 2)>>>(a, b, n, t);
    sumShared<<<blocks, Threads, Threads * sizeof(int)>>>(b, a, n);
    update<<<(n + wide - 1) / wide, wide>>>(b, n, t);
    solid<<<n / 48 + 1, dim3(16, 3)>>>(a, b, n, 1);
  }
  return 0;
}
static int blockSizesOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  for (int t = 0; t < steps; ++t) {
    solidOnHost(a, b, dim3(2, n / 16 + 1), dim3(2, 2, 2), t);
    for (int first = 0; first < n; first += Threads) {
      Values part(Threads);
      int total = 0;
      for (int k = 0; k < Threads; ++k)
        total += part[k] = first + k < n ? b[first + k] : 0;
      for (int k = 0; k < Threads && first + k < n; ++k)
        a[first + k] = (a[first + k] + total + part[Threads - 1 - k]) % 997;
    }
    addOnHost(b, t);
    solidOnHost(a, b, dim3(n / 48 + 1), dim3(16, 3), 1);
  }
  return 0;
}

/// What a variable makes of the number that it begins with is its value.
static int narrowSizes(int *a, int *b, int n, int steps) {
  const unsigned char block = 256 + 32;
  const signed char most = -1;
  for (int t = 0; t < steps; ++t) {
    update<<<blocksFor(n), block>>>(a, n, block + t);
    update<<<blocksFor(n), 32>>>(b, n, 5 / most);
  }
  return 0;
}
static int narrowSizesOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    addOnHost(a, 32 + t);
    addOnHost(b, -5);
  }
  return 0;
}

int main() {
  bool right = agree("overloads", overloads, overloadsOnHost);
  right &= agree("namespaces", namespaces, namespacesOnHost);
  right &= agree("fromInside", outer::inner::fromInside, fromInsideOnHost);
  right &= agree("linkage", linkage, linkageOnHost);
  right &= agree("declaredBefore", declaredBefore, declaredBeforeOnHost);
  right &= agree("defaults", defaults, defaultsOnHost);
  right &= agree("inTemplate 16", inTemplate<int, 16>, inTemplateOnHost);
  right &= agree("inTemplate 64", inTemplate<int, 64>, inTemplateOnHost);
  right &= agree("structures", structures, structuresOnHost);
  right &= agree("sharedMemory", sharedMemory, sharedMemoryOnHost);
  right &= agree("oneBlock", oneBlock, oneBlockOnHost);
  right &= agree("dimensions", dimensions, dimensionsOnHost);
  right &= agree("blockSizes", blockSizes, blockSizesOnHost);
  right &= agree("narrowSizes", narrowSizes, narrowSizesOnHost);
  return !right;
}

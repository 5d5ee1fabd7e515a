// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops some of whose barriers need hold back a block only, beside others that
// look like them, each compared with the host. The executor reports what two
// blocks do to one element without a grid barrier between.

#include "relaunch_check.h"
#include <utility>

#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)

//===----------------------------------------------------------------------===//
// Partners
//===----------------------------------------------------------------------===//

/// Puts the smaller value first. The type of the distance is the caller's.
template <typename Distance>
__global__ void exchange(int *x, int n, Distance by) {
  const int i = GLOBAL_ID;
  const int partner = i ^ by;
  if (i >= n || partner >= n || partner < i)
    return;
  const int first = x[i], second = x[partner];
  if (first > second) {
    x[i] = second;
    x[partner] = first;
  }
}
static void exchangeOnHost(Values &x, long long by) {
  const long long n = (long long)x.size();
  for (long long i = 0; i < n; ++i)
    if (const long long partner = i ^ by; partner < n && partner > i)
      if (x[i] > x[partner])
        std::swap(x[i], x[partner]);
}

/// Distances within a block and beyond, in turn.
static int distances(int *a, int *, int n, int steps) {
  for (int t = steps; t > 0; --t)
    for (unsigned by = 128; by > 0; by /= 2)
      exchange<<<blocksFor(n), Threads>>>(a, n, by);
  return 0;
}
static int distancesOnHost(Values &a, Values &, int steps) {
  for (int t = steps; t > 0; --t)
    for (int by = 128; by > 0; by /= 2)
      exchangeOnHost(a, by);
  return 0;
}

/// Not only powers of two, and none that a block is too small for.
static int allDistances(int *a, int *, int n, int steps) {
  for (long long by = 1; by < 20 * steps; by += 3)
    exchange<<<blocksFor(n), Threads>>>(a, n, by);
  return 0;
}
static int allDistancesOnHost(Values &a, Values &, int steps) {
  for (long long by = 1; by < 20 * steps; by += 3)
    exchangeOnHost(a, by);
  return 0;
}

/// Below zero there is no partner.
static int negative(int *a, int *, int n, int steps) {
  for (int by = -3; by < 9 * steps; by += 2)
    exchange<<<blocksFor(n), Threads>>>(a, n, by);
  return 0;
}
static int negativeOnHost(Values &a, Values &, int steps) {
  for (int by = -3; by < 9 * steps; by += 2)
    if (by > 0)
      exchangeOnHost(a, by);
  return 0;
}

/// No power of two: 8 ^ 4 is of the same block, 8 ^ 16 is not.
template <int Size> static int ofSize(int *a, int *, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int by = 16; by > 0; by /= 2)
      exchange<<<(n + Size - 1) / Size, Size>>>(a, n, by);
  return 0;
}
static int ofSizeOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int by = 16; by > 0; by /= 2)
      exchangeOnHost(a, by);
  return 0;
}

/// The kernel makes another number of the argument.
__global__ void exchangeFar(int *x, int n, short by) {
  const int i = GLOBAL_ID;
  const int partner = i ^ (by + 28);
  if (i >= n || partner >= n || partner < i)
    return;
  x[i] += x[partner];
}
static int shifted(int *a, int *, int n, int steps) {
  for (short by = 0; by < 6 * steps; by += 2)
    exchangeFar<<<blocksFor(n), Threads>>>(a, n, by);
  return 0;
}
static int shiftedOnHost(Values &a, Values &, int steps) {
  const int n = int(a.size());
  for (short by = 0; by < 6 * steps; by += 2)
    for (int i = 0; i < n; ++i)
      if (const int partner = i ^ (by + 28); partner < n && partner > i)
        a[i] += a[partner];
  return 0;
}

/// The parameter has not the value of the argument: 65536 + 40 - 32 is 40 - 32.
static int narrowed(int *a, int *, int n, int steps) {
  for (int by = 65536 - 24; by < 65536 + 20 * steps; by += 8)
    exchange<unsigned short><<<blocksFor(n), Threads>>>(a, n, by);
  return 0;
}
static int narrowedOnHost(Values &a, Values &, int steps) {
  for (int by = 65536 - 24; by < 65536 + 20 * steps; by += 8)
    exchangeOnHost(a, (unsigned short)by);
  return 0;
}

/// A grid's stride apart.
__global__ void exchangeStrided(int *x, int n, int by) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = GLOBAL_ID; i < n; i += stride) {
    const int partner = i ^ by;
    if (partner >= n || partner < i)
      continue;
    const int first = x[i], second = x[partner];
    x[i] = first < second ? first : second;
    x[partner] = first < second ? second : first;
  }
}
static int strided(int *a, int *, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int by = 64; by > 0; by /= 2)
      exchangeStrided<<<2, Threads>>>(a, n, by);
  return 0;
}
static int stridedOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int by = 64; by > 0; by /= 2)
      exchangeOnHost(a, by);
  return 0;
}

/// The counter may wrap above the largest limits, which ask for the grid.
__global__ void addStrided(int *x, int n, unsigned limit) {
  for (int i = GLOBAL_ID; i < limit; i += gridDim.x * blockDim.x) {
    if (i >= n)
      return;
    x[i] += i;
  }
}
__global__ void doubleStrided(int *x, int n) {
  for (unsigned i = GLOBAL_ID; n >= i + 1 && i < n; i += gridDim.x * blockDim.x)
    x[i] *= 2;
}
static int limited(int *a, int *, int n, int steps) {
  for (unsigned t = 0; t < 4 * steps; ++t) {
    addStrided<<<3, Threads>>>(a, n, t % 4 < 2 ? n : 0x7fffffff - t);
    doubleStrided<<<3, Threads>>>(a, n);
  }
  return 0;
}
static int limitedOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < 4 * steps; ++t)
    for (int i = 0; i < int(a.size()); ++i)
      a[i] = (a[i] + i) * 2;
  return 0;
}

//===----------------------------------------------------------------------===//
// Elements that stay with their block, or do not
//===----------------------------------------------------------------------===//

__global__ void scale(const int *in, int *out, int n, int by) {
  if (const int i = GLOBAL_ID; i < n)
    out[i] = in[i] * by + i;
}
static void scaleOnHost(const Values &in, Values &out, int by) {
  for (int i = 0; i < int(in.size()); ++i)
    out[i] = in[i] * by + i;
}

static int handedOn(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    scale<<<blocksFor(n), Threads>>>(a, b, n, 3);
    std::swap(a, b);
  }
  return 0;
}
static int rotated(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    scale<<<blocksFor(n), Threads>>>(a, b, n, 3);
    int *old = a;
    a = b;
    b = old;
  }
  return 0;
}
static int handedOnOnHost(Values &a, Values &b, int steps) {
  Values *from = &a, *to = &b;
  for (int t = 0; t < steps; ++t) {
    scaleOnHost(*from, *to, 3);
    std::swap(from, to);
  }
  return 0;
}

static int chosen(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    const int *from = t % 2 ? b : a;
    int *to = t % 2 ? a : b;
    scale<<<blocksFor(n), Threads>>>(from, to, n, 3);
  }
  return 0;
}

__global__ void add(int *x, int n, int by) {
  if (const int i = GLOBAL_ID; i < n)
    x[i] += by * (i + 1);
}
static void addOnHost(int *x, int n, int by) {
  for (int i = 0; i < n; ++i)
    x[i] += by * (i + 1);
}

/// Arrays that overlap, by one element at the edges of blocks.
static void addToBoth(int *x, int *y, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(x, n, t);
    add<<<blocksFor(n), Threads>>>(y, n, 2);
  }
}
static int overlaps(int *a, int *b, int n, int steps) {
  if (n > 1)
    addToBoth(a, a + 1, n - 1, steps);
  addToBoth(b, b, n, steps);
  addToBoth(b, a, n, steps);
  return 0;
}
static int overlapsOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  for (int t = 0; n > 1 && t < steps; ++t) {
    addOnHost(a.data(), n - 1, t);
    addOnHost(a.data() + 1, n - 1, 2);
  }
  for (int t = 0; t < steps; ++t) {
    addOnHost(b.data(), n, t);
    addOnHost(b.data(), n, 2);
  }
  for (int t = 0; t < steps; ++t) {
    addOnHost(b.data(), n, t);
    addOnHost(a.data(), n, 2);
  }
  return 0;
}

/// Blocks' sums, and what is made of them by the same block.
__global__ void sum(const int *x, int *sums, int n) {
  __shared__ int total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  if (const int i = GLOBAL_ID; i < n)
    atomicAdd(&total, x[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
}
__global__ void addSum(int *x, const int *sums, int n) {
  if (const int i = GLOBAL_ID; i < n)
    x[i] = (x[i] + sums[blockIdx.x]) % 1000;
}
static int blockSums(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    sum<<<blocksFor(n), Threads>>>(a, b, n);
    addSum<<<blocksFor(n), Threads>>>(a, b, n);
  }
  return 0;
}
static int blockSumsOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  for (int t = 0; t < steps; ++t)
    for (int block = 0; block < blocksFor(n); ++block) {
      const int first = block * Threads, end = std::min(n, first + Threads);
      b[block] = 0;
      for (int i = first; i < end; ++i)
        b[block] += a[i];
      for (int i = first; i < end; ++i)
        a[i] = (a[i] + b[block]) % 1000;
    }
  return 0;
}

/// The last block's thread reads the next one's element, or the guard lets it
/// not.
__global__ void pull(const int *in, int *out, int n) {
  if (const int i = GLOBAL_ID; i < n)
    out[i] = in[i + 1 < n ? i + 1 : i] + 1;
}
static int edges(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    pull<<<blocksFor(n), Threads>>>(a, b, n);
    add<<<blocksFor(n), Threads>>>(b, n, 1);
    add<<<blocksFor(n), Threads>>>(b, n, 2);
    pull<<<blocksFor(n), Threads>>>(b, a, n);
  }
  return 0;
}
static int edgesOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  const auto pullOnHost = [n](const Values &in, Values &out) {
    for (int i = 0; i < n; ++i)
      out[i] = in[i + 1 < n ? i + 1 : i] + 1;
  };
  for (int t = 0; t < steps; ++t) {
    pullOnHost(a, b);
    addOnHost(b.data(), n, 1);
    addOnHost(b.data(), n, 2);
    pullOnHost(b, a);
  }
  return 0;
}

/// In several orders.
__global__ void mirror(const int *in, int *out, int n) {
  const int i = GLOBAL_ID,
            of = blockIdx.x * blockDim.x + (blockDim.x - 1 - threadIdx.x);
  if (i < n)
    out[i] = of < n ? in[of] : 0;
}
__global__ void turn(const int *in, int *out, int n) {
  if (const int i = GLOBAL_ID; i < n)
    out[i] = in[n - 1 - i];
}
static int branches(int *a, int *b, int n, int steps) {
  for (int t = 0; t < 3 * steps; ++t) {
    if (t % 3 == 1)
      turn<<<blocksFor(n), Threads>>>(a, b, n);
    else
      mirror<<<blocksFor(n), Threads>>>(a, b, n);
    add<<<blocksFor(n), Threads>>>(b, n, t);
    if (t % 4 == 3)
      continue;
    std::swap(a, b);
  }
  return 0;
}
static int branchesOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  Values *from = &a, *to = &b;
  for (int t = 0; t < 3 * steps; ++t) {
    for (int i = 0; i < n; ++i) {
      const int block = i / Threads * Threads,
                of = t % 3 == 1 ? n - 1 - i : block + Threads - 1 - (i - block);
      (*to)[i] = of < n ? (*from)[of] : 0;
    }
    addOnHost(to->data(), n, t);
    if (t % 4 != 3)
      std::swap(from, to);
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Threads of one number in x add to one element: they are of one block, or of
/// several.
__global__ void count(int *x, int n) {
  if (const int i = GLOBAL_ID; i < n)
    atomicAdd(&x[i], 1 + threadIdx.y + blockIdx.y);
}
__global__ void twice(int *x, int n) {
  if (const int i = GLOBAL_ID; i < n && threadIdx.y + blockIdx.y == 0)
    x[i] *= 2;
}
static void countAndDouble(int *x, int n, int steps, dim3 grid, dim3 block) {
  for (int t = 0; t < steps; ++t) {
    count<<<grid, block>>>(x, n);
    twice<<<grid, block>>>(x, n);
  }
}
static int dimensions(int *a, int *b, int n, int steps) {
  countAndDouble(a, n, steps, (n + 7) / 8, dim3(8, 4));
  countAndDouble(b, n, steps, dim3((n + 7) / 8, 3), 8);
  return 0;
}
static int dimensionsOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (int &value : a)
      value = (value + 1 + 2 + 3 + 4) * 2;
    for (int &value : b)
      value = (value + 1 + 2 + 3) * 2;
  }
  return 0;
}

/// In a template, whose instances share one text.
template <typename T> static int inTemplate(T *a, T *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, n, t);
    add<<<blocksFor(n), Threads>>>(b, n, 1);
  }
  return 0;
}
static int inTemplateOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    addOnHost(a.data(), int(a.size()), t);
    addOnHost(b.data(), int(b.size()), 1);
  }
  return 0;
}

int main() {
  bool right = agree("distances", distances, distancesOnHost);
  right &= agree("allDistances", allDistances, allDistancesOnHost);
  right &= agree("negative", negative, negativeOnHost);
  right &= agree("ofSize 24", ofSize<24>, ofSizeOnHost);
  right &= agree("ofSize 16", ofSize<16>, ofSizeOnHost);
  right &= agree("shifted", shifted, shiftedOnHost);
  right &= agree("narrowed", narrowed, narrowedOnHost);
  right &= agree("strided", strided, stridedOnHost);
  right &= agree("limited", limited, limitedOnHost);
  right &= agree("handedOn", handedOn, handedOnOnHost);
  right &= agree("rotated", rotated, handedOnOnHost);
  right &= agree("chosen", chosen, handedOnOnHost);
  right &= agree("overlaps", overlaps, overlapsOnHost);
  right &= agree("blockSums", blockSums, blockSumsOnHost);
  right &= agree("edges", edges, edgesOnHost);
  right &= agree("branches", branches, branchesOnHost);
  right &= agree("dimensions", dimensions, dimensionsOnHost);
  right &= agree("inTemplate", inTemplate<int>, inTemplateOnHost);
  return !right;
}

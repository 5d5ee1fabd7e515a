// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that look as if they stayed within their blocks: all barriers are the
// grid's. Each loop has a neighbour that does stay.
//
// RUN: %barricade --rules=grid-barrier --explain --grid-barrier-logical-threads %s -- nvcc -std=c++17 > %t.txt 2>&1
// RUN: FileCheck %s < %t.txt

#include <utility>

#define NUMBER (blockIdx.x * blockDim.x + threadIdx.x)

//===--- The block's edge ---------------------------------------------------===//

template <int Offset> __global__ void pull(const int *in, int *out) {
  int i = NUMBER;
  out[i] = in[i + Offset];
}
void pulled() {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  // CHECK: [[@LINE+1]]:3: note: launches 2,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < 9; ++t) {
    pull<1><<<4, 64>>>(a, b);
    pull<0><<<4, 64>>>(b, a);
  }
  // CHECK: [[@LINE+1]]:3: note: launches 2,{{.*}} barriers pull: block, pull: block
  for (int t = 0; t < 9; ++t) {
    pull<0><<<4, 64>>>(a, b);
    pull<0><<<4, 64>>>(b, a);
  }
}

__global__ void guarded(int *x, int n) {
  int i = NUMBER;
  if (threadIdx.x < blockDim.x - 2)
    x[i] += x[i + 2]; // stays, but that is not seen
  else
    x[i] += x[(i + 2) % n];
}
__global__ void clamped(int *x, int n) {
  int i = NUMBER;
  x[i] = i > 0 ? x[i - 1] : 0;
}
void edges(int *x, int n) {
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < 9; ++t)
    guarded<<<4, 64>>>(x, n);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < 9; ++t)
    clamped<<<4, 64>>>(x, n);
}

// The block's last element may be the next one's first: by one offset they
// agree, by two they do not.
__global__ void inner(int *x) { x[NUMBER + 1] *= 2; }
__global__ void outer(int *x) { x[NUMBER] += 1; }
void offsets(int *x) {
  // CHECK: [[@LINE+1]]:3: note: launches 2,{{.*}} barriers inner: block, inner: block
  for (int t = 0; t < 9; ++t) {
    inner<<<4, 64>>>(x);
    inner<<<4, 64>>>(x);
  }
  // CHECK: [[@LINE+1]]:3: note: launches 2,{{.*}} barriers inner: grid, outer: grid, why inner stays within its blocks, but no such step comes right before or behind it; an element of 'x' may be of one block in {{inner|outer}} and of another in {{inner|outer}} (
  for (int t = 0; t < 9; ++t) {
    inner<<<4, 64>>>(x);
    outer<<<4, 64>>>(x);
  }
}

//===--- Partners -----------------------------------------------------------===//

__global__ void plus(int *x, int by) { x[NUMBER] += x[NUMBER + by]; }
__global__ void xorOfBlock(int *x, int by) {
  x[blockIdx.x * blockDim.x + (threadIdx.x ^ by)] += 1; // may leave the block
}
__global__ void xorAndMore(int *x, int by) {
  int i = NUMBER;
  x[i] += x[(i ^ by) + 1];
}
__global__ void xorTwice(int *x, int by) {
  int i = NUMBER;
  x[i] += x[i ^ by ^ (by / 2)];
}
__global__ void xorOfOther(int *x, int by) {
  int i = NUMBER + 1;
  x[i] += x[i ^ by];
}
__global__ void xorByte(int *x, unsigned char by) {
  int i = NUMBER;
  x[i] += x[i ^ by];
}
__global__ void xorToByte(int *x, int by) {
  int i = NUMBER;
  x[i] += x[i ^ (signed char)by];
}
__global__ void xorChanges(int *x, int by) {
  int i = NUMBER;
  by *= 2;
  x[i] += x[i ^ by];
}
__global__ void xorLoaded(int *x, const int *by) {
  int i = NUMBER;
  x[i] += x[i ^ *by];
}
__global__ void xorShort(int *x, int by) {
  unsigned short i = NUMBER; // wraps
  x[i] += x[i ^ by];
}
__global__ void xorLane(int *x, int by) {
  int i = threadIdx.x;
  x[i] += x[i ^ by];
}
__global__ void xorBlocks(int *x, int by) {
  int i = NUMBER;
  x[i] += x[(blockIdx.x ^ by) * blockDim.x + threadIdx.x];
}
__global__ void xorCopied(int *x, int by) {
  const long j = by;
  const unsigned i = NUMBER, partner = j ^ i;
  x[i] = x[partner];
}
void partners(int *x) {
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    plus<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorOfBlock<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorAndMore<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorTwice<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorOfOther<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorByte<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorToByte<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorChanges<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorLoaded<<<4, 64>>>(x, x + j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorShort<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorLane<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorBlocks<<<4, 64>>>(x, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers xorCopied: block or grid
  for (int j = 1; j < 64; j *= 2)
    xorCopied<<<4, 64>>>(x, j);
  // What is no expression of its own cannot be asked about.
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorCopied<<<4, 64>>>(x, {j});
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers xorCopied: block or grid
  for (int j = 1; j < 64; j *= 2)
    xorCopied<<<4, 64>>>(x, int{j});
  // A block of another size has no such partners.
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int j = 1; j < 64; j *= 2)
    xorCopied<<<4, 96>>>(x, j);
}

//===--- Arrays -------------------------------------------------------------===//

__global__ void copy(const int *in, int *out) { out[NUMBER] = in[NUMBER]; }
__global__ void gather(const int *in, int *out) { out[NUMBER] = in[out[NUMBER]]; }
__global__ void widen(const short *in, int *out) { out[NUMBER] = in[NUMBER]; }
__device__ int bump(int *x, int i) { return x[i]++; }
__global__ void calls(int *x) { bump(x, NUMBER); }
__device__ int total;
__global__ void elsewhere(int *x) { x[NUMBER] += total; }
__global__ void counts(int *x) { atomicAdd(x, 1); }
__global__ void strided(const int *in, int *out, int n) {
  for (long i = NUMBER; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i];
}
// Sums of numbers without a sign may wrap, and then i is any. For small limits
// they do not.
__global__ void stridedMixed(int *x, int n) {
  for (int i = NUMBER; i < n; i += gridDim.x * blockDim.x)
    x[i] += 1;
}
__global__ void stridedWhile(int *x, int n) {
  int i = NUMBER;
  while (i < n) {
    x[i] += 1;
    i += gridDim.x * blockDim.x;
  }
}
__global__ void stridedFurther(int *x, int n) {
  for (int i = NUMBER; i < 2 * n; i += gridDim.x * blockDim.x)
    x[i] += 1;
}
__global__ void stridedShort(int *x, short n) {
  for (unsigned i = NUMBER; i < n; i += gridDim.x * blockDim.x)
    x[i] += 1;
}
__global__ void stridedSigned(int *x, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = NUMBER; i < n; i += stride)
    x[i] += 1;
}
__global__ void row(int *x, int n) {
  x[blockIdx.y * n + NUMBER] += 1;
}
void arrays(int *a, int *b, short *s, int n) {
  // What is read anywhere may be what is written.
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t)
    gather<<<4, 64>>>(a, b);
  // Pointers that move on.
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t, a += 64)
    outer<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t)
    outer<<<4, 64>>>(a + t);
  // Elements of several sizes: arrays must lie apart.
  // CHECK: [[@LINE+1]]:3: note: launches 2,{{.*}} barriers widen: block, outer: block
  for (int t = 0; t < n; ++t) {
    widen<<<4, 64>>>(s, b);
    outer<<<4, 64>>>(b);
  }
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t)
    outer<<<4, 64>>>((int *)s);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t)
    calls<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t)
    elsewhere<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t)
    counts<<<4, 64>>>(a);
  // Nobody knows how long arrays are that may overlap.
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t) {
    strided<<<4, 64>>>(a, b, n);
    std::swap(a, b);
  }
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers stridedMixed: block or grid, why each block of stridedMixed touches elements of its own only, as long as no counter wraps
  for (int t = 0; t < n; ++t)
    stridedMixed<<<4, 64>>>(a, n);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers stridedMixed: grid, why
  for (int t = 0; t < n; ++t)
    stridedMixed<<<4, 64>>>(a, {n});
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers stridedMixed: grid, why
  for (int t = 0; t < n; ++t)
    stridedMixed<<<4, 64>>>(a, 2.5f);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers stridedWhile: grid, why
  for (int t = 0; t < n; ++t)
    stridedWhile<<<4, 64>>>(a, n);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers stridedFurther: grid, why
  for (int t = 0; t < n; ++t)
    stridedFurther<<<4, 64>>>(a, n);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers stridedShort: grid, why
  for (int t = 0; t < n; ++t)
    stridedShort<<<4, 64>>>(a, n);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers stridedSigned: block,
  for (int t = 0; t < n; ++t)
    stridedSigned<<<4, 64>>>(a, n);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t)
    row<<<dim3(4, 4), 64>>>(a, n);
}

//===--- Others outside of the grid -----------------------------------------===//

__global__ void signals(int *x, unsigned *seen, unsigned t) {
  if (threadIdx.x == 0) {
    __threadfence_system();
    atomicExch_system(&seen[blockIdx.x], t); // all steps before t are done
  }
  x[NUMBER] += 1;
}
__global__ void fences(int *x) {
  x[NUMBER] += 1;
  __threadfence();
}
__device__ void fenceIn(int &y) {
  y = 1;
  __threadfence();
}
__global__ void fencesInside(int *x) {
  int y;
  fenceIn(y);
  x[NUMBER] += y;
}
__global__ void adds(int *x, int *seen) {
  atomicAdd(&seen[NUMBER], 1);
  x[NUMBER] += 1;
}
__global__ void writesVolatile(int *x, volatile unsigned *seen, unsigned t) {
  seen[blockIdx.x] = t;
  x[NUMBER] += 1;
}
__global__ void readsVolatile(int *x, const int *flag) {
  x[NUMBER] += *(const volatile int *)&flag[NUMBER];
}
struct Watched {
  volatile int v;
};
__global__ void copiesVolatile(int *x, Watched *seen) {
  seen[NUMBER].v = 1;
  x[NUMBER] += 1;
}
__global__ void loadsAnew(int *x, const int *flag) {
  x[NUMBER] += __ldcv(&flag[NUMBER]);
}
// The block's own.
__global__ void ownOnly(int *x) {
  __shared__ int sum[2];
  __shared__ volatile int last;
  volatile int mine = 0;
  atomicAdd(&sum[0], x[NUMBER] + mine);
  __threadfence_block();
  last = sum[1];
  __syncthreads();
  x[NUMBER] += sum[0] + last;
}
void observers(int *a, unsigned *seen, int n) {
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers signals: grid, why others outside of the grid
  for (int t = 0; t < n; ++t)
    signals<<<4, 64>>>(a, seen, t);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers fences: grid, why others outside of the grid
  for (int t = 0; t < n; ++t)
    fences<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers fencesInside: grid, why others outside of the grid
  for (int t = 0; t < n; ++t)
    fencesInside<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers adds: grid, why others outside of the grid
  for (int t = 0; t < n; ++t)
    adds<<<4, 64>>>(a, a + n);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers writesVolatile: grid, why others outside of the grid
  for (int t = 0; t < n; ++t)
    writesVolatile<<<4, 64>>>(a, seen, t);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers readsVolatile: grid, why others outside of the grid
  for (int t = 0; t < n; ++t)
    readsVolatile<<<4, 64>>>(a, a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers copiesVolatile: grid, why others outside of the grid
  for (int t = 0; t < n; ++t)
    copiesVolatile<<<4, 64>>>(a, (Watched *)seen);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers loadsAnew: grid, why others outside of the grid
  for (int t = 0; t < n; ++t)
    loadsAnew<<<4, 64>>>(a, a);
  // Such a step needs the grid on both sides, the others do not.
  // CHECK: [[@LINE+1]]:3: note: launches 3,{{.*}} barriers outer: block, fences: grid, outer: block
  for (int t = 0; t < n; ++t) {
    outer<<<4, 64>>>(a);
    fences<<<4, 64>>>(a);
    outer<<<4, 64>>>(a);
  }
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers ownOnly: block,
  for (int t = 0; t < n; ++t)
    ownOnly<<<4, 64>>>(a);
}

//===--- Grids and blocks ---------------------------------------------------===//

void shapes(int *a, int n) {
  // Logical blocks of several grids.
  // CHECK: [[@LINE+1]]:3: note: launches 2,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t) {
    outer<<<4, 64>>>(a);
    outer<<<8, 64>>>(a);
  }
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 1; t < n; ++t)
    outer<<<t, 64>>>(a);
  // Elements of one block are of another where blocks are larger.
  // CHECK: [[@LINE+1]]:3: note: launches 2,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  for (int t = 0; t < n; ++t) {
    outer<<<8, 64>>>(a);
    outer<<<4, 128>>>(a);
  }
}

// What is read back is asked by all blocks.
void readsBack(int *a, int *flag) {
  int go = 1;
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} takes-over yes, barriers {{[A-Za-z]+: grid(, [A-Za-z]+: grid)?}}, why
  while (go) {
    outer<<<4, 64>>>(flag);
    cudaMemcpy(&go, flag, sizeof go, cudaMemcpyDeviceToHost);
  }
}

//===--- Other builds -------------------------------------------------------===//

#ifdef HALO
#define NEXT (NUMBER + 1)
typedef signed char Distance;
struct Cell {
  int v, more;
};
typedef double Inner;
#else
#define NEXT NUMBER
typedef int Distance;
struct Cell {
  int v;
};
typedef int Inner;
#endif
struct Holds {
  Inner v;
};
struct Plain {
  int v;
};
__global__ void branches(int *x) {
  x[NUMBER] += 1;
#ifdef HALO
  x[NUMBER] += x[NUMBER + 1];
#endif
}
__global__ void byMacro(int *x) { x[NUMBER] = x[NEXT]; }
__global__ void byType(int *x, Distance by) {
  int i = NUMBER;
  x[i] += x[i ^ by];
}
// The types' names are the same, what they are like is not.
__global__ void byCell(int *x) { ((Cell *)x)[NUMBER].v += 1; }
__global__ void byHolds(int *x) { ((Holds *)x)[NUMBER].v += 1; }
__global__ void byPlain(int *x) { ((Plain *)x)[NUMBER].v += 1; }
__global__ void unrolled(int *x) {
#pragma unroll
  for (int k = 0; k < 4; ++k)
    x[NUMBER] += k;
}
#ifdef HALO
#define BUFFER a + t
#else
#define BUFFER a
#endif
void builds(int *a, int n) {
  // CHECK: [[@LINE+1]]:3: remark: for loop{{.*}} another build
  for (int t = 0; t < n; ++t)
    branches<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: remark: for loop{{.*}} another build
  for (int t = 0; t < n; ++t)
    byMacro<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers byType: grid, why another build
  for (int j = 1; j < n; j *= 2)
    byType<<<4, 64>>>(a, j);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers outer: grid, why another build
  for (int t = 0; t < n; ++t)
    outer<<<4, 64>>>(BUFFER);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers byCell: grid, why another build
  for (int t = 0; t < n; ++t)
    byCell<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers byHolds: grid, why another build
  for (int t = 0; t < n; ++t)
    byHolds<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers byPlain: block,
  for (int t = 0; t < n; ++t)
    byPlain<<<4, 64>>>(a);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers unrolled: block,
  for (int t = 0; t < n; ++t)
    unrolled<<<4, 64>>>(a);
}

//===--- Conditions out of sight ------------------------------------------===//

// Where j does not fit a short, this is another block's. What is asked of j
// cancels out.
__global__ void byHighHalf(int *x, int j) {
  const int i = NUMBER;
  const short low = j;
  x[i + ((i ^ j) - (i ^ low))] *= 3;
}
// 0 in the first iteration alone.
__global__ void byPlacesDone(int *x, int n) {
  long i = NUMBER;
  const long first = i;
  for (; i < n; i += gridDim.x * blockDim.x)
    x[NUMBER + (i - first)] += 1;
}
// Nobody writes what is read elsewhere, so that nothing need be asked.
__global__ void pick(int *x, const int *y, int n, int by) {
  x[NUMBER] = x[NUMBER] * 3 + y[NUMBER ^ by];
}
__global__ void sum(int *x, const int *y, int n = 100) {
  for (int i = NUMBER; i < n; i += gridDim.x * blockDim.x)
    x[NUMBER] += y[i];
}
__global__ void fill(int *y) { y[NUMBER] = 1; }
void conditions(int n) {
  int *x, *y;
  cudaMalloc(&x, 4096);
  cudaMalloc(&y, 4096);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers byHighHalf: grid, why elements of 'x' are written by byHighHalf in blocks that may not own them
  for (int t = 0; t < n; ++t)
    byHighHalf<<<4, 64>>>(x, t);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers byPlacesDone: grid, why elements of 'x' are written by byPlacesDone in blocks that may not own them
  for (int t = 0; t < n; ++t)
    byPlacesDone<<<4, 64>>>(x, n);
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers pick: block, why each block
  for (int t = 0; t < n; ++t)
    pick<<<4, 64>>>(x, y, n, {t});
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers sum: block, why each block
  for (int t = 0; t < n; ++t)
    sum<<<4, 64>>>(x, y);
  // CHECK: [[@LINE+1]]:3: note: launches 2,{{.*}} barriers pick: block or grid, fill: block, why elements of 'y' are touched at a distance of 'by' by xor
  for (int t = 0; t < n; ++t) {
    pick<<<4, 64>>>(x, y, n, t);
    fill<<<4, 64>>>(y);
  }
}

// What it holds nobody sees: a pointer, maybe.
struct Opaque;
extern __device__ const Opaque config;
__device__ int isThere(const Opaque *what) { return what != nullptr; }
__global__ void asks(int *x) { x[NUMBER] += isThere(&config); }
void opaque(int *x, int n) {
  // CHECK: [[@LINE+1]]:3: note: launches 1,{{.*}} barriers asks: grid, why asks reaches memory that no parameter shows
  for (int t = 0; t < n; ++t)
    asks<<<4, 64>>>(x);
}

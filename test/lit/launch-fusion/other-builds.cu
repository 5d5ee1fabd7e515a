// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a number or a type now, and may be another one where macros are set
// otherwise: it says nothing of how launches relate, and is not written as what it
// is now. A macro or a constant that the program just defines says as much as
// digits.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: not %dry-run --rules=launch-fusion %s -- -std=c++17 2>/dev/null | FileCheck --check-prefix=TEXT %s

#ifndef BLOCK
#define BLOCK 64
#endif
#ifdef WIDE
#define WIDTH 2
#else
#define WIDTH 1
#endif
#define TILE 64
constexpr int Tile = TILE;
constexpr int Width = WIDTH;
#if defined(LONG)
constexpr int Chosen = 2;
#else
constexpr int Chosen = 1;
#endif

__global__ void scale(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * 2 + n;
}

//===--- Blocks, grids and shared memory ----------------------------------===//

void blocks(int *x) {
  // CHECK: :[[#@LINE+2]]:3: {{.*}} [block-size]
  scale<<<4, BLOCK>>>(x, 1);
  scale<<<4, 64>>>(x, 2);
}
void blocksOfConstants(int *x) {
  constexpr int half = BLOCK / 2;
  const dim3 a(half * 2), b(64);
  // CHECK: :[[#@LINE+2]]:3: {{.*}} [block-size]
  scale<<<4, a>>>(x, 1);
  scale<<<4, b>>>(x, 2);
}
// One and the same, whatever it is.
void sameBlocks(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} without a barrier
  scale<<<4, BLOCK>>>(x, 1);
  scale<<<4, BLOCK>>>(x, 2);
}
void fixedBlocks(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} without a barrier
  scale<<<4, TILE>>>(x, 1);
  scale<<<4, Tile>>>(x, 2);
}
void grids(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since the grids may differ
  scale<<<WIDTH, 64>>>(x, 1);
  scale<<<1, 64>>>(x, 2);
}
void gridsOfBranches(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since the grids may differ
  scale<<<Chosen, 64>>>(x, 1);
  scale<<<1, 64>>>(x, 2);
}
void shared(int *x) {
  // CHECK: :[[#@LINE+2]]:3: {{.*}} [shared-size]
  scale<<<4, 64, BLOCK>>>(x, 1);
  scale<<<4, 64, 64>>>(x, 2);
}

//===--- Arguments --------------------------------------------------------===//

// TEXT-DAG: numbers_fused(int *x, int n, int n2)
void numbers(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} without a barrier
  scale<<<4, 64>>>(x, WIDTH + 0);
  scale<<<4, 64>>>(x, Chosen + 0);
}
void places(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync()
  scale<<<4, 64>>>(x + WIDTH, 1);
  scale<<<4, 64>>>(x + 1, 1);
}

//===--- Elements ---------------------------------------------------------===//

__global__ void strided(int *x) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * WIDTH;
  x[i] += 1;
}
__global__ void shifted(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + (Width - 1);
  x[i] += 1;
}
__global__ void tiled(int *x) {
  int i = blockIdx.x * TILE + threadIdx.x + (Tile - TILE);
  x[i] += 1;
}
enum Distance { Near = WIDTH - 1, Far };
template <int By> __global__ void shiftedBy(int *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x + By] += 1;
}
void owners(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync()
  strided<<<4, 64>>>(x);
  scale<<<4, 64>>>(x, 1);
}
void ownersOfConstants(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync()
  shifted<<<4, 64>>>(x);
  scale<<<4, 64>>>(x, 1);
}
void ownersOfArguments(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync()
  shiftedBy<Near><<<4, 64>>>(x);
  scale<<<4, 64>>>(x, 1);
}
void ownersOfFixed(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} without a barrier
  shiftedBy<0><<<4, TILE>>>(x);
  tiled<<<4, TILE>>>(x);
}
void ownersOfBlocks(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync()
  tiled<<<4, BLOCK>>>(x);
  tiled<<<4, BLOCK>>>(x);
}

//===--- Names ------------------------------------------------------------===//

namespace lib {
#ifdef DOUBLE
using real = double;
#else
using real = float;
#endif
#define REAL float
__global__ void add(double *x, real by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}
__global__ void addPlain(double *x, REAL by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}
template <typename T> __global__ void addAny(double *x, T by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}
} // namespace lib
#ifndef NUMBER
#define NUMBER float
#endif
__global__ void addNumber(double *x, NUMBER by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += by;
}
// TEXT-DAG: qualified_fused(double *x, lib::real by)
void qualified(double *x, lib::real by) {
  lib::add<<<4, 64>>>(x, by);
  lib::add<<<4, 64>>>(x, by);
}
// TEXT-DAG: plainly_fused(double *x, float by)
void plainly(double *x, float by) {
  lib::addPlain<<<4, 64>>>(x, by);
  lib::addPlain<<<4, 64>>>(x, by);
}
void byMacro(double *x, float by) {
  // CHECK: :[[#@LINE+1]]:3: remark: 2 launches in a row cannot become one kernel
  addNumber<<<4, 64>>>(x, by);
  addNumber<<<4, 64>>>(x, by);
}
void deduced(double *x, lib::real by) {
  // CHECK: :[[#@LINE+1]]:3: {{.*}} [kernel-name]
  lib::addAny<<<4, 64>>>(x, by);
  lib::addAny<<<4, 64>>>(x, by);
}
// TEXT-DAG: addAny_step<float>
void deducedPlainly(double *x, float by) {
  lib::addAny<<<4, 64>>>(x, by);
  lib::addAny<<<4, 64>>>(x, by);
}
void localConstants(int *x) {
  const int own = BLOCK;
  // CHECK: :[[#@LINE+1]]:3: {{.*}} [kernel-name]
  shiftedBy<own><<<4, 64>>>(x);
  shiftedBy<own><<<4, 64>>>(x);
}
// TEXT-DAG: shiftedBy_step<4>
void localFixed(int *x) {
  const int own = 4;
  shiftedBy<own><<<4, 64>>>(x);
  shiftedBy<own><<<4, 64>>>(x);
}

//===--- Kernels ----------------------------------------------------------===//

// What another build has in them may touch other elements, or do what no step
// may.
#ifdef SHIFTED
#define AT(i) ((i) + 1)
#else
#define AT(i) (i)
#endif
#define SAME(i) (i)
#define WHERE 0
#ifdef SHIFTED
#undef WHERE
#define WHERE 1
#endif
namespace fixed {
constexpr int By = 0;
}
namespace moved {
constexpr int By = 1;
}
#ifdef SHIFTED
using namespace moved;
#else
using namespace fixed;
#endif
__global__ void byDirective(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef SHIFTED
  x[i + 1] += 1;
#endif
  x[i] += 1;
}
__global__ void byHelper(int *x) {
  x[AT(blockIdx.x * blockDim.x + threadIdx.x)] += 1;
}
__global__ void byRedefined(int *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x + WHERE] += 1;
}
__global__ void byUsing(int *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x + By] += 1;
}
__global__ void bySame(int *x) {
  x[SAME(blockIdx.x * blockDim.x + threadIdx.x) + (Tile - TILE)] += 1;
}
void kernelsOfDirectives(int *x) {
  // CHECK: :[[#@LINE+1]]:3: remark: 2 launches {{.*}} another build
  byDirective<<<4, 64>>>(x);
  scale<<<4, 64>>>(x, 1);
}
void kernelsOfHelpers(int *x) {
  // CHECK: :[[#@LINE+1]]:3: remark: 2 launches {{.*}} another build
  scale<<<4, 64>>>(x, 1);
  byHelper<<<4, 64>>>(x);
}
void kernelsOfRedefined(int *x) {
  // So nobody knows the index.
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since elements of 'x' are written by byRedefined
  byRedefined<<<4, 64>>>(x);
  scale<<<4, 64>>>(x, 1);
}
void kernelsOfUsing(int *x) {
  // So nobody knows the index.
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since elements of 'x' are written by byUsing
  byUsing<<<4, 64>>>(x);
  scale<<<4, 64>>>(x, 1);
}
// Even where they have nothing in common now.
void kernelsApart(int n) {
  int *x, *y;
  cudaMalloc(&x, n);
  cudaMalloc(&y, n);
  // CHECK: :[[#@LINE+1]]:3: remark: 2 launches {{.*}} another build
  byDirective<<<4, 64>>>(x);
  scale<<<4, 64>>>(y, 1);
}
void kernelsOfSame(int *x) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} without a barrier
  bySame<<<4, 64>>>(x);
  scale<<<4, 64>>>(x, 1);
}

//===--- Between the launches ---------------------------------------------===//

#ifdef DEBUG
#define CHECK_ERROR() cudaDeviceSynchronize()
#else
#define CHECK_ERROR()
#endif
void between(int *x) {
  // CHECK: :[[#@LINE+1]]:3: {{.*}} [other-build]
  scale<<<4, 64>>>(x, 1);
  CHECK_ERROR();
  scale<<<4, 64>>>(x, 2);
}

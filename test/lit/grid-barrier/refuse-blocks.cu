// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose threads may not run in blocks of another size.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

// Without libcu++, which takes seconds to parse, and of which nothing is used here.
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

__global__ void any(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void meets(int *p) {
  p[threadIdx.x] += 1;
  __syncthreads();
  p[threadIdx.x] += p[threadIdx.x ^ 1];
}
void twoMeet(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    meets<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

void meetsInUnknownBlock(int *p, int n) {
  for (int t = 1; t < n; ++t) {
    any<<<1, 64>>>(p);
    meets<<<1, t>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

void allVary(int *p, int n) {
  for (int t = 1; t < n; ++t) {
    any<<<1, t>>>(p);
    any<<<1, 2 * t>>>(p);
  }
}
// CHECK: :[[#@LINE-4]]:14: note: {{.*}} [varying-geometry]

void declaredVary(int *p, int n) {
  for (int t = 1; t < n; ++t) {
    int block = 64;
    block -= t;
    any<<<1, block>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:14: note: {{.*}} [varying-geometry]

void declaredByLoop(int *p, int n) {
  for (int t = 1; t < n; ++t) {
    const dim3 block(t, 2);
    any<<<1, block>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:14: note: {{.*}} [varying-geometry]

void declaredByDivision(int *p, int n, int parts) {
  for (int t = 0; t < parts; ++t) {
    const int block = n / parts;
    any<<<1, block>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:14: note: {{.*}} [varying-geometry]

__global__ void shares(int *p) {
  __shared__ int own[64];
  own[threadIdx.x] = p[threadIdx.x];
  p[threadIdx.x] = own[threadIdx.x] + 1;
}
void twoShare(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    shares<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void exchanges(int *p) {
  p[threadIdx.x] += __shfl_sync(~0u, p[threadIdx.x], 0);
}
void exchangesInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    exchanges<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void syncsWarp(int *p) {
  p[threadIdx.x] += 1;
  __syncwarp();
  p[threadIdx.x] += p[threadIdx.x ^ 1];
}
void syncsWarpInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    syncsWarp<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__device__ int index() { return threadIdx.x; }
__global__ void asksCallee(int *p) { p[index()] += blockDim.x; }
void asksCalleeInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    asksCallee<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__device__ int size() { return blockDim.x; }
template <int By> __global__ void asksSize(int *p) { p[threadIdx.x] += size() * By; }
void asksSizeInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    asksSize<2><<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void asksGroup(int *p) {
  p[cooperative_groups::this_thread_block().thread_rank()] += 1;
}
void asksGroupInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    asksGroup<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void addsInBlock(int *p) { atomicAdd_block(p, int(threadIdx.x)); }
void addsInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    addsInBlock<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void fencesInBlock(int *p) {
  p[threadIdx.x] += 1;
  __threadfence_block();
  p[64 + threadIdx.x] += 1;
}
void fencesInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    fencesInBlock<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void asksInLambda(int *p) {
  const auto index = [] { return threadIdx.x; };
  p[index()] += 1;
}
void asksInLambdaInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    asksInLambda<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void asksInClass(int *p) {
  struct Asker {
    __device__ static int index() { return threadIdx.x; }
  };
  p[Asker::index()] += 1;
}
void asksInClassInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    asksInClass<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void asksQualified(int *p) { p[::threadIdx.x] += 1; }
void asksQualifiedInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    asksQualified<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

__global__ void asksRegister(int *p) {
  int index;
  asm("mov.u32 %0, %%tid.x;" : "=r"(index));
  p[index] += 1;
}
void asksRegisterInOtherBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    asksRegister<<<1, 64>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: {{.*}} [inline-asm]

// The launch is an error, or may be one.
__global__ void __launch_bounds__(16) isBounded(int *p) { p[threadIdx.x] += 1; }
void leavesBounds(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    isBounded<<<1, 24>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [several-geometries]
void mayLeaveBounds(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    isBounded<<<1, n>>>(p);
    meets<<<1, 32>>>(p);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [several-geometries]

// The texts of these values mean nothing without their variables.
__global__ void increase(int *p) { p[threadIdx.x] += 1; }
void makesDefaultBlock(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    dim3 block;
    increase<<<1, block>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:19: note: {{.*}} [varying-geometry]
void makesBlockInBraces(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    const int threads{64};
    increase<<<1, threads>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:19: note: {{.*}} [varying-geometry]
void makesBlockOfType(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    const int threads = int();
    increase<<<1, threads + 64>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:19: note: {{.*}} [varying-geometry]

// What a variable makes of the number that it begins with is its value.
void cutsOff(int *p, int n) {
  const unsigned char cut = 320;
  for (int t = 0; t < n; ++t) {
    meets<<<1, cut>>>(p);
    meets<<<1, 320>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

void cutsOffOnTheWay(int *p, int n) {
  int width = 320;
  unsigned char cut = width;
  dim3 block(cut);
  for (int t = 0; t < n; ++t) {
    meets<<<1, 320>>>(p);
    meets<<<1, block>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

void hasDefault(int *p, int n, const int block = 320) {
  for (int t = 0; t < n; ++t) {
    meets<<<1, block>>>(p);
    meets<<<1, 320>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

void mayChange(int *p, int n) {
  const volatile int block = 320;
  for (int t = 0; t < n; ++t) {
    meets<<<1, 320>>>(p);
    meets<<<1, block>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:16: note: {{.*}} [host-variable]

void beginsWithItself(int *p, int n) {
  int block = block;
  for (int t = 0; t < n; ++t) {
    meets<<<1, 320>>>(p);
    meets<<<1, block>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

void beginsWithItselfInLoop(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    int block = block;
    any<<<1, block>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:14: note: {{.*}} [varying-geometry]

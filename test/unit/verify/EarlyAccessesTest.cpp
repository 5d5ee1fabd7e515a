// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source marks what may touch memory before the grid before has ended.

#include "Unit.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::test;

static void expectEarly(const std::string &Text) {
  expectMarked("__device__ inline void wait() {\n"
               "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
               "}\n" +
                   Text,
               Suspicion::Kind::EarlyAccess, "// early");
}

TEST(EarlyAccesses, NoneBehindTheWait) {
  expectEarly(R"(
__constant__ int table[4];
struct Wide { int values[8]; };
__global__ void all(int *to, const int *from, Wide wide) {
  wait();
  __shared__ int shared[32];
  int own[4] = {1, 2, 3, 4};
  shared[threadIdx.x] = from[threadIdx.x] + table[threadIdx.x & 3];
  __syncthreads();
  if (threadIdx.x > 20)
    return;
  to[threadIdx.x] = shared[31 - threadIdx.x] + own[threadIdx.x & 3] +
                    wide.values[threadIdx.x & 7];
  atomicAdd(to, 1);
}
__global__ void without(int *to) { to[0] = 1; }
)");
}

TEST(EarlyAccesses, BeforeTheWaitOrAroundIt) {
  expectEarly(R"(
__global__ void before(int *to) {
  to[0] = 1; // early
  wait();
  to[1] = 2;
}
__global__ void around(int *to, int some) {
  if (some)
    wait();
  to[0] = 1; // early
}
__device__ int peek(const int *from) { return *from; } // early
__global__ void called(int *to, const int *from) {
  int first = peek(from);
  wait();
  to[0] = first;
}
)");
}

TEST(EarlyAccesses, WhatMayBeMovedThere) {
  expectEarly(R"(
__global__ void promised(int *to, const int *__restrict__ from) {
  wait();
  to[0] = from[0]; // early
}
__device__ void step(int *__restrict__ to, const int *__restrict__ from) {
  to[0] = from[0]; // early
}
__global__ void inlined(int *to, const int *from) {
  wait();
  step(to, from);
}
__global__ void readOnly(int *to, const int *from) {
  wait();
  to[0] = __ldg(from); // early
}
)");
}

// A promise of what only assembly leads to concerns the function that makes it.
TEST(EarlyAccesses, NoneByPromisesOfHiddenPointers) {
  expectEarly(R"(
__device__ const int *hidden(const int *from) {
  asm("" : "+l"(from));
  return from;
}
__device__ void step(int *__restrict__ to, const int *__restrict__ from) {
  to[0] = from[0];
}
__global__ void all(int *__restrict__ to, const int *__restrict__ from) {
  wait();
  step(const_cast<int *>(hidden(to)), hidden(from));
}
__device__ void waiting(int *__restrict__ to, const int *__restrict__ from) {
  wait();
  to[0] = from[0]; // early
}
__global__ void within(int *__restrict__ to, const int *__restrict__ from) {
  waiting(const_cast<int *>(hidden(to)), hidden(from));
}
struct Wide { int values[8]; };
__device__ const Wide *hidden(const Wide *from) {
  asm("" : "+l"(from));
  return from;
}
__device__ void copying(Wide *__restrict__ to, const Wide *__restrict__ from) {
  *to = *from;
}
__global__ void copies(Wide *__restrict__ to, const Wide *__restrict__ from) {
  wait();
  copying(const_cast<Wide *>(hidden(to)), hidden(from));
}
__global__ void copiesKnown(Wide *__restrict__ to, const Wide *from) {
  wait();
  *to = *from; // early
}
__device__ int known(const int *__restrict__ from) { return from[0]; } // early
__global__ void one(int *to, const int *from) {
  wait();
  hidden(to);
  to[0] = known(from);
}
)");
}

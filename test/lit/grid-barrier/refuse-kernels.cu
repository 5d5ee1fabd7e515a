// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of which no step can be made, each in a loop that is fine otherwise.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

// Without libcu++, which takes seconds to parse, and of which nothing is used here.
#define _CG_LIMIT_INCLUDED_DEPENDENCIES
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

//===--- Threads that live on -------------------------------------------------//

__global__ void returnsEarly(int *p, int n) {
  if (threadIdx.x >= n)
    return;
  __syncthreads();
  p[threadIdx.x] += p[0];
}
void loopReturnsEarly(int *p, int n) {
  for (int t = 0; t < n; ++t)
    returnsEarly<<<1, 64>>>(p, n);
}
// CHECK: :[[#@LINE-3]]:3: remark: {{.*}} some threads return before others meet
// CHECK: :[[#@LINE-9]]:5: note: {{.*}} [early-exit]
// CHECK: :[[#@LINE-9]]:3: note: the other threads meet here

__global__ void skipsBarrier(int *p, int n) {
  if (threadIdx.x < n) {
    p[threadIdx.x] += 1;
    __syncthreads();
    p[threadIdx.x] += p[0];
  }
}
void loopSkipsBarrier(int *p, int n) {
  for (int t = 0; t < n; ++t)
    skipsBarrier<<<1, 64>>>(p, n);
}
// CHECK: :[[#@LINE-8]]:5: note: {{.*}} [divergent-barrier]

__global__ void exchanges(int *p, int n) {
  if (threadIdx.x < n)
    p[threadIdx.x] += __shfl_sync(~0u, p[threadIdx.x], 0);
}
void loopExchanges(int *p, int n) {
  for (int t = 0; t < n; ++t)
    exchanges<<<1, 64>>>(p, n);
}
// CHECK: :[[#@LINE-6]]:23: note: {{.*}} [warp-exchange]

//===--- Waiting for others ---------------------------------------------------//

__global__ void waits(int *p) {
  while (p[blockIdx.x] == 0)
    __threadfence();
  p[blockIdx.x + 1] = 1;
}
void loopWaits(int *p, int n) {
  for (int t = 0; t < n; ++t)
    waits<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-8]]:3: note: {{.*}} [spin-wait]

// The counter never comes to the bound, or goes the other way.
__global__ void wrapsAround(int *p) {
  for (unsigned char i = 0; i < p[0]; ++i)
    __threadfence();
  p[blockIdx.x + 1] = 1;
}
void loopWrapsAround(int *p, int n) {
  for (int t = 0; t < n; ++t)
    wrapsAround<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-8]]:3: note: {{.*}} [spin-wait]

__global__ void stepsOver(unsigned *p) {
  for (unsigned i = 0; i < p[0]; i += 2)
    __threadfence();
  p[blockIdx.x + 1] = 1;
}
void loopStepsOver(unsigned *p, int n) {
  for (int t = 0; t < n; ++t)
    stepsOver<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-8]]:3: note: {{.*}} [spin-wait]

__global__ void countsAway(int *p) {
  for (int i = 0; i < p[0]; --i)
    __threadfence();
  p[blockIdx.x + 1] = 1;
}
void loopCountsAway(int *p, int n) {
  for (int t = 0; t < n; ++t)
    countsAway<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-8]]:3: note: {{.*}} [spin-wait]

__global__ void skipsStep(int *p) {
  for (int i = 0; i < p[0];) {
    __threadfence();
    if (p[1])
      ++i;
  }
  p[blockIdx.x + 1] = 1;
}
void loopSkipsStep(int *p, int n) {
  for (int t = 0; t < n; ++t)
    skipsStep<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-11]]:3: note: {{.*}} [spin-wait]

__global__ void countsFar(long long *p) {
  for (long long i = 0; i < p[0]; ++i)
    __threadfence();
  p[blockIdx.x + 1] = 1;
}
void loopCountsFar(long long *p, int n) {
  for (int t = 0; t < n; ++t)
    countsFar<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-8]]:3: note: {{.*}} [spin-wait]

__global__ void meetsGrid(int *p) {
  cg::this_grid().sync();
  p[blockIdx.x] += 1;
}
void loopMeetsGrid(int *p, int n) {
  for (int t = 0; t < n; ++t)
    meetsGrid<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-7]]:3: note: {{.*}} [grid-sync]

__global__ void meetsTile(int *p) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  p[threadIdx.x] += 1;
  tile.sync();
}
void loopMeetsTile(int *p, int n) {
  for (int t = 0; t < n; ++t)
    meetsTile<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-6]]:3: note: {{.*}} [named-barrier]

//===--- Where it runs --------------------------------------------------------//

__global__ void asksGroup(int *p) {
  p[cg::this_thread_block().group_index().x] += 1;
}
void loopAsksGroup(int *p, int n) {
  for (int t = 0; t < n; ++t)
    asksGroup<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [cooperative-groups]

__global__ void asksClock(long long *p) { p[threadIdx.x] += clock64(); }
void loopAsksClock(long long *p, int n) {
  for (int t = 0; t < n; ++t)
    asksClock<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-5]]:61: note: {{.*}} [special-register]

__global__ void asksRegister(unsigned *p) {
  unsigned block;
  asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  p[block] += 1;
}
void loopAsksRegister(unsigned *p, int n) {
  for (int t = 0; t < n; ++t)
    asksRegister<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-7]]:3: note: {{.*}} [inline-asm]

// As nvcc takes it, too.
__global__ void asksRegisterAlone(unsigned *p) {
  unsigned block;
  asm("mov.u32 %0, %ctaid.x;" : "=r"(block));
  p[block] += 1;
}
void loopAsksRegisterAlone(unsigned *p, int n) {
  for (int t = 0; t < n; ++t)
    asksRegisterAlone<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-7]]:3: note: {{.*}} [inline-asm]

__device__ int globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }
__global__ void asksCallee(int *p) { p[globalIndex()] += 1; }
void loopAsksCallee(int *p, int n) {
  for (int t = 0; t < n; ++t)
    asksCallee<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-6]]:39: note: {{.*}} [index-in-callee]

__global__ void asksGlobally(int *p) { p[::blockIdx.x] += 1; }
void loopAsksGlobally(int *p, int n) {
  for (int t = 0; t < n; ++t)
    asksGlobally<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-5]]:44: note: {{.*}} [index-scope]

__global__ void __cluster_dims__(2) inClusters(int *p) { p[blockIdx.x] += 1; }
void loopInClusters(int *p, int n) {
  for (int t = 0; t < n; ++t)
    inClusters<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-5]]:37: note: {{.*}} [cluster]

//===--- What cannot be seen --------------------------------------------------//

__device__ int somewhere(int);
__global__ void callsUnseen(int *p) { p[threadIdx.x] = somewhere(p[0]); }
void loopCallsUnseen(int *p, int n) {
  for (int t = 0; t < n; ++t)
    callsUnseen<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-5]]:56: note: {{.*}} [unknown-call]

__device__ int factorial(int n) { return n ? n * factorial(n - 1) : 1; }
__global__ void recurses(int *p) { p[threadIdx.x] += factorial(4); }
void loopRecurses(int *p, int n) {
  for (int t = 0; t < n; ++t)
    recurses<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-5]]:17: note: {{.*}} [recursion]

//===--- Stale values ---------------------------------------------------------//

__global__ void readsOnly(const int *in, int *out) {
  out[threadIdx.x] += __ldg(&in[threadIdx.x + 1]);
}
void loopReadsOnly(int *p, int n) {
  for (int t = 0; t < n; ++t)
    readsOnly<<<4, 64>>>(p, p);
}
// CHECK: :[[#@LINE-6]]:23: note: {{.*}} [read-only-load]

__global__ void fetches(cudaTextureObject_t in, int *out) {
  out[threadIdx.x] += tex1Dfetch<int>(in, threadIdx.x);
}
void loopFetches(cudaTextureObject_t in, int *p, int n) {
  for (int t = 0; t < n; ++t)
    fetches<<<4, 64>>>(in, p);
}
// CHECK: :[[#@LINE-6]]:23: note: {{.*}} [texture]

//===--- Text -----------------------------------------------------------------//

__global__ void namesItself(int *p) { p[threadIdx.x] += __func__[0]; }
void loopNamesItself(int *p, int n) {
  for (int t = 0; t < n; ++t)
    namesItself<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-5]]:57: note: {{.*}} [function-name]

__global__ void asksForItself(int *p) {
  p[threadIdx.x] += __builtin_FUNCTION()[0];
}
void loopAsksForItself(int *p, int n) {
  for (int t = 0; t < n; ++t)
    asksForItself<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-6]]:21: note: {{.*}} [function-name]

__device__ int firstOf(const char *name = __builtin_FUNCTION()) {
  return name[0];
}
__global__ void letsAsk(int *p) { p[threadIdx.x] += firstOf(); }
void loopLetsAsk(int *p, int n) {
  for (int t = 0; t < n; ++t)
    letsAsk<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-5]]:{{.*}}: note: {{.*}} [function-name]

#define KERNEL(Name) __global__ void Name(int *p)
KERNEL(inMacro) { p[threadIdx.x] += 1; }
void loopInMacro(int *p, int n) {
  for (int t = 0; t < n; ++t)
    inMacro<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-5]]:1: note: {{.*}} [kernel-in-macro]

__global__ void hasDirective(int *p
#ifdef MORE
                             ,
                             int more
#endif
) {
  p[threadIdx.x] += 1;
}
void loopHasDirective(int *p, int n) {
  for (int t = 0; t < n; ++t)
    hasDirective<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-12]]:17: note: {{.*}} [kernel-preprocessor]

// The step's kernel stands behind the body, where the macro is another one.
#define THREADS 64
#define BOUNDS __launch_bounds__(THREADS)
__global__ void BOUNDS definesAnew(int *p) {
#undef THREADS
#define THREADS 32
  p[threadIdx.x] += THREADS;
}
void loopDefinesAnew(int *p, int n) {
  for (int t = 0; t < n; ++t)
    definesAnew<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-9]]:24: note: {{.*}} [kernel-preprocessor]

#define RESTRICT __restrict__
__global__ void definesNoMore(int *RESTRICT p) {
#undef RESTRICT
  p[threadIdx.x] += 1;
}
void loopDefinesNoMore(int *p, int n) {
  for (int t = 0; t < n; ++t)
    definesNoMore<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-8]]:17: note: {{.*}} [kernel-preprocessor]

__global__ void namesOwnAddress(int *p) {
  p[threadIdx.x] += (void *)namesOwnAddress == p;
}
void loopNamesOwnAddress(int *p, int n) {
  for (int t = 0; t < n; ++t)
    namesOwnAddress<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-6]]:29: note: {{.*}} [kernel-shape]

template <typename... Args> __global__ void takesPack(int *p, Args... args) {
  p[threadIdx.x] += (args + ...);
}
void loopTakesPack(int *p, int n) {
  for (int t = 0; t < n; ++t)
    takesPack<<<4, 64>>>(p, 1, 2);
}
// CHECK: :[[#@LINE-7]]:45: note: {{.*}} [kernel-shape]

__global__ void hasConstantParameter(const __grid_constant__ int n, int *p) {
  p[threadIdx.x] += n;
}
void loopHasConstantParameter(int *p, int n) {
  for (int t = 0; t < n; ++t)
    hasConstantParameter<<<4, 64>>>(n, p);
}
// CHECK: :[[#@LINE-7]]:66: note: {{.*}} [parameter-type]

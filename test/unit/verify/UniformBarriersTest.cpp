// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source marks the barriers that not all threads come to.

#include "Unit.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::test;

static void expectMarked(const std::string &Text) {
  expectMarked(Text, Suspicion::Kind::DivergentBarrier, "// divergent");
}

TEST(UniformBarriers, ThreadsPartAtValuesOfTheirOwn) {
  expectMarked(R"(
__global__ void index(int *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    a[i] = 1;
    __syncthreads(); // divergent
  }
}
__global__ void uniform(int *a, int n) {
  for (int k = blockIdx.x; k < n; k += gridDim.x) {
    a[k * blockDim.x + threadIdx.x] = 1;
    __syncthreads();
  }
}
__global__ void guarded(int *a, int n) {
  if (a[threadIdx.x] > 0)
    __syncthreads(); // divergent
  if (n > 0)
    __syncthreads();
}
__global__ void vote(const int *a, int *out) {
  int k = 0;
  while (__syncthreads_or(k < a[threadIdx.x]))
    ++k;
  out[threadIdx.x] = k;
}
__device__ void inner(int n) {
  for (int k = 0; k < n; ++k)
    __syncthreads(); // divergent
}
__global__ void throughCall(const int *a, int n) {
  inner(n);
  inner(a[threadIdx.x]);
}
)");
}

TEST(UniformBarriers, ReferencesHideNothing) {
  expectMarked(R"(
struct Row { int begin, end; };
__global__ void csr(const Row *rows, const int *cols, float *out) {
  const Row &row = rows[threadIdx.x];
  float sum = 0;
  for (int j = row.begin; j < row.end; ++j) {
    sum += cols[j];
    __syncthreads(); // divergent
  }
  out[threadIdx.x] = sum;
}
__global__ void chosen(int n, float *out) {
  int i = n, j = n;
  (threadIdx.x > 3 ? i : j) = 5;
  for (int k = 0; k < i; ++k)
    __syncthreads(); // divergent
  out[threadIdx.x] = j;
}
struct Holder { int &x; };
__global__ void member(int n, float *out) {
  int end = n;
  Holder h{end};
  h.x += threadIdx.x;
  for (int k = 0; k < end; ++k)
    __syncthreads(); // divergent
}
__global__ void assembly(int n) {
  asm("add.s32 %0, %0, %%tid.x;" : "+r"(n));
  for (int k = 0; k < n; ++k)
    __syncthreads(); // divergent
}
__device__ void set(int &a, int &b) { a = 3; b = threadIdx.x; }
__global__ void twice(int n) {
  int end = n;
  set(end, end);
  for (int k = 0; k < end; ++k)
    __syncthreads(); // divergent
}
)");
}

TEST(UniformBarriers, ThreadsThatLeaveAreNotMissed) {
  expectMarked(R"(
__global__ void fromLoops(float *a, int n, int m) {
  for (int i = threadIdx.x; i < n; i += 7)
    if (m == 3)
      return;
  for (int k = 0; k < m; ++k) {
    a[threadIdx.x] += k;
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += 7) {
    if (m == 3)
      return;
    __syncthreads(); // divergent
  }
  if (m > 4)
    a[threadIdx.x] = 0;
  else
    a[threadIdx.x] = 1;
}
__global__ void afterLastLoops(float *a, int n, int m) {
  if (threadIdx.x < n) {
    for (int k = 0; k < m; ++k)
      n *= k;
    if (n > 5)
      a[threadIdx.x] = n;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void waitsFirst(volatile int *a, int n, int m) {
  if (threadIdx.x < n) {
    while (a[0] == 0)
      ;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
  a[0] = 1;
}
__constant__ int rounds[4] = {1, 2, 3, 4};
__global__ void readsFirst(const float *a, float *b, int n, int m) {
  if (threadIdx.x < n) {
    float s = 0;
    for (int k = 0; k < rounds[2] + m; ++k)
      s += a[k];
    b[threadIdx.x] = s;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void asManyAsMemorySays(const int *a, int *b, int m) {
  int s = 0;
  if (threadIdx.x % 2) {
    for (int k = 0; k < a[threadIdx.x]; ++k)
      for (unsigned j = 9; j > 0; --j)
        s += b[j];
    b[threadIdx.x] = s;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void untilMemorySays(const int *a, int *b, int m) {
  if (threadIdx.x % 2) {
    for (int k = 0; k < 1000; ++k)
      if (a[0])
        break;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void askedAnew(volatile int *a, int m) {
  if (threadIdx.x % 2) {
    for (int k = 0; k < a[0]; ++k)
      ;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void stepsBack(const int *a, int *b, int m) {
  if (threadIdx.x % 2) {
    for (int k = 0; k < a[0]; k += b[k])
      b[threadIdx.x] = k;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void stepsAsNobodyWrites(const int *a, int *b, int m) {
  if (threadIdx.x % 2) {
    for (int k = 0; k < a[0]; k += b[k])
      ;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void byItsOwn(int *b, int m) {
  int steps[4] = {1, 2, 3, 4};
  if (threadIdx.x % 2) {
    for (int k = 0; k < 9; k += steps[threadIdx.x & 3])
      steps[k & 3] = b[k];
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void waitsInDisguise(volatile int *a, int n, int m) {
  if (threadIdx.x < n) {
    int seen = 0;
    do
      seen = rounds[1] + a[seen & 1] * 2;
    while (seen == rounds[1]);
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
  a[0] = a[1] = 1;
}
__global__ void early(float *a, int n, int m) {
  if (threadIdx.x >= n)
    return;
  if (a[threadIdx.x] < 0)
    return;
  for (int k = 0; k < m; ++k) {
    a[threadIdx.x] += k;
    __syncthreads();
  }
  a[threadIdx.x] = 0;
}
__global__ void withLastWords(float *a, int m) {
  if (a[threadIdx.x] < 0) {
    a[threadIdx.x] = 7;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void within(float *a, int m) {
  for (int k = 0; k < m; ++k) {
    if (a[threadIdx.x] < k)
      return;
    __syncthreads(); // divergent
  }
}
__global__ void aroundTheLoop(float *a, int n, int m) {
  for (int r = 0; r < m; ++r) {
    if (threadIdx.x + r >= n)
      return;
    for (int k = 0; k < m; ++k)
      __syncthreads();
    if (a[threadIdx.x] > r)
      for (int k = 0; k < m; ++k)
        __syncthreads(); // divergent
    a[threadIdx.x] += r;
  }
}
__global__ void lastLoop(float *a, int n, int m) {
  for (int r = 0; r < a[threadIdx.x]; ++r) {
    if (m == n)
      return;
    for (int k = 0; k < m; ++k)
      __syncthreads(); // divergent
  }
  a[threadIdx.x] = 1;
}
__device__ void leave(float *a) {
  if (a[threadIdx.x] < 0)
    return;
  a[threadIdx.x] = 1;
  __syncthreads(); // divergent
}
__global__ void fromFunction(float *a) {
  leave(a);
  a[threadIdx.x] += 1;
  __syncthreads();
  a[threadIdx.x] += 1;
}
__global__ void forEver(float *a) {
  for (;;) {
    if (a[threadIdx.x] > 0)
      __syncthreads(); // divergent
    a[threadIdx.x] += 1;
  }
}
)");
}

TEST(UniformBarriers, ScopesWithManyWaysOut) {
  expectMarked(R"(
struct Guard {
  int *a;
  __device__ ~Guard() { *a += 1; }
};
__global__ void vote(int *a, int n) {
  int k = threadIdx.x;
  bool active = true;
  while (__syncthreads_or(active = active && k < n))
    if (active) {
      Guard g{a + threadIdx.x};
      int v = a[k++];
      if (v < 0) {
        active = false;
        continue;
      }
      if (v > 5)
        continue;
      a[k] = v;
    }
}
__global__ void leaves(int *a, int n) {
  for (int k = 0; k < n; ++k) {
    Guard g{a + threadIdx.x};
    if (a[k + threadIdx.x] < 0)
      break;
    __syncthreads(); // divergent
    if (a[k] > 5)
      continue;
    a[k] = 1;
  }
}
)");
}

TEST(UniformBarriers, ThreadsLeaveByLoopsThatWaitForNobody) {
  expectMarked(R"(
__global__ void strides(const int *limit, float *a, int m) {
  if (threadIdx.x >= m) {
    for (int i = threadIdx.x; i < *limit; i += blockDim.x * gridDim.x)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void stridesToWritten(int *limit, int *a, int m) {
  if (threadIdx.x >= m) {
    for (int i = threadIdx.x; i < *limit; i += blockDim.x * gridDim.x)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void stridesByParameter(int *limit, int *a, int m) {
  if (threadIdx.x >= m) {
    for (int i = threadIdx.x; i < *limit; i += m)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void stridesWithSizes(int *limit, int *a, int m) {
  if (threadIdx.x >= m) {
    for (size_t i = threadIdx.x; i < *limit; i += size_t(blockDim.x) * gridDim.x)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void doubles(const int *limit, float *a, int m) {
  if (threadIdx.x >= m) {
    for (int i = 1; i < *limit; i <<= 1)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void doublesToWritten(int *limit, int *a, int m) {
  if (threadIdx.x >= m) {
    for (int i = 1; i < *limit; i <<= 1)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void meets(int *limit, int *a, int m) {
  if (threadIdx.x >= m) {
    for (unsigned i = 0; i != *limit; ++i)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void meetsWhatMoves(int *limit, int *a, unsigned m) {
  if (threadIdx.x >= m) {
    for (unsigned i = 0; i != limit[i]; ++i)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void skips(int *limit, int *a, int m) {
  if (threadIdx.x >= m) {
    for (unsigned i = 0; i != *limit; i += 2)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void upTo(int *limit, int *a, int m) {
  if (threadIdx.x >= m) {
    for (int i = 0; i <= *limit; ++i)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads();
}
__global__ void upToUnsigned(unsigned *limit, unsigned *a, int m) {
  if (threadIdx.x >= m) {
    for (unsigned i = 0; i <= *limit; ++i)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void polls(const int *limit, float *a, int m) {
  if (threadIdx.x >= m) {
    while (*limit == 0)
      a[threadIdx.x] += 1;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
__global__ void pollsNow(const volatile int *limit, float *a, int m) {
  if (threadIdx.x >= m) {
    for (int i = 1; i < *limit; i <<= 1)
      a[i] = 0;
    return;
  }
  for (int k = 0; k < m; ++k)
    __syncthreads(); // divergent
}
)");
}

TEST(UniformBarriers, MemoryIsUniformWhereNobodyWrites) {
  expectMarked(R"(
__global__ void readOnly(const int *counts, float *out) {
  for (int k = 0; k < counts[blockIdx.x]; ++k)
    __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void written(int *counts) {
  for (int k = 0; k < counts[blockIdx.x]; ++k) {
    counts[threadIdx.x] = k;
    __syncthreads(); // divergent
  }
}
__global__ void elsewhere(int *counts, volatile int *flag, float *out) {
  for (int k = 0; k < *flag; ++k)
    __syncthreads(); // divergent
  out[threadIdx.x] = 1;
}
__global__ void phases(int n, float *out) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = n;
  __syncthreads();
  const int end = count;
  for (int k = 0; k < end; ++k)
    __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void samePhase(int n, float *out) {
  __shared__ int count;
  __syncthreads();
  if (threadIdx.x == 0)
    count = n;
  const int end = count;
  for (int k = 0; k < end; ++k)
    __syncthreads(); // divergent
  out[threadIdx.x] = 1;
}
struct Sizes { int of[4]; };
__global__ void byValue(Sizes sizes, int level, float *out) {
  for (int k = 0; k < sizes.of[level]; ++k)
    __syncthreads();
  for (int k = 0; k < sizes.of[threadIdx.x]; ++k)
    __syncthreads(); // divergent
  out[threadIdx.x] = 1;
}
__global__ void localArray(int n, float *out) {
  int same[3] = {n, n + 1, n + 2}, other[3] = {1, 2, 3};
  other[n % 3] = threadIdx.x;
  for (int k = 0; k < same[n % 3]; ++k)
    __syncthreads();
  for (int k = 0; k < other[n % 3]; ++k)
    __syncthreads(); // divergent
  out[threadIdx.x] = 1;
}
)");
}

TEST(UniformBarriers, AGridBarrierWritesNothingOfTheProgram) {
  expectMarked(R"(
struct State {
  int *arrived;
};
__device__ void __gpu_sync(State &state) {
  __syncthreads();
  state.arrived[threadIdx.x] = 1;
}
__global__ void readsBack(State state, int *a, const int *flag) {
  for (int again = 1; again;) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
    __gpu_sync(state);
    again = *flag;
    __gpu_sync(state);
  }
}
__device__ void notify(State &state) {
  __syncthreads(); // divergent
  state.arrived[threadIdx.x] = 1;
}
__global__ void mayMeet(State state, const int *flag) {
  for (int again = 1; again;) {
    notify(state);
    again = *flag;
  }
}
)");
}

// Elsewhere the cluster may be a part of the grid.
TEST(UniformBarriers, AGridBarrierMayBeThatOfItsCluster) {
  expectMarked(R"(
__device__ void __gpu_sync(bool isCluster) {
  if (isCluster) {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
    return;
  }
  __syncthreads();
}
__global__ void readsBack(bool isCluster, int *a, const int *flag) {
  for (int again = 1; again;) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
    __gpu_sync(isCluster);
    again = *flag;
    __gpu_sync(isCluster);
  }
}
__device__ void meetCluster(bool isCluster) {
  if (isCluster) {
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
    return;
  }
  __syncthreads(); // divergent
}
__global__ void mayMeet(bool isCluster, int *a, const int *flag) {
  for (int again = 1; again;) {
    a[blockIdx.x * blockDim.x + threadIdx.x] += 1;
    meetCluster(isCluster);
    again = *flag;
    meetCluster(isCluster);
  }
}
)");
}

TEST(UniformBarriers, OfFunctionsThatCallThemselvesNothingIsKnown) {
  expectMarked(R"(
__device__ __noinline__ int down(int n) {
  __syncthreads(); // divergent
  return n > 0 ? down(n - 1) + 1 : 0;
}
__global__ void recursive(int *out, int n) { out[0] = down(n); }
)");
}

TEST(UniformBarriers, AtomicsAreOfTheirType) {
  expectMarked(R"(
__global__ void counts(const float *a, const int *b, int *w) {
  __nvvm_atom_add_gen_i(w, 1);
  if (a[0] > 0)
    __syncthreads();
  if (b[0] > 0)
    __syncthreads(); // divergent
  __syncthreads();
}
// As atomicExch() of floats does.
__global__ void exchanges(const float *a, const int *b, float *x) {
  __nvvm_atom_xchg_gen_i((int *)x, 1);
  if (a[0] > 0)
    __syncthreads(); // divergent
  if (b[0] > 0)
    __syncthreads(); // divergent
  __syncthreads();
}
__global__ void declaredOnly(const float *__restrict__ a, const int *b,
                             float *x) {
  atomicAdd(x, 1.f);
  if (a[0] > 0)
    __syncthreads();
  if (b[0] > 0)
    __syncthreads(); // divergent
  __syncthreads();
}
)");
}

TEST(UniformBarriers, OrdinaryCodeIsNotSuspected) {
  expectMarked(R"(
__global__ void table(int p, const int *a) {
  const int ends[4] = {1, 2, 3, 4};
  for (int k = 0; k < ends[p & 3]; ++k)
    __syncthreads();
  for (int k = 0; k < ends[threadIdx.x & 3]; ++k)
    __syncthreads(); // divergent
  int starts[4] = {1, 2, 3, 4};
  starts[p & 3] = a[threadIdx.x];
  for (int k = 0; k < starts[p & 1]; ++k)
    __syncthreads(); // divergent
  __syncthreads();
}
__global__ void assembly(const int *p, int *q) {
  int computed, lane, loaded;
  asm("add.s32 %0, %1, 1;" : "=r"(computed) : "r"(*p));
  for (int k = 0; k < computed; ++k)
    __syncthreads();
  asm("ld.global.cg.s32 %0, [%1];" : "=r"(loaded) : "l"(p));
  for (int k = 0; k < loaded; ++k)
    __syncthreads();
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  for (int k = 0; k < lane; ++k)
    __syncthreads(); // divergent
  asm("add.s32 %0, %1, 1;" : "=r"(computed) : "r"(lane));
  for (int k = 0; k < computed; ++k)
    __syncthreads(); // divergent
  __syncthreads();
}
__global__ void stores(const int *p, int *q) {
  asm volatile("st.global.u32 [%0], %1;" :: "l"(q), "r"(3) : "memory");
  if (*p > 3)
    __syncthreads(); // divergent
  __syncthreads();
}
__global__ void isVolatile(const volatile int n, const volatile int *p) {
  volatile int m = n;
  for (int k = 0; k < m + n; ++k)
    __syncthreads();
  if (*p > 3)
    __syncthreads(); // divergent
  __syncthreads();
}
struct Box {
  int count;
  double place[4];
};
__global__ void copies(const Box *boxes, const double *from, double *to) {
  __shared__ Box near[64];
  for (int k = 0; k < boxes[blockIdx.x].count; ++k) {
    near[threadIdx.x] = boxes[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] += near[63 - threadIdx.x].place[0];
    __syncthreads();
  }
  near[threadIdx.x] = boxes[threadIdx.x];
  for (int k = 0; k < near[0].count; ++k)
    __syncthreads(); // divergent
  __syncthreads();
}
__global__ void traps(const float *a) {
  if (a[threadIdx.x] > 5)
    __builtin_trap();
  if (a[threadIdx.x] < 0)
    asm volatile("trap;");
  __syncthreads();
}
__global__ void trapsInLoop(float *a, int n) {
  for (int k = 0; k < n; ++k) {
    if (a[threadIdx.x + k] > 5) {
      a[threadIdx.x] = 1;
      if (a[threadIdx.x + 64] > 7)
        a[threadIdx.x] = 2;
      __builtin_trap();
    }
    __syncthreads();
  }
}
__global__ void waitsToTrap(float *a, int n) {
  for (int k = 0; k < n; ++k) {
    if (a[threadIdx.x + k] > 5) {
      __syncthreads();
      __builtin_trap();
    }
    __syncthreads(); // divergent
  }
}
__global__ void mayTrap(float *a, int n) {
  for (int k = 0; k < n; ++k) {
    if (a[threadIdx.x + k] > 5) {
      if (a[threadIdx.x] > 7)
        __builtin_trap();
      return;
    }
    __syncthreads(); // divergent
  }
}
)");
}

// The innermost place counts: each kernel has grid barriers of its own.
TEST(UniformBarriers, BlocksPartAtValuesOfTheirOwn) {
  expectMarked(R"(
__device__ void __gpu_sync1() { __syncthreads(); } // parted
__device__ void __gpu_sync2() { __syncthreads(); }
__global__ void byBlock(int *x, int n) {
  if (blockIdx.x < n)
    __gpu_sync1();
  if (gridDim.x < n && blockDim.x > 1)
    __gpu_sync2();
  for (int k = blockIdx.x; k < n; k += gridDim.x)
    __syncthreads();
  __gpu_sync2();
}
__device__ void __gpu_sync3() {
  if (blockIdx.x == 0)
    __syncthreads(); // serves the others
  __syncthreads();
}
__device__ void __gpu_sync4() { __syncthreads(); } // parted
__device__ void __gpu_sync5() { __syncthreads(); } // parted
__global__ void byMemory(const int *flag, int n) {
  __shared__ int mine;
  if (threadIdx.x == 0)
    mine = flag[blockIdx.x];
  __syncthreads();
  if (*flag)
    __gpu_sync3();
  if (mine)
    __gpu_sync4();
  if (__syncthreads_or(flag[threadIdx.x]))
    __gpu_sync5();
  __gpu_sync3();
}
)",
               Suspicion::Kind::PartedGrid, "// parted");
}

TEST(UniformBarriers, NarrowBarriersAreTheSameForAllBlocks) {
  const std::string Narrow = R"(
struct StepBarrier {
  bool holds, wasNarrow = true;
  __device__ void before(bool isNarrow) {
    isNarrow = isNarrow && holds;
    if (isNarrow && wasNarrow)
      __syncthreads();
    else
      __gpu_sync();
    wasNarrow = isNarrow;
  }
};
)";
  expectMarked("__device__ void __gpu_sync() { __syncthreads(); }" + Narrow +
                   R"(
__global__ void steps(float *x, int n) {
  StepBarrier barrier{gridDim.y == 1};
  for (int j = n; j > 0; j /= 2) {
    barrier.before(j < blockDim.x);
    if (threadIdx.x < j)
      x[threadIdx.x] = j;
  }
}
__global__ void chosen(float *x, int n) {
  StepBarrier barrier{gridDim.y == 1};
  for (int t = 0; t < n; ++t)
    if (t % 3) {
      barrier.before(true);
      if (threadIdx.x < t)
        x[threadIdx.x] = t;
    } else {
      barrier.before(false);
      if (blockIdx.x < t)
        x[threadIdx.x + 1] = t;
    }
}
)",
               Suspicion::Kind::PartedGrid, "// parted");
  expectMarked("__device__ void __gpu_sync() { __syncthreads(); } // parted" +
                   Narrow + R"(
__global__ void steps(float *x, int n) {
  StepBarrier barrier{gridDim.y == 1};
  for (int j = n; j > 0; j /= 2) {
    barrier.before(j < blockIdx.x);
    x[threadIdx.x] = j;
  }
}
)",
               Suspicion::Kind::PartedGrid, "// parted");
}

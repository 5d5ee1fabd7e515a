// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels may become steps, and what is known of them.

#include "matchers/grid-barrier/StepKernel.h"
#include "Snippet.h"
#include "clang/AST/Attr.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::grid_barrier;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct Inspected {
  explicit Inspected(const std::string &Code, bool RestrictOption = false)
      : Source(Code) {
    Program Whole;
    Whole.RestrictKernelPointers = RestrictOption;
    PassView Pass;
    Pass.Context = &Source.context();
    Pass.IsDevice = true;
    Step = inspectStep(kernel(), Whole, Pass);
  }

  const clang::FunctionDecl &kernel() {
    for (const clang::Decl *D :
         Source.context().getTranslationUnitDecl()->decls())
      if (const auto *F = dyn_cast<clang::FunctionDecl>(D);
          F && F->hasAttr<clang::CUDAGlobalAttr>())
        return *F;
    return Source.function();
  }

  std::vector<std::string> reasons() const {
    std::vector<std::string> Ids;
    for (const Blocker &H : Step.Blockers)
      Ids.push_back(H.Why.Id.str());
    return Ids;
  }

  static std::vector<std::string>
  names(llvm::ArrayRef<const clang::ParmVarDecl *> Parameters) {
    std::vector<std::string> Names;
    for (const clang::ParmVarDecl *P : Parameters)
      Names.push_back(P->getNameAsString());
    return Names;
  }

  test::Snippet Source;
  StepKernel Step;
};

std::vector<std::string> reasonsOf(const std::string &Code) {
  return Inspected(Code).reasons();
}

TEST(StepKernel, TakesAKernelThatStoresToItsParameters) {
  Inspected I(R"(__global__ void k(const float *in, float *out, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      out[i] = in[i];
    })");
  EXPECT_THAT(I.reasons(), IsEmpty());
  EXPECT_TRUE(I.Step.Indices.BlockIndex);
  EXPECT_FALSE(I.Step.Indices.GridSize);
  EXPECT_FALSE(I.Step.UsesSharedMemory);
  EXPECT_FALSE(I.Step.WaitsForBlock);
  EXPECT_TRUE(I.Step.ThreadsStandAlone);
  EXPECT_THAT(I.names(I.Step.Written), ElementsAre("out"));
  EXPECT_TRUE(I.Step.WritesElsewhere.isInvalid());
  EXPECT_THAT(I.Step.ReadOnlyLoads, IsEmpty());
}

TEST(StepKernel, FollowsStoresThroughCalls) {
  Inspected I(R"(__device__ void put(float *to, float v) { *to = v; }
    __device__ void both(float *a, float *b) { put(a, 1); put(b + 1, 2); }
    __global__ void k(float *a, float *b, float *c) { both(a, c); })");
  EXPECT_THAT(I.names(I.Step.Written), ElementsAre("a", "c"));
  EXPECT_TRUE(I.Step.WritesElsewhere.isInvalid());
}

TEST(StepKernel, SeesStoresThatNoParameterShows) {
  EXPECT_TRUE(Inspected("__device__ int g; __global__ void k() { g = 1; }")
                  .Step.WritesElsewhere.isValid());
  EXPECT_TRUE(Inspected("__global__ void k(int **p) { **p = 1; }")
                  .Step.WritesElsewhere.isValid());
}

TEST(StepKernel, MeasuresSharedMemory) {
  Inspected I(R"(__global__ void k(float *out) {
      __shared__ float tile[256];
      tile[threadIdx.x] = 1;
      __syncthreads();
      out[threadIdx.x] = tile[0];
    })");
  EXPECT_THAT(I.reasons(), IsEmpty());
  EXPECT_TRUE(I.Step.UsesSharedMemory);
  EXPECT_FALSE(I.Step.UsesDynamicSharedMemory);
  EXPECT_TRUE(I.Step.WaitsForBlock);
  EXPECT_FALSE(I.Step.ThreadsStandAlone);
  EXPECT_GE(I.Step.StaticSharedBytes, 1024u);
  EXPECT_LT(I.Step.StaticSharedBytes, 1040u);
}

TEST(StepKernel, SeesDynamicSharedMemoryOfCallees) {
  Inspected I(R"(extern __shared__ float buffer[];
    __device__ void put(float v) { buffer[threadIdx.x] = v; }
    __global__ void k() { put(1); })");
  EXPECT_TRUE(I.Step.UsesDynamicSharedMemory);
  EXPECT_EQ(I.Step.StaticSharedBytes, 0u);
}

TEST(StepKernel, TakesEarlyReturnsWithoutLaterMeetings) {
  EXPECT_THAT(reasonsOf(R"(__global__ void k(float *out, int n) {
      __shared__ float s;
      if (threadIdx.x == 0) s = 1;
      __syncthreads();
      if (threadIdx.x >= n) return;
      out[threadIdx.x] = s;
    })"),
              IsEmpty());
}

TEST(StepKernel, TakesReturnsOfWholeBlocks) {
  EXPECT_THAT(reasonsOf(R"(__global__ void k(float *out, int n) {
      if (blockIdx.x >= n) return;
      __syncthreads();
      out[threadIdx.x] = 1;
    })"),
              IsEmpty());
}

TEST(StepKernel, RefusesEarlyReturnsBeforeMeetings) {
  EXPECT_THAT(reasonsOf(R"(__global__ void k(float *out, int n) {
      if (threadIdx.x >= n) return;
      __syncthreads();
      out[threadIdx.x] = 1;
    })"),
              ElementsAre("early-exit"));
  EXPECT_THAT(reasonsOf(R"(__device__ void meet() { __syncthreads(); }
    __global__ void k(float *out, int n) {
      if (threadIdx.x >= n) return;
      meet();
    })"),
              ElementsAre("early-exit"));
  EXPECT_THAT(reasonsOf(R"(__device__ void __syncwarp(unsigned mask);
    __global__ void k(float *out, int n) {
      if (threadIdx.x >= n) return;
      __syncwarp(~0u);
    })"),
              ElementsAre("early-exit"));
}

TEST(StepKernel, RefusesMeetingsThatSomeThreadsSkip) {
  EXPECT_THAT(reasonsOf(R"(__global__ void k(float *out, int n) {
      if (threadIdx.x < n) {
        __syncthreads();
        out[threadIdx.x] = 1;
      }
    })"),
              ElementsAre("divergent-barrier"));
  EXPECT_THAT(reasonsOf(R"(
    __global__ void k(int *out, int n) {
      if (threadIdx.x < n)
        out[threadIdx.x] = __shfl_sync(~0u, n, 0);
    })"),
              ElementsAre("warp-exchange"));
}

TEST(StepKernel, RefusesWaitingForOtherBlocks) {
  EXPECT_THAT(reasonsOf(R"(__global__ void k(volatile int *flag) {
      while (flag[blockIdx.x - 1] == 0) ;
      flag[blockIdx.x] = 1;
    })"),
              ElementsAre("spin-wait"));
}

TEST(StepKernel, TakesRetriedExchanges) {
  const char *Cas = "__device__ int atomicCAS(int *a, int c, int v);\n";
  EXPECT_THAT(reasonsOf(Cas + std::string(R"(__global__ void k(int *p, int v) {
      int old = *p, assumed;
      do {
        assumed = old;
        old = atomicCAS(p, assumed, assumed * v);
      } while (assumed != old);
    })")),
              IsEmpty());
  // A lock: it waits until another thread lets go.
  EXPECT_THAT(reasonsOf(Cas + std::string(R"(__global__ void k(int *p) {
      while (atomicCAS(p, 0, 1) != 0) ;
    })")),
              ElementsAre("spin-wait"));
  // Waits for a value that it never renews.
  EXPECT_THAT(reasonsOf(Cas + std::string(R"(__global__ void k(int *p, int v) {
      int old, assumed = v;
      do {
        old = atomicCAS(p, assumed, 1);
      } while (assumed != old);
    })")),
              ElementsAre("spin-wait"));
}

TEST(StepKernel, RefusesIndicesOutOfReach) {
  EXPECT_THAT(reasonsOf(R"(__device__ int id() { return blockIdx.x; }
    __global__ void k(int *p) { p[id()] = 1; })"),
              ElementsAre("index-in-callee"));
  EXPECT_THAT(reasonsOf("__global__ void k(int *p) { p[::blockIdx.x] = 1; }"),
              ElementsAre("index-scope"));
  EXPECT_THAT(reasonsOf(R"(__global__ void k(int *p) {
      auto id = [p] { return blockIdx.x; };
      p[id()] = 1;
    })"),
              ElementsAre("index-scope"));
  EXPECT_THAT(reasonsOf(R"(__global__ void k(int *p) {
      struct Local { __device__ static int id() { return blockIdx.x; } };
      p[Local::id()] = 1;
    })"),
              ElementsAre("index-scope", "index-in-callee"));
  EXPECT_THAT(reasonsOf(R"(__device__ int f(int b = blockIdx.x) { return b; }
    __global__ void k(int *p) { p[f()] = 1; })"),
              ElementsAre("index-scope"));
  EXPECT_THAT(
      reasonsOf("__global__ void k(int *p) { int gridDim = 1; *p = gridDim; }"),
      ElementsAre("index-scope"));
}

TEST(StepKernel, TakesIndicesInMacrosAndCapturingLambdas) {
  EXPECT_THAT(reasonsOf(R"(
    #define ID (blockIdx.x * blockDim.x + threadIdx.x)
    __global__ void k(int *p) {
      auto id = [&] { return [=] { return blockIdx.x; }(); };
      p[ID] = id();
    })"),
              IsEmpty());
}

TEST(StepKernel, RecordsLoadsThatNeedNotBeCoherent) {
  Inspected I(
      R"(__device__ float get(const float *__restrict__ p) { return *p; }
    __global__ void k(const float *a, const float *b, const float *c, float *o) {
      const float *__restrict__ q = b + 1;
      o[0] = __ldg(&a[threadIdx.x]) + *q + get(c);
    })");
  EXPECT_THAT(I.reasons(), IsEmpty());
  std::vector<std::string> Loaded, Promised;
  for (const ReadOnlyLoad &L : I.Step.ReadOnlyLoads)
    Loaded.push_back(L.Pointer->getNameAsString());
  for (const clang::ParmVarDecl *P : I.Step.Promised)
    Promised.push_back(P->getNameAsString());
  EXPECT_THAT(Loaded, ElementsAre("a"));
  EXPECT_THAT(Promised, testing::UnorderedElementsAre("b", "c"));
}

TEST(StepKernel, RefusesLoadsFromWhereverThatNeedNotBeCoherent) {
  EXPECT_THAT(reasonsOf(R"(__device__ float *global;
    __global__ void k(float *o) { o[0] = __ldg(global); })"),
              ElementsAre("read-only-load"));
}

TEST(StepKernel, RefusesAssemblyThatMayDoAnything) {
  for (
      const char *Asm :
      {R"(asm("exit;");)", R"(asm("bar.sync 1, 64;");)",
       R"(unsigned r; asm("mov.u32 %0, %%ctaid.x;" : "=r"(r)); *p = r;)",
       R"(unsigned r; asm("ld.global.nc.u32 %0, [%1];" : "=r"(r) : "l"(p)); *p = r;)"})
    EXPECT_THAT(
        reasonsOf("__global__ void k(unsigned *p) {" + std::string(Asm) + "}"),
        ElementsAre("inline-asm"))
        << Asm;
  EXPECT_THAT(reasonsOf(R"(__global__ void k(unsigned *p) {
      unsigned r; asm("popc.b32 %0, %1;" : "=r"(r) : "r"(*p)); *p = r;
    })"),
              IsEmpty());
}

TEST(StepKernel, RefusesWhatTheBuildOrTheDeclarationForbids) {
  EXPECT_THAT(Inspected("__global__ void k(int *p) { *p = 1; }",
                        /*RestrictOption=*/true)
                  .reasons(),
              ElementsAre("restrict-option"));
  EXPECT_THAT(
      reasonsOf("__attribute__((cluster_dims(2))) __global__ void k() {}"),
      ElementsAre("cluster"));
  EXPECT_THAT(reasonsOf(R"(struct S { S(const S &); int i; };
    __global__ void k(S s, int *p) { *p = s.i; })"),
              ElementsAre("parameter-type"));
}

TEST(StepKernel, RefusesItsOwnNameAndRecursion) {
  EXPECT_THAT(reasonsOf("__global__ void k(char *p) { *p = *__func__; }"),
              ElementsAre("function-name"));
  EXPECT_THAT(reasonsOf(R"(__device__ int f(int n) { return n ? f(n - 1) : 0; }
    __global__ void k(int *p) { *p = f(*p); })"),
              ElementsAre("recursion"));
  EXPECT_THAT(reasonsOf("__global__ void k(int (*f)(), int *p) { *p = f(); }"),
              ElementsAre("unknown-call"));
}

} // namespace

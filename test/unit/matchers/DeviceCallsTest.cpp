// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls in device code mean, by who declares what they call.

#include "matchers/facts/DeviceCalls.h"
#include "Snippet.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace barricade;

namespace {

struct Called {
  explicit Called(const std::string &Body, const std::string &Before = "")
      : Code(Before + "\n__global__ void k(int *p, int n, float *x) { " + Body +
             " }\n") {
    // The last, as snippets declare before they call.
    (void)holds(Code.function().getBody(), [&](const clang::Stmt &S) {
      if (const auto *Found = llvm::dyn_cast<clang::CallExpr>(&S))
        Call = Found;
      return false;
    });
    EXPECT_TRUE(Call) << Body;
  }
  CallKind kind() {
    return classifyCall(*Call, Code.context().getSourceManager());
  }

  test::Snippet Code;
  const clang::CallExpr *Call = nullptr;
};

CallKind kindOf(const std::string &Body, const std::string &Before = "") {
  return Called(Body, Before).kind();
}

TEST(DeviceCalls, KnowsBuiltins) {
  EXPECT_EQ(kindOf("__syncthreads();"), CallKind::BlockBarrier);
  EXPECT_EQ(kindOf("n = __syncthreads_or(n);"), CallKind::BlockBarrier);
  EXPECT_EQ(kindOf("__syncwarp(1);"), CallKind::WarpSync);
  EXPECT_EQ(kindOf("__threadfence();"), CallKind::Fence);
  EXPECT_EQ(kindOf("__threadfence_block();"), CallKind::Fence);
  EXPECT_EQ(kindOf("n = __shfl_sync(1, n, 0);"), CallKind::Exchange);
  EXPECT_EQ(kindOf("n = __ballot_sync(1, n);"), CallKind::Exchange);
  EXPECT_EQ(kindOf("atomicAdd(p, n);"), CallKind::Atomic);
  EXPECT_EQ(kindOf("atomicCAS(p, n, 1);"), CallKind::Atomic);
  EXPECT_EQ(kindOf("n = __ldg(p);"), CallKind::Load);
  EXPECT_EQ(kindOf("n = clock64();"), CallKind::Clock);
  EXPECT_EQ(kindOf("*x = sqrtf(*x);"), CallKind::Pure);
}

// A name says nothing where the user declares it.
TEST(DeviceCalls, LooksIntoTheUsersFunctions) {
  EXPECT_EQ(
      kindOf("__syncthreads(n);", "__device__ void __syncthreads(int) {}"),
      CallKind::Visible);
  EXPECT_EQ(kindOf("m::__syncthreads();",
                   "namespace m { __device__ void __syncthreads() {} }"),
            CallKind::Visible);
  EXPECT_EQ(kindOf("atomicAdd(x, n);",
                   "__device__ int atomicAdd(float *, int) { return 0; }"),
            CallKind::Visible);
  EXPECT_EQ(kindOf("m::__threadfence();",
                   "namespace m { __device__ void __threadfence(); }"),
            CallKind::Unknown);
  EXPECT_EQ(kindOf("S s; s.__syncthreads();",
                   "struct S { __device__ void __syncthreads() {} };"),
            CallKind::Visible);
  // Once more what the library has.
  EXPECT_EQ(kindOf("__syncthreads();", "__device__ void __syncthreads();"),
            CallKind::BlockBarrier);
}

TEST(DeviceCalls, LeavesWhatNobodySees) {
  EXPECT_EQ(kindOf("out(n);", "__device__ int out(int);"), CallKind::Unknown);
  EXPECT_EQ(kindOf("int (*f)(int) = in; f(n);",
                   "__device__ int in(int) { return 0; }"),
            CallKind::Unknown);
  EXPECT_EQ(
      kindOf("S s; s.go();", "struct S { __device__ virtual void go() {} };"),
      CallKind::Unknown);
  EXPECT_EQ(kindOf("auto f = [] {}; f();"), CallKind::Unknown);
  EXPECT_EQ(
      kindOf("cub::scan();", "namespace cub { __device__ void scan() {} }"),
      CallKind::Unknown);
  EXPECT_EQ(kindOf("cooperative_groups::odd();",
                   "namespace cooperative_groups { __device__ void odd() {} }"),
            CallKind::Unknown);
}

TEST(DeviceCalls, TellsTrivialAssignments) {
  EXPECT_EQ(kindOf("S s, t; s = t;", "struct S { int n; };"),
            CallKind::Assignment);
  EXPECT_EQ(kindOf("S s, t; s = t;",
                   "struct S { int n; __device__ S &operator=(const S &) "
                   "{ return *this; } };"),
            CallKind::Visible);
}

TEST(DeviceCalls, TellsVotesAndLanes) {
  EXPECT_TRUE(isBlockVote(*Called("n = __syncthreads_or(n);").Call));
  EXPECT_TRUE(isBlockVote(*Called("n = __syncthreads_count(n);").Call));
  EXPECT_FALSE(isBlockVote(*Called("__syncthreads();").Call));
  EXPECT_FALSE(isBlockVote(*Called("n = __ballot_sync(1, n);").Call));
  EXPECT_TRUE(waitsForLanes(*Called("n = __ballot_sync(1, n);").Call));
  EXPECT_TRUE(waitsForLanes(*Called("__syncwarp(1);").Call));
  EXPECT_FALSE(waitsForLanes(*Called("__syncthreads();").Call));
  EXPECT_FALSE(waitsForLanes(*Called("atomicAdd(p, n);").Call));
}

/// `threadIdx.x` for what `v` begins with, or nothing.
std::string index(const std::string &Body, bool Properties = false,
                  const std::string &Before = "") {
  test::Snippet Code(Before + "\n__global__ void k(int n) { " + Body + " }\n",
                     Properties);
  char Member = '?';
  const std::string Name =
      builtinIndexVariable(Code.initializer("v"), Member).str();
  return Name.empty() ? "" : Name + "." + Member;
}

TEST(DeviceCalls, ReadsIndexVariables) {
  for (const bool Properties : {false, true}) {
    EXPECT_EQ(index("unsigned v = threadIdx.x;", Properties), "threadIdx.x");
    EXPECT_EQ(index("int v = (blockDim).z;", Properties), "blockDim.z");
    EXPECT_EQ(index("int v = threadIdx.x + 1;", Properties), "");
    EXPECT_EQ(index("int v = n;", Properties), "");
  }
}

// Another variable of the name is none.
TEST(DeviceCalls, IndexVariablesMayBeHidden) {
  EXPECT_EQ(index("uint3 threadIdx; int v = threadIdx.x;"), "");
  EXPECT_EQ(index("struct { uint3 blockIdx; } s; int v = s.blockIdx.x;"), "");
  EXPECT_EQ(index("int v = m::threadIdx.x;", false,
                  "namespace m { __device__ uint3 threadIdx; }"),
            "");
  EXPECT_EQ(index("struct T { int x; } threadIdx; int v = threadIdx.x;"), "");
  EXPECT_EQ(index("const uint3 &t = threadIdx; int v = t.x;"), "");
  EXPECT_EQ(index("{ uint3 threadIdx; } int v = threadIdx.y;"), "threadIdx.y");
}

} // namespace

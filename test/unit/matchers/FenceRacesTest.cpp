// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses of different blocks meet over a fence.

#include "matchers/fence-as-barrier/FenceRaces.h"
#include "Snippet.h"
#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::fence_as_barrier;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct Searched {
  explicit Searched(const std::string &Code) : Parsed(Code) {
    const UserCode User = collectUserCode(Parsed.context());
    Effects = collectKernelEffects(*User.Kernels.front(),
                                   /*RestrictParams=*/false);
    Races = findFenceRaces(Effects, User);
  }

  std::string text(const RacingAccess &A) {
    return std::string(A.IsStore ? "write " : "read ") +
           clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(
                                           A.Access->getSourceRange()),
                                       Parsed.context().getSourceManager(),
                                       Parsed.context().getLangOpts())
               .str();
  }

  /// `read a[i + 1], write a[i], 1 apart`: before the fence, after it, and how
  /// far the threads are.
  std::vector<std::string> races() {
    std::vector<std::string> Result;
    for (const FenceRace &R : Races)
      Result.push_back(
          text(R.Before) + ", " + text(R.After) +
          (R.Distance ? ", " + llvm::itostr(*R.Distance) + " apart" : ""));
    return Result;
  }

  test::Snippet Parsed;
  KernelEffects Effects;
  std::vector<FenceRace> Races;
};

/// Of a kernel with the body, where `i` is the thread.
std::vector<std::string> racesIn(const std::string &Body,
                                 const std::string &Before = "") {
  return Searched(Before +
                  "__global__ void k(int *a, int *b, int n, int m, int *c) {\n"
                  "int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                  Body + "\n}\n")
      .races();
}

TEST(FenceRaces, FindsElementsOfOtherBlocks) {
  EXPECT_THAT(racesIn("b[i] = a[i]; __threadfence(); a[i + 64] = 1;"),
              ElementsAre("read a[i], write a[i + 64], 64 apart"));
  EXPECT_THAT(racesIn("a[i] = 1; __threadfence(); b[i] = a[i + 1];"),
              ElementsAre("write a[i], read a[i + 1], 1 apart"));
  EXPECT_THAT(racesIn("a[i] = i; __threadfence(); a[i + 64] = i;"),
              ElementsAre("write a[i], write a[i + 64], 64 apart"));
}

TEST(FenceRaces, LeavesWhatMeetsWithinAThreadOrBlock) {
  for (const char *Body :
       {"a[i] = 1; __threadfence(); b[i] = a[i];",
        "a[i] = 1; __threadfence(); b[i + 1] = 1;",
        "b[i] = a[i]; __threadfence(); b[i] = a[i + 1];",
        "a[blockIdx.x] = i; __threadfence(); b[i] = a[blockIdx.x];",
        "a[i ^ 1] = 1; __threadfence(); b[i] = a[i];",
        "a[i] = 1; __threadfence_block(); b[i] = a[i + 1];",
        "a[i] = 1; __syncthreads(); b[i] = a[i + 1];"})
    EXPECT_THAT(racesIn(Body), IsEmpty()) << Body;
}

// Whatever comes first, the same is there.
TEST(FenceRaces, LeavesWritesOfTheSame) {
  EXPECT_THAT(racesIn("a[0] = 1; __threadfence(); a[0] = 1;"), IsEmpty());
  EXPECT_THAT(racesIn("a[i] = 3; __threadfence(); a[i + 1] = 3;"), IsEmpty());
  EXPECT_THAT(racesIn("a[i] = 3; __threadfence(); a[i + 1] = 4;"),
              ElementsAre("write a[i], write a[i + 1], 1 apart"));
}

// The block has written the place itself by then.
TEST(FenceRaces, LeavesWhatTheBlockGaveItself) {
  EXPECT_THAT(racesIn("a[0] = i; __threadfence(); a[0] = 0; b[i] = a[0];"),
              IsEmpty());
  EXPECT_THAT(racesIn("__shared__ int t; a[i] = i; __threadfence(); "
                      "a[i + 64] = 5; __syncthreads(); t = a[i + 64];"),
              ElementsAre("write a[i], write a[i + 64], 64 apart"));
}

// They meet for each size that the host may choose, or it is no race.
TEST(FenceRaces, MeetForAllScalars) {
  EXPECT_THAT(racesIn("if (i < n) b[i] = a[i]; __threadfence(); "
                      "if (i < n) a[i + 64] = 1;"),
              ElementsAre("read a[i], write a[i + 64], 64 apart"));
  EXPECT_THAT(racesIn("a[i] = 1; __threadfence(); b[i] = a[i + n];"),
              IsEmpty());
  EXPECT_THAT(racesIn("if (n == m) a[i] = 1; __threadfence(); "
                      "b[i] = a[i + 1];"),
              ElementsAre("write a[i], read a[i + 1], 1 apart"));
}

TEST(FenceRaces, LeavesWhatMemoryDecides) {
  for (const char *Body :
       {"if (c[0]) a[i] = 1; __threadfence(); b[i] = a[i + 1];",
        "a[i] = 1; __threadfence(); if (c[0]) b[i] = a[i + 1];",
        "a[c[i]] = 1; __threadfence(); b[i] = a[i + 1];",
        "if (c[0]) __threadfence(); a[i] = 1; b[i] = a[i + 1];"})
    EXPECT_THAT(racesIn(Body), IsEmpty()) << Body;
}

TEST(FenceRaces, LeavesWhatMayHaveWaited) {
  for (const char *Body :
       {"a[i] = 1; __threadfence(); atomicAdd(b, 1); "
        "while (atomicAdd(b, 0) < n) ; b[i] = a[i + 1];",
        "a[i] = 1; __threadfence(); if (atomicAdd(b, 1) == n) "
        "b[i] = a[i + 1];",
        "a[i] = 1; __threadfence(); unseen(); b[i] = a[i + 1];"})
    EXPECT_THAT(racesIn(Body, "__device__ void unseen();\n"), IsEmpty())
        << Body;
}

TEST(FenceRaces, LooksIntoFunctionsAndLoops) {
  Searched S("__device__ void put(int *p, int v) { *p = v; }\n"
             "__device__ void fence() { __threadfence(); }\n"
             "__global__ void k(int *a, int *b) {\n"
             "int i = blockIdx.x * 64 + threadIdx.x;\n"
             "put(&a[i], i); fence(); b[i] = a[i + 1]; }");
  EXPECT_THAT(S.races(), ElementsAre("write *p, read a[i + 1], 1 apart"));
  EXPECT_EQ(S.Races[0].Function->getNameAsString(), "fence");
  EXPECT_EQ(S.Races[0].Before.Function->getNameAsString(), "put");
  EXPECT_EQ(S.Races[0].Kernel->getNameAsString(), "k");
  EXPECT_THAT(racesIn("for (int s = 0; s < 2; ++s) { a[i] = s; "
                      "__threadfence(); b[i] = a[i + 1]; }"),
              testing::Contains("write a[i], read a[i + 1], 1 apart"));
}

// Of several fences the nearest one was meant.
TEST(FenceRaces, GoByTheFenceBeforeTheLaterAccess) {
  Searched S("__global__ void k(int *a, int *b) {\n"
             "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "a[i] = 1; __threadfence(); b[i] = 2;\n"
             "__threadfence(); b[i] += a[i + 1]; }");
  ASSERT_THAT(S.races(), ElementsAre("write a[i], read a[i + 1], 1 apart"));
  EXPECT_EQ(S.Parsed.context().getSourceManager().getPresumedLineNumber(
                S.Races[0].Fence->getBeginLoc()),
            4u);
}

TEST(FenceRaces, TellsOneCase) {
  Searched S("__global__ void k(int *a, int *b, int n) {\n"
             "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) "
             "return; a[i] = 1; __threadfence(); b[i] = a[i + 1]; }");
  ASSERT_EQ(S.Races.size(), 1u);
  const FenceRace::Meeting &M = S.Races[0].Example;
  const unsigned Threads = M.Shape.threads();
  EXPECT_EQ(M.BlockBefore * Threads + M.ThreadBefore, M.Element);
  EXPECT_EQ(M.BlockAfter * Threads + M.ThreadAfter + 1, M.Element);
  EXPECT_NE(M.BlockBefore, M.BlockAfter);
  ASSERT_EQ(M.Scalars.size(), 1u);
  EXPECT_EQ(M.Scalars[0].first, "n");
  EXPECT_GT(M.Scalars[0].second, M.Element);
}

TEST(FenceRaces, AsksForBlocksThatAreToldApart) {
  // It is meant to run as one.
  EXPECT_THAT(Searched("__global__ void k(int *a, int *b) { int i = "
                       "threadIdx.x; a[i] = i; __threadfence(); "
                       "b[i] = a[i + 1]; }")
                  .races(),
              IsEmpty());
}

TEST(FenceRaces, CountsBytes) {
  const auto Races = [](const std::string &Types, const std::string &Body) {
    return Searched("__global__ void k(" + Types +
                    ", int *b) { int i = blockIdx.x * blockDim.x + "
                    "threadIdx.x; " +
                    Body + "}")
        .races();
  };
  EXPECT_THAT(Races("char *a", "a[i] = 1; __threadfence(); b[i] = a[i + 1];"),
              ElementsAre("write a[i], read a[i + 1], 1 apart"));
  // Neighbours of one granule.
  EXPECT_THAT(Races("char *a", "a[2 * i] = 1; __threadfence(); "
                               "b[i] = a[2 * i + 3];"),
              IsEmpty());
  EXPECT_THAT(Races("long *a", "a[i] = 1; __threadfence(); "
                               "b[i] = ((int *)a)[2 * i + 3];"),
              ElementsAre("write a[i], read ((int *)a)[2 * i + 3], 1 apart"));
}

} // namespace

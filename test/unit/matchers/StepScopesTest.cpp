// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How wide the barriers between the steps of a host loop must be.

#include "matchers/dependence/StepScopes.h"
#include "HostSnippet.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/host/HostWait.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>
#include <map>

using namespace barricade;
using namespace barricade::dependence;

namespace {

const std::string Device = R"(
extern const __device__ uint3 threadIdx, blockIdx, blockDim, gridDim;
__device__ void __threadfence();
__device__ float everybodys;
#define I int(blockIdx.x * blockDim.x + threadIdx.x)
__global__ void fill(float *x) { x[I] = 0; }
__global__ void add(float *x, const float *y) { x[I] += y[I]; }
__global__ void addNext(float *x, const float *y) { x[I] += y[I + 1]; }
__global__ void shifted(float *x) { x[I + 1] = 0; }
__global__ void sums(float *x) { x[blockIdx.x] = 0; }
__global__ void anywhere(float *x, int n) { x[I % n] = 0; }
__global__ void exchange(float *x, int j) { x[I] = x[I ^ j]; }
__global__ void strided(float *x, int n) {
  for (int k = I; k < n; k += gridDim.x * blockDim.x) x[k] = 0;
}
__global__ void outside() { everybodys = 1; }
__global__ void announce(float *x) { x[I] = 0; __threadfence(); }
__global__ void bytes(char *x) { x[I] = 0; }
)";

struct Planned {
  /// The first loop of a function with the body.
  explicit Planned(const std::string &Body, const std::string &Before = "")
      : Code(Device + Before +
             "\nvoid f(float *a, float *b, int n, char *c) {\n" + Body +
             "\n}\n") {
    using namespace grid_barrier;
    Whole.Passes.push_back(Code.pass());
    for (const clang::Decl *D :
         Code.context().getTranslationUnitDecl()->decls())
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
          F && F->hasAttr<clang::CUDAGlobalAttr>()) {
        Steps[F].Kernel = F;
        Steps[F].Functions = {F};
      }
    const auto StepsOf = [&](const clang::FunctionDecl &Kernel)
        -> std::vector<const StepKernel *> { return {&Steps[&Kernel]}; };
    host::HostWaits Waits(Whole);
    Loop = readRelaunchLoop(findHostLoops(*Whole.host()).front(), Whole,
                            StepsOf, Waits);
    for (const Blocker &B : Loop.Blockers)
      ADD_FAILURE() << Body << ": " << B.Why.Id.str();
    Scopes = planScopes(Loop, StepsOf, Code.context());
  }

  std::string texts(llvm::ArrayRef<const clang::Expr *> Arguments) {
    std::string Text;
    for (const clang::Expr *E : Arguments)
      Text += " " + textOf(*E, Code.context());
    return Text;
  }

  /// `grid`, or `block` with the distances and limits it is for, by launch.
  std::string scopes() {
    std::string Text;
    for (const StepScope &S : Scopes.Steps) {
      EXPECT_FALSE(S.Why.empty());
      Text += Text.empty() ? "" : ", ";
      Text += S.Needs == Scope::Grid ? "grid" : "block";
      if (!S.Distances.empty())
        Text += " if near" + texts(S.Distances);
      if (!S.Limits.empty())
        Text += " if low" + texts(S.Limits);
      EXPECT_EQ(S.isAlwaysConfined(), S.Needs != Scope::Grid &&
                                          S.Distances.empty() &&
                                          S.Limits.empty());
    }
    EXPECT_EQ(Scopes.Narrows, Text.find("block") != std::string::npos);
    return Text;
  }

  /// `a-b` or, where they may be equal, `a=b`, for each pair.
  std::string apart() const {
    std::string Text;
    for (const PointerPair &P : Scopes.Apart)
      Text += (Text.empty() ? "" : " ") + P.First->getNameAsString() +
              (P.MayBeEqual ? "=" : "-") + P.Second->getNameAsString();
    return Text;
  }

  std::string why(unsigned Launch) const { return Scopes.Steps[Launch].Why; }

  test::HostSnippet Code;
  Program Whole;
  std::map<const clang::FunctionDecl *, grid_barrier::StepKernel> Steps;
  grid_barrier::RelaunchLoop Loop;
  LoopScopes Scopes;
};

std::string loop(const std::string &Body) {
  return "for (int i = 0; i < n; ++i) { " + Body + " }";
}

std::string scopesOf(const std::string &Launches) {
  return Planned(loop(Launches)).scopes();
}
std::string whyGrid(const std::string &Launches, unsigned Launch = 0) {
  Planned P(loop(Launches));
  EXPECT_EQ(P.Scopes.Steps[Launch].Needs, Scope::Grid) << Launches;
  return P.why(Launch);
}

#define G "<<<n, 64>>>"

TEST(StepScopes, ConfinesStepsToTheirOwnElements) {
  EXPECT_EQ(scopesOf("fill" G "(a);"), "block");
  EXPECT_EQ(scopesOf("fill" G "(a); add" G "(a, a);"), "block, block");
  EXPECT_EQ(scopesOf("sums" G "(a); sums" G "(a);"), "block, block");
  EXPECT_EQ(Planned(loop("fill" G "(a);")).why(0),
            "each block of fill touches elements of its own only");
}

TEST(StepScopes, AsksWhoOwnsAnElement) {
  EXPECT_EQ(scopesOf("addNext" G "(a, a);"), "grid");
  EXPECT_EQ(whyGrid("anywhere" G "(a, n);"),
            "elements of 'a' are written by anywhere in blocks that may not "
            "own them");
  EXPECT_EQ(whyGrid("fill" G "(a); shifted" G "(a);", 1),
            "an element of 'a' may be of one block in fill and of another in "
            "shifted");
  EXPECT_EQ(whyGrid("sums" G "(a); fill" G "(a);", 1),
            "an element of 'a' may be of one block in sums and of another in "
            "fill");
}

// The first that fit together set the rule; who else comes must wait.
TEST(StepScopes, NarrowsOnlySomeSteps) {
  EXPECT_EQ(scopesOf("fill" G "(a); fill" G "(a); anywhere" G "(a, n);"),
            "block, block, grid");
  // No two confined ones follow each other.
  Planned Alone(loop("fill" G "(a); anywhere" G "(a, n);"));
  EXPECT_EQ(Alone.scopes(), "grid, grid");
  EXPECT_EQ(Alone.why(0), "fill stays within its blocks, but no such step "
                          "comes right before or behind it");
  // By the loop they do.
  EXPECT_EQ(scopesOf("fill" G "(a); anywhere" G "(a, n); fill" G "(a);"),
            "block, grid, block");
}

TEST(StepScopes, AsksForDistancesAndLimits) {
  Planned P(loop("exchange" G "(a, i);"));
  EXPECT_EQ(P.scopes(), "block if near i");
  EXPECT_EQ(P.why(0), "elements of 'a' are touched at a distance of 'j' by "
                      "xor");
  EXPECT_EQ(scopesOf("exchange" G "(a, i + 1); exchange" G "(a, i);"),
            "block if near i + 1, block if near i");
  EXPECT_EQ(scopesOf("strided" G "(a, n);"), "block if low n");
  // Nobody can ask.
  EXPECT_EQ(scopesOf("exchange<<<n, 48>>>(a, i);"), "grid");
}

TEST(StepScopes, KeepsPointersApart) {
  Planned One(loop("add" G "(a, b);"));
  EXPECT_EQ(One.scopes(), "block");
  EXPECT_EQ(One.apart(), "a=b");
  EXPECT_EQ(Planned(loop("fill" G "(a); fill" G "(a);")).apart(), "");
  // Blocks would own other parts.
  Planned Sums(loop("fill" G "(a); sums" G "(b);"));
  EXPECT_EQ(Sums.scopes(), "block, block");
  EXPECT_EQ(Sums.apart(), "a-b");
  // Nothing is written.
  EXPECT_EQ(Planned(loop("fill" G "(a); add" G "(a, b); addNext" G "(a, b);"))
                .scopes(),
            "block, block, grid");
}

TEST(StepScopes, PointersThatAreHandedOnLeadToTheSame) {
  Planned Swap(loop("add" G "(a, b); std::swap(a, b);"));
  EXPECT_EQ(Swap.scopes(), "block");
  EXPECT_EQ(Swap.apart(), "a=b");
  EXPECT_EQ(whyGrid("fill" G "(a); sums" G "(b); std::swap(a, b);", 1),
            "an element of 'a' may be of one block in fill and of another in "
            "sums");
  EXPECT_EQ(whyGrid("fill" G "(a); a += n;"),
            "'a' may lead to memory that another pointer leads to");
  EXPECT_EQ(whyGrid("fill" G "(a + n);"),
            "'a + n' may lead to memory that another pointer leads to");
}

TEST(StepScopes, AllocationsAreDistinct) {
  const std::string Own =
      "float *p, *q; cudaMalloc((void **)&p, 64); cudaMalloc((void **)&q, "
      "64); ";
  Planned Owned(Own + loop("add" G "(p, q);"));
  EXPECT_EQ(Owned.scopes(), "block");
  EXPECT_EQ(Owned.apart(), "");
  // Reads of what nobody writes are anybody's.
  EXPECT_EQ(Planned(Own + loop("addNext" G "(p, q);")).scopes(), "block");
  EXPECT_EQ(
      Planned(Own + loop("addNext" G "(p, q); std::swap(p, q);")).scopes(),
      "grid");
  EXPECT_EQ(Planned(Own + "q = p; " + loop("addNext" G "(p, q);")).scopes(),
            "grid");
  EXPECT_EQ(Planned(Own + loop("addNext" G "(p, a);")).scopes(), "grid");
}

TEST(StepScopes, ElementsHaveTheArraysSize) {
  EXPECT_EQ(scopesOf("bytes" G "(c);"), "block");
  EXPECT_EQ(scopesOf("bytes" G "((char *)a);"), "grid");
  Planned Both(loop("fill" G "(a); bytes" G "(c);"));
  EXPECT_EQ(Both.scopes(), "block, block");
  EXPECT_EQ(Both.apart(), "a-c");
}

TEST(StepScopes, WhatOthersMaySeeIsTheGrids) {
  EXPECT_EQ(whyGrid("announce" G "(a);"),
            "others outside of the grid may go by what announce shows them, or "
            "it by what they do");
  EXPECT_EQ(whyGrid("outside" G "();"),
            "outside reaches memory that no parameter shows");
  Planned P(loop("announce" G "(a);"));
  EXPECT_FALSE(P.Scopes.Steps[0].Because.File.empty());
}

TEST(StepScopes, OneGridAndNothingElse) {
  EXPECT_EQ(whyGrid("fill<<<n, 64>>>(a); fill<<<n + 1, 64>>>(a);"),
            "the launches' grids or blocks differ");
  EXPECT_EQ(whyGrid("fill" G "(a); fill" G "(b); cudaMemcpy(a, b, 4, "
                    "(cudaMemcpyKind)3);"),
            "the loop copies or fills memory, too");
}

// A kernel `h` of the body, with two launches on one array.
std::string scopesOfKernel(const std::string &Body,
                           const std::string &Argument = "a",
                           const std::string &Parameter = "float *x") {
  return Planned(
             loop("h" G "(" + Argument + ", n); h" G "(" + Argument + ", n);"),
             "struct View { float *p; };\n"
             "__device__ void put(float *to) { to[I] = 0; }\n"
             "__device__ void putAt(float *to, int at) { to[at] = 0; }\n"
             "__global__ void h(" +
                 Parameter + ", int n) {" + Body + "}")
      .scopes();
}

TEST(StepScopes, FollowsKernelsToTheElement) {
  for (const char *Body :
       {"x[I] = 0;", "*(x + I) = 0;", "x[I - 1 + 1] = 0;",
        "int i = I; x[i] += 1;", "float *p = x; p[I] = 0;",
        "if (I < n) x[I] = 0;", "x[blockIdx.x * blockDim.x] = 0;",
        "x[I] = x[I] * n;"})
    EXPECT_EQ(scopesOfKernel(Body), "block, block") << Body;
}

TEST(StepScopes, LeavesKernelsThatLeadElsewhere) {
  for (const char *Body : {"x[I] = 0; x[I + 1] = 1;",
                           "put(x + 1); put(x);",
                           "x[threadIdx.y] = 0;",
                           "x[threadIdx.x] = 0;",
                           "((double *)x)[I] = 0;",
                           "((char *)x)[I] = 0;",
                           "x[(unsigned char)I] = 0;",
                           "x[(short)I] = 0;",
                           "int i = I; if (n) i = 0; x[i] = 0;",
                           "int i = I; int &r = i; r = 0; "
                           "x[i] = 0;",
                           "uint3 blockIdx = {0, 0, 0}; x[I] = 0;",
                           "float *p = x; if (n) p = x + 1; p[I] = 0; ",
                           "float **p = &x; (*p)[I] = 0;",
                           "x[I] = 0; x[n] = 0;",
                           "auto f = [=] { x[I + 1] = 0; }; f(); x[I] = 0;",
                           "x[I] = 0; *(float *)(unsigned long)n = 0;",
                           "x[I] = 0; asm(\"\" ::: \"memory\");",
                           "{ int n = I; n *= 2; x[n] = 0; }",
                           "for (int k = I; k < n; ++k) x[k] = 0;",
                           "for (int k = I; k < n; k += gridDim.x) x[k] = 0;",
                           "x[I ^ threadIdx.x] = 0;",
                           "(n ? x : x + 1)[I] = 0;",
                           "x[blockIdx.x * gridDim.x + threadIdx.x] = 0;",
                           "put(x);",
                           "float &r = x[I]; r = 0;"})
    EXPECT_THAT(scopesOfKernel(Body), testing::Not(testing::HasSubstr("block")))
        << Body;
  EXPECT_EQ(scopesOfKernel("x.p[I] = 0;", "View{a}", "View x"), "grid, grid");
  EXPECT_EQ(scopesOfKernel("x[0][I] = 0;", "(float **)a", "float **x"),
            "grid, grid");
}

// Another build may launch something else.
TEST(StepScopes, DoubtsWhatAnotherBuildHasOtherwise) {
  const std::string Why = "another build may have other code for fill or its "
                          "launch";
  Planned P("\n#ifdef SOMETHING\n#define A a\n#else\n#define A b\n#endif\n" +
            loop("fill" G "(A);"));
  EXPECT_EQ(P.scopes(), "grid");
  EXPECT_EQ(P.why(0), Why);
}

} // namespace

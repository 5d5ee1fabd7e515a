// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches follow each other, and how much must stand between their
// kernels.

#include "matchers/launch-fusion/LaunchSequence.h"
#include "HostSnippet.h"
#include "matchers/launch-fusion/FusionPlan.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include <map>

using namespace barricade;
using namespace barricade::launch_fusion;

namespace {

const std::string Kernels = R"(
extern const __device__ uint3 threadIdx, blockIdx, blockDim, gridDim;
#define __shared__ __attribute__((shared))
#define I int(blockIdx.x * blockDim.x + threadIdx.x)
__global__ void k(float *x, int n) { x[I] = n; }
__global__ void l(float *x, const float *y) { x[I] = y[I]; }
__global__ void next(float *x, const float *y) { x[I] = y[I + 1]; }
__global__ void sums(float *x, const float *y) { x[blockIdx.x] = y[I]; }
__global__ void scratch(float *x) { __shared__ float s[8]; x[I] = s[0]; }
__global__ void unseen(float *x);
int ask(int n);
void launch(float *x) { k<<<1, 64>>>(x, 0); }
)";

struct Found {
  explicit Found(const std::string &Body, const std::string &Before = "",
                 const std::string &Head =
                     "void f(float *a, float *b, int n, int *h, "
                     "cudaStream_t s)")
      : Code(Kernels + Before + "\n" + Head + " {\n" + Body + "\n}\n"),
        All(findLaunchSequences(Code.pass())) {}

  /// `k l: reason`, for each sequence; `k ~ l` where something stands between.
  std::string text() {
    std::string Text;
    for (const LaunchSequence &S : All) {
      Text += Text.empty() ? "" : "; ";
      for (const SequencedLaunch &L : S.Launches)
        Text += (&L == &S.Launches.front() ? ""
                 : S.IsContiguous          ? " "
                                           : " ~ ") +
                (L.Kernel ? L.Kernel->getNameAsString() : "?");
      for (const Blocker &B : S.Blockers)
        Text += ": " + B.Why.Id.str();
    }
    return Text;
  }

  test::HostSnippet Code;
  std::vector<LaunchSequence> All;
};

std::string sequences(const std::string &Body) { return Found(Body).text(); }

#define G "<<<n, 64>>>"

TEST(LaunchSequence, FindsLaunchesInARow) {
  EXPECT_EQ(sequences("k" G "(a, n); l" G "(b, a);"), "k l");
  EXPECT_EQ(sequences("k" G "(a, n); l" G "(b, a); k" G "(b, n);"), "k l k");
  EXPECT_EQ(sequences("k" G "(a, n);"), "");
  EXPECT_EQ(sequences("if (n) { k" G "(a, n); l" G "(b, a); }"), "k l");
  EXPECT_EQ(sequences("k" G "(a, n); ; l" G "(b, a);"), "k l");
  EXPECT_EQ(sequences("k" G "(a, n); int m = 2 * n; l" G "(b, a + m);"),
            "k ~ l");
}

TEST(LaunchSequence, TellsGridsApart) {
  EXPECT_TRUE(Found("k" G "(a, n); l" G "(b, a);").All.at(0).SameGrid);
  EXPECT_TRUE(Found("k<<<4, 64>>>(a, n); l<<<dim3(4), 64>>>(b, a);")
                  .All.at(0)
                  .SameGrid);
  EXPECT_FALSE(
      Found("k<<<n, 64>>>(a, n); l<<<n + 1, 64>>>(b, a);").All.at(0).SameGrid);
  EXPECT_EQ(sequences("k<<<n, 64>>>(a, n); l<<<n, 128>>>(b, a);"),
            "k l: block-size");
}

TEST(LaunchSequence, AsksForOneStream) {
  EXPECT_EQ(sequences("k<<<n, 64, 0, s>>>(a, n); l<<<n, 64, 0, s>>>(b, a);"),
            "k l");
  EXPECT_EQ(sequences("k<<<n, 64, 0, 0>>>(a, n); l<<<n, 64>>>(b, a);"), "k l");
  EXPECT_EQ(sequences("k<<<n, 64, 0, s>>>(a, n); l<<<n, 64>>>(b, a);"),
            "k l: stream");
}

TEST(LaunchSequence, ComparesDynamicSharedMemory) {
  EXPECT_EQ(sequences("k<<<n, 64, 8>>>(a, n); l<<<n, 64, 16>>>(b, a);"),
            "k l: shared-size");
  Found One("k<<<n, 64>>>(a, n); l<<<n, 64, 16>>>(b, a);");
  EXPECT_EQ(One.text(), "k l");
  EXPECT_TRUE(One.All.at(0).SharedBytes);
}

TEST(LaunchSequence, SeesArgumentsThatChange) {
  for (const char *Body :
       {"k<<<4, 64>>>(a, n); n = 3; l<<<4, 64>>>(b, a);",
        "k<<<4, 64>>>(a, n); ++n; l<<<4, 64>>>(b, a);",
        "int &r = n; k<<<4, 64>>>(a, r); n = 3; l<<<4, 64>>>(b, a);",
        "h = &n; k<<<4, 64>>>(a, *h); n = 3; l<<<4, 64>>>(b, a);",
        "h = &n; k<<<4, 64>>>(a, h[0]); n = 3; l<<<4, 64>>>(b, a);",
        "k<<<4, 64>>>(a, n); float *c = b; b = a; a = c; l<<<4, 64>>>(b, a);"})
    EXPECT_NE(sequences(Body).find("argument-changes"), std::string::npos)
        << Body;
  // One that only the later one is given, or a variable of the same name.
  EXPECT_EQ(sequences("k<<<4, 64>>>(a, 1); n = 3; k<<<4, 64>>>(b, n);"),
            "k ~ k");
  EXPECT_EQ(sequences("k<<<4, 64>>>(a, n); int m = n; k<<<4, 64>>>(b, m);"),
            "k ~ k");
}

TEST(LaunchSequence, SeesOtherWorkBetween) {
  const auto Between = [](const std::string &Work) {
    return sequences("k<<<4, 64>>>(a, n); " + Work + " l<<<4, 64>>>(b, a);");
  };
  EXPECT_EQ(Between("ask(n);"), "k l: other-work");
  EXPECT_EQ(Between("*h = 3;"), "k l: other-work");
  EXPECT_EQ(Between("cudaDeviceSynchronize();"), "k l: other-work");
  EXPECT_EQ(Between("cudaGetLastError();"), "k l: error-check");
  EXPECT_EQ(Between("if (n) return;"), "k l: jump");
  EXPECT_EQ(Between("int m = ask(n);"), "k l: other-work");
  EXPECT_EQ(Between("int &r = n; r = 3;").find("k ~ l"), std::string::npos);
  EXPECT_EQ(Between("launch(a);").find("k ~ l"), std::string::npos);
}

TEST(LaunchSequence, SeesLaunchesElsewhere) {
  EXPECT_EQ(sequences("k" G "(a, n); if (n) l" G "(b, a);"),
            "k l: conditional");
  EXPECT_EQ(
      sequences("k" G "(a, n); for (int i = 0; i < n; ++i) l" G "(b, a);"),
      "k l: conditional");
  EXPECT_EQ(sequences("k" G "(a, n); { l" G "(b, a); }"), "k l: wrapped");
  EXPECT_EQ(sequences("k" G "(a, n); launch(b);"), "k ?: launch-in-call");
  EXPECT_EQ(sequences("launch(a); launch(b);"), "");
}

TEST(LaunchSequence, LooksAtKernelsAndArguments) {
  EXPECT_EQ(sequences("k" G "(a, n); unseen" G "(b);"),
            "k ?: kernel-not-visible");
  EXPECT_EQ(sequences("auto *p = &k; k" G "(a, n); p<<<n, 64>>>(b, n);"),
            "k ?: kernel-pointer");
  EXPECT_EQ(sequences("k" G "(a, ask(n)); l" G "(b, a);"), "k l: argument");
  EXPECT_EQ(sequences("k" G "(a, n++); l" G "(b, a);"), "k l: argument");
  EXPECT_EQ(
      Found("RUN(k, a); RUN(k, b);", "#define RUN(k, x) k<<<1, 64>>>(x, 1)")
          .text(),
      "k k: in-macro: in-macro");
}

TEST(LaunchSequence, LooksAtThePlace) {
  const std::string Two = "k<<<1, 64>>>(a, 1); k<<<1, 64>>>(b, 2);";
  EXPECT_EQ(sequences("auto f = [&] { " + Two + " }; f();"), "k k: in-lambda");
  EXPECT_EQ(Found(Two, "", "template <typename T> void f(T *a, T *b)").text(),
            "k k: host-template");
  EXPECT_EQ(
      Found("", "struct S { void f(float *a, float *b) { " + Two + " } };")
          .text(),
      "k k: member-function");
}

//===--- The plan ---------------------------------------------------------===//

struct Planned : Found {
  explicit Planned(const std::string &Launches, bool IsFixed = true,
                   const std::string &Pointers =
                       "float *a, *b; cudaMalloc((void **)&a, 4096); "
                       "cudaMalloc((void **)&b, 4096);")
      : Found(Pointers + Launches, "", "void f(int n, float *p, float *q)") {
    EXPECT_EQ(All.size(), 1u) << Launches;
    EXPECT_TRUE(!All.empty() && All.front().Blockers.empty()) << text();
    if (All.empty())
      return;
    std::vector<KernelViews> Views;
    for (const SequencedLaunch &L : All.front().Launches) {
      grid_barrier::StepKernel &Step = Steps[L.Kernel];
      Step.Kernel = L.Kernel;
      Step.Functions = {L.Kernel};
      if (L.Kernel->getName() == "scratch")
        for (const clang::Decl *D : L.Kernel->decls())
          if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D);
              V && V->hasAttr<clang::CUDASharedAttr>())
            Step.Shared = {V};
      Views.push_back({&Step});
    }
    Plan = planFusion(All.front(), Views, Code.context(), IsFixed);
  }

  std::string scopes() const {
    std::string Text;
    for (const Boundary &B : Plan.Boundaries) {
      EXPECT_FALSE(B.Why.empty());
      Text += Text.empty() ? "" : " ";
      Text += B.Between == Scope::None    ? "none"
              : B.Between == Scope::Block ? "block"
              : B.Between == Scope::Grid  ? "grid"
                                          : "neighbours";
    }
    return Text;
  }

  std::map<const clang::FunctionDecl *, grid_barrier::StepKernel> Steps;
  FusionPlan Plan;
};

std::string scopes(const std::string &Launches) {
  return Planned(Launches).scopes();
}

TEST(FusionPlan, ElementsMayStayWithTheirThreads) {
  EXPECT_EQ(scopes("k" G "(a, n); k" G "(b, n);"), "none");
  EXPECT_EQ(scopes("k" G "(a, n); l" G "(b, a);"), "none");
  EXPECT_EQ(scopes("l" G "(b, a); l" G "(a, b);"), "none");
  Planned Apart("k" G "(a, n); k" G "(b, n);");
  EXPECT_EQ(Apart.Plan.Boundaries.at(0).Why,
            "the kernels have no buffer in common that one of them writes");
  EXPECT_EQ(Apart.Plan.strongest(), Scope::None);
}

TEST(FusionPlan, OtherThreadsElementsNeedMore) {
  EXPECT_EQ(scopes("k" G "(a, n); next" G "(b, a);"), "grid");
  EXPECT_EQ(scopes("next" G "(b, a); k" G "(a, n);"), "grid");
  EXPECT_EQ(scopes("k" G "(a, n); l" G "(b, a + 1);"), "grid");
  EXPECT_EQ(scopes("sums" G "(b, a); k" G "(a, n);"), "none");
  EXPECT_EQ(scopes("sums" G "(b, a); k" G "(b, n);"), "grid");
}

// What is between two launches stands between those around them, too.
TEST(FusionPlan, LooksPastNeighbours) {
  EXPECT_EQ(scopes("k" G "(a, n); k" G "(b, n); next" G "(b, a);"),
            "none grid");
  EXPECT_EQ(scopes("k" G "(a, n); next" G "(b, a); l" G "(a, b);"),
            "grid grid");
  EXPECT_EQ(
      Planned("k" G "(a, n); k" G "(b, n); next" G "(b, a);").Plan.strongest(),
      Scope::Grid);
}

TEST(FusionPlan, TrustsNoPointersOfCallers) {
  EXPECT_EQ(Planned("k" G "(p, n); k" G "(q, n);", true, "").scopes(), "grid");
  EXPECT_EQ(Planned("k" G "(p, n); l" G "(q, p);", true, "").scopes(), "grid");
  EXPECT_EQ(Planned("k" G "(p, n); k" G "(p, 1);", true, "").scopes(), "none");
  EXPECT_EQ(Planned("k" G "(a, n); next" G "(p, b);").scopes(), "grid");
  // Another name for the same buffer.
  EXPECT_EQ(Planned("k" G "(a, n); next" G "(c, c);", true,
                    "float *a; cudaMalloc((void **)&a, 4096); float *c = a;")
                .scopes(),
            "grid");
}

TEST(FusionPlan, GridsThatDifferAndOtherBuildsNeedAll) {
  EXPECT_EQ(scopes("k<<<n, 64>>>(a, n); k<<<n + 1, 64>>>(b, n);"), "grid");
  Planned Other("k" G "(a, n); k" G "(b, n);", /*IsFixed=*/false);
  EXPECT_EQ(Other.scopes(), "grid");
  EXPECT_EQ(Other.Plan.Boundaries.at(0).Why,
            "another build, where macros are set otherwise, may have other "
            "kernels");
}

TEST(FusionPlan, SharedMemoryIsOneForBoth) {
  Planned Same("scratch" G "(a); scratch" G "(b);");
  EXPECT_EQ(Same.scopes(), "block");
  EXPECT_EQ(Same.Plan.Boundaries.at(0).Why,
            "both kernels use the same shared memory");
  EXPECT_EQ(scopes("scratch" G "(a); k" G "(b, n);"), "none");
}

} // namespace

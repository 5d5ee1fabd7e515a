// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as steps: what is written, and what cannot be.

#include "rewriters/grid-barrier/StepText.h"
#include "../matchers/Snippet.h"
#include "tool/ApplyEdits.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::grid_barrier;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// The first kernel that is no template's pattern, instantiations included.
class KernelFinder : public clang::RecursiveASTVisitor<KernelFinder> {
public:
  const clang::FunctionDecl *Kernel = nullptr;
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *F) {
    if (!Kernel && F->hasAttr<clang::CUDAGlobalAttr>() && F->hasBody() &&
        !F->isDependentContext())
      Kernel = F->getDefinition();
    return true;
  }
};

struct Written {
  explicit Written(const std::string &Code, StepShape Shape = {})
      : Source(Code) {
    clang::ASTContext &Context = Source.context();
    KernelFinder Finder;
    Finder.TraverseDecl(Context.getTranslationUnitDecl());
    PassView Pass;
    Pass.Context = &Context;
    Pass.PP = &Source.preprocessor();
    Pass.IsDevice = true;
    Text = writeStep(inspectStep(*Finder.Kernel, Program(), Pass), Pass,
                     "k_step", Shape);
    llvm::StringRef Whole = Context.getSourceManager().getBufferData(
        Context.getSourceManager().getMainFileID());
    llvm::Expected<std::string> Changed = applyEdits(Whole, Text.Edits);
    EXPECT_TRUE(bool(Changed));
    Result = Changed->substr(Whole.size() - Code.size());
  }

  test::Snippet Source;
  StepText Text;
  std::string Result;
};

std::string stepOf(const std::string &Code) { return Written(Code).Result; }

std::vector<std::string> reasonsOf(const std::string &Code) {
  Written W(Code);
  EXPECT_EQ(W.Result, Code);
  std::vector<std::string> Ids;
  for (const Blocker &H : W.Text.Blockers)
    Ids.push_back(H.Why.Id.str());
  return Ids;
}

TEST(StepText, KeepsBodyAndHead) {
  EXPECT_EQ(stepOf(R"(// Doubles.
__global__ void __attribute__((launch_bounds(64)))
k(const float *__restrict__ in, float *out, // twice
  int n = 4)  // braces
{
  int i = blockIdx.x * gridDim.x;  // where
  out[i] = in[i]; }
int after;
)"),
            R"(// Doubles.
__device__ __forceinline__ void k_step(const uint3 blockIdx, const dim3 gridDim,
                                       const float *__restrict__ in,
                                       float *out)
{
  int i = blockIdx.x * gridDim.x;  // where
  out[i] = in[i]; }

__global__ void __attribute__((launch_bounds(64)))
k(const float *__restrict__ in, float *out, // twice
  int n = 4)  // braces
{
  k_step(blockIdx, gridDim, in, out);
}
int after;
)");
}

/// The places of the parameters that need barricade::coherent.
std::vector<unsigned> promised(const Written &W) {
  const auto Places = W.Text.Promised.set_bits();
  return {Places.begin(), Places.end()};
}

TEST(StepText, KeepsRestrictHoweverItIsSpelled) {
  Written W(R"(#define R __restrict
using P = int *R;
__global__ void k(const int *R a, P c, int *d, int *const R b) {
  *c = *b += *a + *d;
})");
  EXPECT_EQ(W.Text.Declaration,
            "__device__ __forceinline__ void k_step(const int *R a, P c, int "
            "*d,\n                                       int *const R b)");
  EXPECT_THAT(promised(W), ElementsAre(0, 1, 3));
}

TEST(StepText, TellsWhatFunctionsPromiseOfParameters) {
  Written W(R"(__device__ int read(const int *__restrict__ p) { return *p; }
__device__ int pass(const int *p) { return read(p + 1); }
__global__ void k(int *a, int *b, int *c) {
  const int *__restrict__ p = b;
  *c = pass(a) + *p;
})");
  EXPECT_THAT(promised(W), ElementsAre(0, 1));
}

TEST(StepText, TellsWhatATemplatesArgumentPromises) {
  Written W(R"(template <typename T> __global__ void k(T a, int *b) { *b = *a; }
template __global__ void k<int *__restrict__>(int *__restrict__, int *);)");
  EXPECT_THAT(promised(W), ElementsAre(0));
}

TEST(StepText, KeepsTypesThatMacrosSpell) {
  EXPECT_EQ(Written(R"(#define REAL float
#define POINTER(T) T *
__global__ void k(REAL *a, const REAL *__restrict__ b, POINTER(int) c) { *a = *b + *c; })")
                .Text.Declaration,
            "__device__ __forceinline__ void k_step(REAL *a, const REAL "
            "*__restrict__ b,\n                                       "
            "POINTER(int) c)");
}

TEST(StepText, PassesTemplateArguments) {
  EXPECT_EQ(stepOf(R"(template <int R, typename T = int>
  static __global__ void k(T *p) { *p = R; }
template __global__ void k<2, int>(int *);
)"),
            R"(template <int R, typename T = int>
static __device__ __forceinline__ void k_step(T *p) { *p = R; }

template <int R, typename T = int>
  static __global__ void k(T *p) {
  k_step<R, T>(p);
}
template __global__ void k<2, int>(int *);
)");
}

TEST(StepText, KeepsLinkageInFrontOfTheKernel) {
  EXPECT_EQ(stepOf(R"(extern "C" __global__ void k(int *p) { *p = 1; })"),
            R"(__device__ __forceinline__ void k_step(int *p) { *p = 1; }

extern "C" __global__ void k(int *p) {
  k_step(p);
})");
}

TEST(StepText, TakesLogicalThreadsWhereAsked) {
  StepShape Shape;
  Shape.LogicalThreads = true;
  Written W("__global__ void k(int *p) { p[threadIdx.x + blockDim.x] = 1; }",
            Shape);
  EXPECT_EQ(
      W.Text.Declaration,
      "__device__ __forceinline__ void k_step(const uint3 threadIdx,\n"
      "                                       const dim3 blockDim, int *p)");
  StepIndices With;
  With.Thread = "thread";
  With.BlockSize = "size";
  EXPECT_EQ(W.Text.call(With, {"a + 1"}).str(), "k_step(thread, size, a + 1)");
}

TEST(StepText, CallsWithTheParametersItTakes) {
  Written W("__global__ void k(int *p, int unused, int) { *p = blockIdx.x; }");
  EXPECT_EQ(W.Text.call({"block"}, {"a", "b", "c"}, "<3>").str(),
            "k_step<3>(block, a)");
}

TEST(StepText, KeepsWhatTemplateArgumentsAreDeducedFrom) {
  EXPECT_EQ(stepOf(R"(template <typename T>
__global__ void k(int *p, T tag, int) { *p = sizeof(T); }
template __global__ void k<int>(int *, int, int);
)"),
            R"(template <typename T>
__device__ __forceinline__ void k_step(int *p, T tag) { *p = sizeof(T); }

template <typename T>
__global__ void k(int *p, T tag, int) {
  k_step<T>(p, tag);
}
template __global__ void k<int>(int *, int, int);
)");
  EXPECT_THAT(reasonsOf(R"(template <typename T>
__global__ void k(int *p, T) { *p = sizeof(T); }
template __global__ void k<int>(int *, int);
)"),
              ElementsAre("kernel-shape"));
}

TEST(StepText, KeepsLineEndings) {
  EXPECT_EQ(stepOf("\t__global__ void k(int *p) {\r\n\t\t*p = 1;\r\n\t}\r\n"),
            "\t__device__ __forceinline__ void k_step(int *p) {\r\n"
            "\t\t*p = 1;\r\n\t}\r\n\r\n"
            "\t__global__ void k(int *p) {\r\n\t\tk_step(p);\r\n\t}\r\n");
}

TEST(StepText, RefusesWhatMacrosSpell) {
  EXPECT_THAT(reasonsOf(R"(#define KERNEL(name) __global__ void name(int *p)
KERNEL(k) { *p = 1; })"),
              ElementsAre("kernel-in-macro"));
  EXPECT_THAT(reasonsOf(R"(#define END }
__global__ void k(int *p) { *p = 1; END)"),
              ElementsAre("kernel-in-macro"));
  EXPECT_THAT(reasonsOf(R"(#define OUT int *p
__global__ void k(OUT) { *p = 1; })"),
              ElementsAre("kernel-in-macro"));
}

TEST(StepText, TakesMacrosThatStandForAttributes) {
  EXPECT_EQ(Written(R"(#define KERNEL __global__ void
KERNEL k(int *p) { *p = 1; })")
                .Result,
            R"(#define KERNEL __global__ void
__device__ __forceinline__ void k_step(int *p) { *p = 1; }

KERNEL k(int *p) {
  k_step(p);
})");
}

TEST(StepText, RefusesDirectivesInTheHead) {
  EXPECT_THAT(reasonsOf(R"(__global__ void k(int *p
#ifdef MORE
  , int more
#endif
  ) { *p = 1; })"),
              ElementsAre("kernel-preprocessor"));
}

TEST(StepText, RefusesOddDeclarations) {
  EXPECT_THAT(reasonsOf(R"(template <typename... T> __global__ void k(T... t) {}
template __global__ void k<int>(int);)"),
              ElementsAre("kernel-shape"));
  EXPECT_THAT(reasonsOf(R"(template <int> __global__ void k(int *p) { *p = 1; }
template __global__ void k<1>(int *);)"),
              ElementsAre("kernel-shape"));
  EXPECT_THAT(reasonsOf(R"(template <int> __global__ void k(int *p) { *p = 1; }
template <> __global__ void k<1>(int *p) { *p = 2; })"),
              ElementsAre("kernel-shape"));
}

} // namespace

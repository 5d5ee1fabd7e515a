// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel may be cut in two at its first fence, and what both halves
// need.

#include "matchers/fence-as-barrier/SplitAtFence.h"
#include "Snippet.h"
#include "matchers/fence-as-barrier/GridFence.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"

using namespace barricade;
using namespace barricade::fence_as_barrier;

namespace {

struct Cut {
  /// At the first fence that the first kernel holds or calls.
  explicit Cut(const std::string &Code) : Parsed(Code) {
    const clang::FunctionDecl *Kernel = nullptr;
    for (const clang::Decl *D :
         Parsed.context().getTranslationUnitDecl()->decls())
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
          F && F->hasAttr<clang::CUDAGlobalAttr>() && !Kernel)
        Kernel = F;
    Effects = collectKernelEffects(*Kernel, /*RestrictParams=*/false);
    const clang::Stmt *Fence = nullptr;
    for (const clang::FunctionDecl *F : Effects.Functions)
      (void)codeHolds(*F, [&](const clang::Stmt &S) {
        if (!Fence && isGridFence(S, Parsed.context().getSourceManager()))
          Fence = &S;
        return Fence != nullptr;
      });
    Split = splitAtFence(Effects, *Fence);
  }

  std::string text(clang::CharSourceRange Range) {
    return clang::Lexer::getSourceText(Range,
                                       Parsed.context().getSourceManager(),
                                       Parsed.context().getLangOpts())
        .str();
  }
  std::string text(llvm::ArrayRef<const clang::Stmt *> Statements) {
    std::string Text;
    for (const clang::Stmt *S : Statements)
      Text += (Text.empty() ? "" : " ") +
              text(clang::CharSourceRange::getTokenRange(S->getSourceRange()));
    return Text;
  }
  static std::string
  names(const llvm::SmallPtrSetImpl<const clang::VarDecl *> &Variables) {
    std::set<std::string> Sorted;
    for (const clang::VarDecl *Var : Variables)
      Sorted.insert(Var->getNameAsString());
    return llvm::join(Sorted, " ");
  }

  /// What is repeated, or why it is not cut, and the token where.
  std::string answer() {
    if (Split.WhyNot.empty())
      return text(Split.Repeated);
    return Split.WhyNot.str() + " @ " +
           text(clang::CharSourceRange::getTokenRange(Split.Where));
  }

  test::Snippet Parsed;
  KernelEffects Effects;
  FenceSplit Split;
};

const std::string Before = R"(
__device__ void other();
__device__ int counter;
__device__ void end(int **p) { **p = 2; }
struct Guard { int *p; __device__ ~Guard() { p[0] = 2; } };
struct Pair { int x, y; };
)";

/// Of a kernel with the body, after what is declared before it.
std::string cut(const std::string &Body, const std::string &Declared = "") {
  return Cut(Before + Declared +
             "__global__ void k(int *a, int *b, int n, Pair s) {\n" + Body +
             "\n}\n")
      .answer();
}

/// The same with the fence between two parts that need nothing of each other.
std::string cutAfter(const std::string &First) {
  return cut(First + " __threadfence(); b[blockIdx.x] = 1;");
}

const char Fence[] = "__threadfence();";

TEST(SplitAtFence, RepeatsWhatTheSecondHalfNeeds) {
  const std::string Index = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  Cut C(Before + "__global__ void k(int *a, int *b, int n) {\n" + Index +
        "int unused = n; int late = i + n;\n"
        "if (i >= n) return;\n"
        "a[i] = 1; __threadfence(); b[late] = a[i + 1]; }");
  EXPECT_EQ(C.answer(), "int i = blockIdx.x * blockDim.x + threadIdx.x; "
                        "int late = i + n; if (i >= n) return");
  EXPECT_EQ(C.text(C.Split.OnlyAfter), "int late = i + n;");
  EXPECT_EQ(C.names(C.Split.NamedByFirst), "a blockDim blockIdx i n threadIdx");
  EXPECT_EQ(C.names(C.Split.NamedBySecond),
            "a b blockDim blockIdx i late n threadIdx");
  EXPECT_EQ(C.text(C.Split.Fence), "__threadfence()");
}

TEST(SplitAtFence, RepeatsNothingThatIsNotNeeded) {
  EXPECT_EQ(cut("int i = threadIdx.x; a[i] = 1; __threadfence(); "
                "int i2 = threadIdx.x; b[i2] = 1;"),
            "");
  EXPECT_EQ(cut("a[0] = 1; __threadfence();"), "");
  EXPECT_EQ(cut("(__threadfence()); a[0] = 1;"), "");
}

TEST(SplitAtFence, RepeatsValuesOfParametersAndIndicesOnly) {
  for (const char *Value :
       {"n", "n * 2 - 1", "n ? n : 3", "(short)n", "s.x + s.y", "-n",
        "sizeof(a[0])", "threadIdx.x + blockDim.x", "!n"})
    EXPECT_EQ(cut("const int i = " + std::string(Value) +
                  "; a[i] = 1; __threadfence(); b[i] = 1;"),
              "const int i = " + std::string(Value) + ";")
        << Value;
  for (const char *Value : {"a[0]", "counter", "atomicAdd(a, 1)", "*a",
                            "__ldg(a)", "clock64()", "({ a[0]; })"})
    EXPECT_EQ(cut("const int i = " + std::string(Value) +
                  "; a[i] = 1; __threadfence(); b[i] = 1;"),
              "a variable lives across the fence @ i")
        << Value;
}

TEST(SplitAtFence, VariablesThatChangeLiveAcross) {
  const std::string Cross = "a variable lives across the fence @ i";
  for (const char *First :
       {"int i = n; ++i;", "int i; i = n;", "int i = n; int &r = i; r = 3;",
        "int i = n; [&] { i = 3; }();", "int i[2] = {n, n};",
        "float f = n; int i = f;", "int j = n, i = j; j = 3;",
        "int j = a[0]; int i = j;", "static int i;"})
    EXPECT_EQ(cut(std::string(First) + Fence + "b[(long)i] = 1;"), Cross)
        << First;
  // Whether before the fence or behind it.
  EXPECT_EQ(cut("int i = n; a[i] = 1; __threadfence(); ++i; b[i] = 1;"), Cross);
  EXPECT_EQ(cut("int &i = n; a[i] = 1; __threadfence(); b[i] = 1;"), Cross);
  EXPECT_EQ(cut("auto [i, j] = s; a[i] = 1; __threadfence(); b[j] = 1;"),
            "a variable lives across the fence @ [");
}

TEST(SplitAtFence, ParametersLiveAcrossOnlyIfTheFirstHalfMayChangeThem) {
  EXPECT_EQ(cut("++n; a[n] = 1; __threadfence(); b[n] = 1;"),
            "a variable lives across the fence @ n");
  EXPECT_EQ(cut("int &r = n; r = 3; __threadfence(); b[n] = 1;"),
            "a variable lives across the fence @ n");
  EXPECT_EQ(cut("a[0] = 1; __threadfence(); ++n; b[n] = 1;"), "");
  EXPECT_EQ(cut("a[n] = 1; __threadfence(); b[n] = 1;"), "");
}

TEST(SplitAtFence, ShadowsAreOtherVariables) {
  EXPECT_EQ(cut("{ int i = a[0]; a[i] = 1; } __threadfence(); "
                "{ int i = n; b[i] = 1; }"),
            "");
  EXPECT_EQ(cut("int i = n; { int i = a[0]; a[i] = 1; } __threadfence(); "
                "b[i] = 1;"),
            "int i = n;");
}

// Of several reasons the first in the source is told.
TEST(SplitAtFence, TellsTheFirstVariable) {
  std::string Declared, Used;
  for (int I = 0; I < 40; ++I) {
    const std::string Name = "v" + std::to_string(I);
    Declared += "int " + Name + " = a[" + std::to_string(I) + "]; ";
    Used = "b[" + std::to_string(I) + "] = " + Name + "; " + Used;
  }
  EXPECT_EQ(cut(Declared + Fence + Used),
            "a variable lives across the fence @ v0");
}

TEST(SplitAtFence, ExitsOnPureConditionsAreTakenTwice) {
  EXPECT_EQ(cutAfter("if (n > 3) return; a[0] = 1;"), "if (n > 3) return");
  EXPECT_EQ(cutAfter("if (n > 3) { return; } a[0] = 1;"),
            "if (n > 3) { return; }");
  EXPECT_EQ(cut("int i = n; if (i > 3) return; __threadfence(); b[0] = 1;"),
            "int i = n; if (i > 3) return");
  const std::string Unknown =
      "a thread returns before the fence for what the second half does not "
      "know @ ";
  EXPECT_EQ(cutAfter("if (a[0]) return;"), Unknown + "if");
  EXPECT_EQ(cutAfter("if (n) { a[0] = 1; return; }"), Unknown + "if");
  EXPECT_EQ(cutAfter("if (n) a[0] = 1; else return;"), Unknown + "if");
  EXPECT_EQ(cutAfter("if (int i = n) return;"), Unknown + "if");
  EXPECT_EQ(cutAfter("while (n) return;"), Unknown + "while");
  EXPECT_EQ(cutAfter("int i = n; ++i; if (i) return;"), Unknown + "if");
  EXPECT_EQ(cutAfter("{ if (n) return; }"), Unknown + "{");
  // They are others' returns.
  EXPECT_EQ(cutAfter("auto f = [] { return 1; };"), Unknown + "auto");
  EXPECT_EQ(cutAfter("if (n) return (void)atomicAdd(a, 1);"),
            "what a thread does as it returns before the fence would be done "
            "by both halves @ if");
}

TEST(SplitAtFence, AsksForAFenceOfTheKernelsOwnBlock) {
  const std::string Why =
      "the fence is not a statement of the kernel's own block @ __threadfence";
  EXPECT_EQ(cut("if (n) __threadfence();"), Why);
  EXPECT_EQ(cut("{ __threadfence(); }"), Why);
  EXPECT_EQ(cut("for (int i = 0; i < n; ++i) { a[i] = 1; __threadfence(); }"),
            Why);
  EXPECT_EQ(cut("a[0] = 1, __threadfence();"), Why);
  EXPECT_EQ(cut("fence();", "__device__ void fence() { __threadfence(); }\n"),
            Why);
  EXPECT_EQ(cut("if (n) goto on; a[0] = 1; on: __threadfence();"), Why);
  EXPECT_EQ(cut("if (n) goto on; a[0] = 1; on: a[1] = 1; __threadfence();"),
            "the kernel has jumps @ k");
}

TEST(SplitAtFence, NamesBeforeTheFenceAreOfVariables) {
  const std::string Why =
      "a name that is no variable's is declared before the fence @ ";
  EXPECT_EQ(cutAfter("struct T { int x; };"), Why + "struct");
  EXPECT_EQ(cutAfter("using T = int;"), Why + "using");
  EXPECT_EQ(cutAfter("enum { E };"), Why + "enum");
  EXPECT_EQ(cutAfter("static_assert(true);"), "");
  EXPECT_EQ(cutAfter("{ using T = int; }"), "");
}

TEST(SplitAtFence, ObjectsEndWhereTheyDid) {
  const std::string Why =
      "an object that ends behind the fence would end at it @ ";
  EXPECT_EQ(cutAfter("Guard g{a};"), Why + "Guard");
  EXPECT_EQ(cutAfter("const Guard &g = Guard{a};"), Why + "const");
  EXPECT_EQ(cutAfter("int *p __attribute__((cleanup(end))) = a;"), Why + "int");
  EXPECT_EQ(cutAfter("{ Guard g{a}; }"), "");
  EXPECT_EQ(cut("__threadfence(); Guard g{a};"), "");
}

// What the second half computes again must be what the first half had.
TEST(SplitAtFence, NothingIsComputedAgainThatMayDiffer) {
  const std::string After = " a[i] = 1; __threadfence(); b[i] = 1;";
  for (const char *First :
       {"int i = n; int *p = &i; *p = 3;", "int &m = n; const int i = m;",
        "const int i = width;", "const int i = fixed;",
        "uint3 blockIdx = {}; const int i = blockIdx.x;",
        "const int i = twice(n);", "s.x = 3; const int i = s.x;",
        "const Pair q = s; const int i = q.x;", "const int i = pair->x;",
        "++n; const int i = n;", "const int i = n; ++n;"})
    EXPECT_EQ(cut(First + After,
                  "__device__ int width; __constant__ int fixed; "
                  "__device__ Pair *pair;\n"
                  "__device__ int twice(int n) { return 2 * n; }\n"),
              "a variable lives across the fence @ i")
        << First;
  EXPECT_EQ(cut("const int i = n; a[i] = 1; __threadfence(); ++n; b[i] = n;"),
            "a variable lives across the fence @ n");
  EXPECT_EQ(cut("constexpr int i = 3;" + After), "constexpr int i = 3;");
}

TEST(SplitAtFence, SharedMemoryIsOfOneHalf) {
  const std::string Why = "shared memory lives across the fence @ ";
  EXPECT_EQ(cut("__shared__ int t[4]; t[0] = 1; __threadfence(); b[0] = t[0];"),
            Why + "t");
  EXPECT_EQ(cut("__shared__ int t[4]; t[0] = 1; __threadfence(); b[0] = 1;"),
            "");
  EXPECT_EQ(cut("__shared__ int t[4]; a[0] = 1; __threadfence(); b[0] = t[0];"),
            "__shared__ int t[4];");
  const std::string Functions =
      "__device__ int &cell() { __shared__ int t; return t; }\n"
      "__device__ void set() { cell() = 1; }\n"
      "extern __shared__ int raw[]; extern __shared__ float more[];\n";
  EXPECT_EQ(cut("set(); __threadfence(); b[0] = cell();", Functions),
            Why + "t");
  EXPECT_EQ(cut("set(); __threadfence(); b[0] = 1;", Functions), "");
  EXPECT_EQ(cut("raw[0] = 1; __threadfence(); b[0] = more[0];", Functions),
            Why + "more");
}

TEST(SplitAtFence, NobodyWaitsForTheSecondHalf) {
  const std::string Why =
      "a thread may wait for what another one does behind the fence @ ";
  EXPECT_EQ(cutAfter("while (atomicAdd(a, 0) == 0) ;"), Why + "atomicAdd");
  EXPECT_EQ(cutAfter("while (((volatile int *)a)[0] == 0) ;").substr(0, 20),
            Why.substr(0, 20));
  EXPECT_EQ(cutAfter("other();"), Why + "other");
  EXPECT_EQ(cut("__threadfence(); while (atomicAdd(a, 0) == 0) ;"), "");
  // Calls that nobody sees through may stand in either half.
  EXPECT_EQ(cut("__threadfence(); other();"), Why + "other");
  const std::string Functions = "__device__ void wait(int *a) { while "
                                "(atomicAdd(a, 0) == 0) ; }\n";
  EXPECT_EQ(cut("wait(a); __threadfence(); b[0] = 1;", Functions),
            Why + "atomicAdd");
  EXPECT_EQ(cut("__threadfence(); wait(a);", Functions), "");
  EXPECT_EQ(cut("for (int i = 0; i < n; ++i) a[i] = 1; __syncthreads(); "
                "__threadfence(); b[0] = 1;"),
            "");
}

TEST(SplitAtFence, WhatStandsElsewhereDependsOnNoPlace) {
  EXPECT_EQ(cut("const int i = __LINE__; a[i] = 1; __threadfence(); b[i] = 1;"),
            PlaceDependent.str() + " @ const");
  EXPECT_EQ(cut("a[0] = __LINE__; __threadfence(); b[0] = 1;"), "");
  EXPECT_EQ(cut("a[0] = 1; __threadfence(); b[0] = *__func__;"),
            "the kernel asks for its own name @ __func__");
  EXPECT_EQ(cut("a[0] = *__func__; __threadfence(); b[0] = 1;"), "");
  EXPECT_EQ(cut("const int i = HERE; a[i] = 1; __threadfence(); b[i] = 1;",
                "#define HERE (__LINE__ + 1)\n"),
            PlaceDependent.str() + " @ const");
}

TEST(SplitAtFence, KnowsRests) {
  const auto IsRest = [](const std::string &Rest) {
    test::Snippet Parsed("__global__ void k(int *a, int n) {}\n"
                         "namespace other { }\n" +
                         Rest);
    const clang::FunctionDecl *Kernel = nullptr;
    for (const clang::Decl *D :
         Parsed.context().getTranslationUnitDecl()->decls())
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
          F && F->getDeclName().isIdentifier() && F->getName() == "k")
        Kernel = F;
    return isRestOf(Parsed.function(), *Kernel);
  };
  EXPECT_EQ(restName("k"), "k_rest");
  EXPECT_TRUE(IsRest("static __global__ void k_rest(int *a, int n) {}"));
  EXPECT_TRUE(IsRest("static __global__ void k_rest2(int *b, int) {}"));
  for (const char *Other :
       {"__global__ void k_rest(int *a, int n) {}",
        "static __global__ void k_rest(int *a, long n) {}",
        "static __global__ void k_rest(int *a) {}",
        "static __global__ void k_rests(int *a, int n) {}",
        "static __global__ void k_res(int *a, int n) {}",
        "static __global__ void kk_rest(int *a, int n) {}",
        "namespace other { static __global__ void k_rest(int *a, int n) {} }"})
    EXPECT_FALSE(IsRest(Other)) << Other;
}

} // namespace

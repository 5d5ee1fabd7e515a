// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that no parameter of a kernel shows, and where it may signal to
// others.

#include "matchers/dependence/OutsideGrid.h"
#include "Snippet.h"
#include "matchers/facts/KernelEffects.h"
#include "clang/AST/ASTContext.h"

using namespace barricade;
using namespace barricade::dependence;

namespace {

TEST(OutsideGrid, FindsPointersInTypes) {
  const auto Holds = [](const std::string &Type) {
    test::Snippet S("struct Plain { int a[2]; float b; };\n"
                    "struct Deep { Plain p; struct { float *q; } in[2]; };\n"
                    "struct Refers { int &r; };\nstruct Derived : Deep {};\n"
                    "struct Statics { static int *p; };\nstruct Later;\n"
                    "union Either { int *p; long n; };\nenum Kind { One };\n"
                    "using T = " +
                    Type + ";\n");
    for (const clang::Decl *D : S.context().getTranslationUnitDecl()->decls())
      if (const auto *Name = llvm::dyn_cast<clang::TypedefNameDecl>(D);
          Name && Name->getName() == "T")
        return holdsPointer(Name->getUnderlyingType(), S.context());
    return false;
  };
  for (const char *Type : {"int *", "const void *", "int &", "Deep", "Refers",
                           "Derived", "Deep[4]", "int *[2][3]", "Later",
                           "Either", "int Plain::*", "void (*)()"})
    EXPECT_TRUE(Holds(Type)) << Type;
  for (const char *Type :
       {"int", "float", "Plain", "Plain[2][3]", "Statics", "Kind", "size_t"})
    EXPECT_FALSE(Holds(Type)) << Type;
}

const std::string Before = R"(

__device__ int global;
__device__ int *pointer;
__constant__ int number;
__constant__ int *held;
struct Pair { int *p; int n; mutable int m; __device__ static int *shared; };
__device__ int *opaque(int *p);
__device__ int counted(int n);
__device__ int *next(int *p) { return p + 1; }
)";

struct Asked {
  explicit Asked(const std::string &Body, const std::string &More = "")
      : Source(Before + More +
               "\n__global__ void k(int *x, const int *c, Pair s, int n, "
               "volatile int *v, int **pp) {\n__shared__ int block[8];\n"
               "__shared__ volatile int flag; int own;\n" +
               Body + "\n}\n"),
        Effects(collectKernelEffects(Source.function(), false)) {}
  test::Snippet Source;
  KernelEffects Effects;
};

bool hides(const std::string &Body, const std::string &More = "") {
  return findHiddenPointers(Asked(Body, More).Effects).Found.isValid();
}
bool dropsConst(const std::string &Body) {
  return findHiddenPointers(Asked(Body).Effects).DropsConst;
}

TEST(OutsideGrid, LeavesPointersOfParameters) {
  for (const char *Body :
       {"x[n] = c[n];", "*(x + n) = 3;", "int *p = x; p[1] = 3;",
        "next(x)[1] = 3;", "block[n] = number;", "own = counted(n);",
        "int *p = block; *p = 3;", "int *p = &own; *p = n;",
        "x[threadIdx.x] = blockDim.x;"})
    EXPECT_FALSE(hides(Body)) << Body;
}

TEST(OutsideGrid, SeesPointersFromElsewhere) {
  for (const char *Body :
       {"s.p[n] = 3;", "global = 3;", "own = global;", "*pointer = 3;",
        "x[0] = *held;", "*opaque(x) = 3;", "**pp = 3;",
        "int *p = pp[n]; *p = 3;", "*(int *)(size_t)n = 3;",
        "*reinterpret_cast<int *>(8l * n) = 3;", "x[0] = *s.shared;",
        "auto g = [&](auto y) { x[0] = y; }; g(1);"})
    EXPECT_TRUE(hides(Body)) << Body;
}

TEST(OutsideGrid, LooksIntoWhatIsCalled) {
  EXPECT_TRUE(
      hides("x[0] = get();", "__device__ int get() { return global; }"));
  EXPECT_FALSE(
      hides("x[0] = get();", "__device__ int get() { return number; }"));
  EXPECT_FALSE(hides("x[0] = 3;", "__device__ int get() { return global; }"));
  EXPECT_TRUE(hides("x[0] = take();",
                    "__device__ int take(int n = global) { return n; }"));
}

TEST(OutsideGrid, KnowsConstants) {
  EXPECT_FALSE(hides("x[0] = Size;", "constexpr int Size = 3;"));
  EXPECT_FALSE(
      hides("x[0] = table[n];", "__device__ const int table[2] = {1, 2};"));
  EXPECT_TRUE(
      hides("x[0] = *table[n];", "__device__ int *const table[2] = {};"));
}

TEST(OutsideGrid, SeesConstDropped) {
  for (const char *Body :
       {"*(int *)c = 3;", "*const_cast<int *>(c) = 3;",
        "const_cast<int &>(*c) = 3;", "s.m = 3;", "float *f = (float *)c;"})
    EXPECT_TRUE(dropsConst(Body)) << Body;
  for (const char *Body :
       {"x[0] = *c;", "x[0] = *(const unsigned *)c;", "x[0] = (int)*c;",
        "s.n = 3;", "x[0] = const_cast<const int &>(*c);", "const int *d = x;"})
    EXPECT_FALSE(dropsConst(Body)) << Body;
}

bool signals(const std::string &Body, const std::string &More = "") {
  return findSignal(Asked(Body, More).Effects).isValid();
}

TEST(OutsideGrid, SeesSignals) {
  for (const char *Body :
       {"__threadfence();", "atomicAdd(x, 1);", "atomicCAS(x + n, 0, 1);",
        "atomicAdd(&global, 1);", "*v = 3;", "own = v[n];", "opaque(x);",
        "asm(\"\");", "*(volatile int *)x = 3;",
        "if (n) { int *p = n > 3 ? block : x; atomicAdd(p, 1); }"})
    EXPECT_TRUE(signals(Body)) << Body;
  EXPECT_TRUE(
      signals("tell(x);", "__device__ void tell(int *x) { atomicAdd(x, 1); }"));
}

TEST(OutsideGrid, LeavesWhatTheBlockHasForItself) {
  for (const char *Body :
       {"", "x[n] = 3;", "__syncthreads();", "__threadfence_block();",
        "atomicAdd(block, 1);", "atomicAdd(&block[n], 1);", "flag = 3;",
        "own = flag;", "volatile int t = 3; own = t;", "next(x);",
        "int *p = block + 1; atomicAdd(p, 1);", "own = sqrtf(n);"})
    EXPECT_FALSE(signals(Body)) << Body;
  EXPECT_FALSE(
      signals("", "__device__ void tell(int *x) { atomicAdd(x, 1); }"));
}

TEST(OutsideGrid, SeesVolatileMembers) {
  const std::string More = "struct Flags { int a; volatile int on; };\n"
                           "struct More : Flags { int b; };\n"
                           "__device__ More flags; __device__ More copy;\n";
  EXPECT_TRUE(signals("flags.on = 3;", More));
  EXPECT_TRUE(signals("own = flags.on;", More));
  EXPECT_FALSE(signals("More t; t.on = 3;", More));
}

} // namespace

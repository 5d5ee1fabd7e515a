// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether launches read what they write, by the names of their arguments.

#include "matchers/grid-barrier/SharedData.h"
#include "HostSnippet.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include <map>

using namespace barricade;
using namespace barricade::grid_barrier;

namespace {

const std::string Kernels = "__global__ void k(float *out, const float *in);\n"
                            "__global__ void hidden(float *out, float *in);\n"
                            "__global__ void reader(float *, float *);\n"
                            "__global__ void writer(float *, float *);\n";

/// Of the launches in the last function. `k` writes its first parameter and
/// reads the second; nothing is known of `hidden`; `reader` and `writer` reach
/// other memory as well.
bool apart(
    const std::string &Body, const std::string &Before = "",
    const std::string &Head = "void f(float *a, float *b, float *c, int n)") {
  test::HostSnippet Code(Kernels + Before + Head + " { " + Body + " }\n");
  std::map<std::string, StepKernel> Steps;
  for (const clang::Decl *D :
       Code.context().getTranslationUnitDecl()->decls()) {
    const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
    if (!F || !F->hasAttr<clang::CUDAGlobalAttr>())
      continue;
    StepKernel &Step = Steps[F->getNameAsString()];
    Step.Written = {F->getParamDecl(0)};
    Step.Read = {F->getParamDecl(1)};
    if (F->getName() == "reader")
      Step.ReadsElsewhere = true;
    if (F->getName() == "writer")
      Step.WritesElsewhere = F->getLocation();
  }
  std::vector<const clang::CUDAKernelCallExpr *> Launches;
  (void)holds(Code.function().getBody(), [&](const clang::Stmt &S) {
    if (const auto *Call = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&S))
      Launches.push_back(Call);
    return false;
  });
  EXPECT_FALSE(Launches.empty());
  return sharesNothing(Launches, [&](const clang::FunctionDecl &Kernel) {
    std::vector<const StepKernel *> All;
    if (Kernel.getName() != "hidden")
      All.push_back(&Steps[Kernel.getNameAsString()]);
    return All;
  });
}

#define G "<<<1, 1>>>"

TEST(SharedData, ComparesNames) {
  EXPECT_TRUE(apart("k" G "(a, b);"));
  EXPECT_TRUE(apart("k" G "(a, b); k" G "(c, b);"));
  EXPECT_TRUE(apart("k" G "(a, b); k" G "(a, c);"));
  EXPECT_FALSE(apart("k" G "(a, a);"));
  EXPECT_FALSE(apart("k" G "(a, b); k" G "(b, a);"));
  EXPECT_FALSE(apart("k" G "(a, b); k" G "(c, a);"));
  // The next iteration reads it.
  EXPECT_FALSE(apart("k" G "(c, a); k" G "(a, b);"));
}

TEST(SharedData, FindsNamesWithinExpressions) {
  EXPECT_FALSE(apart("k" G "(a + n, b); k" G "(c, &a[2 * 3]);"));
  EXPECT_FALSE(apart("k" G "(n ? a : b, c); k" G "(c, b);"));
  EXPECT_FALSE(apart("k" G "((float *)a, b); k" G "(c, (a));"));
  EXPECT_FALSE(apart("k" G "(p.x, p.y);", "struct { float *x, *y; } p;\n"));
}

// A method's own members have names, too.
TEST(SharedData, KnowsMembers) {
  const std::string Class = "struct Sim { float *x, *y, *z; void run(); };\n";
  const std::string Head = "void Sim::run()";
  EXPECT_TRUE(apart("k" G "(x, y);", Class, Head));
  EXPECT_FALSE(apart("k" G "(x, y); k" G "(y, x);", Class, Head));
  EXPECT_FALSE(apart("k" G "(this->x, x);", Class, Head));
  EXPECT_TRUE(apart("k" G "(x, y); k" G "(z, y);", Class, Head));
}

TEST(SharedData, KnowsWhatNoParameterShows) {
  EXPECT_FALSE(apart("reader" G "(a, b);"));
  EXPECT_FALSE(apart("writer" G "(a, b);"));
  EXPECT_TRUE(apart("hidden" G "(a, a);"));
  EXPECT_FALSE(apart("hidden" G "(a, a); k" G "(b, b);"));
}

} // namespace

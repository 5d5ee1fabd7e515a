// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops start with in threads that their guard kept from them.

#include "matchers/artificial-barrier/LoopStart.h"
#include "Snippet.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace barricade;

namespace {

/// Of the first loop, in `if (t < n) { ... }`.
std::string startOf(const std::string &Body) {
  test::Snippet S("enum Kind { None, Some };\n"
                  "struct Box { int x; __device__ operator int() const; };\n"
                  "__device__ int get(int);\n"
                  "__global__ void k(int n, int *a, Box box) {\n"
                  "int t = threadIdx.x, outside; if (t < n) { int j; " +
                  Body + " }\n}\n");
  const clang::Stmt *Guard = nullptr;
  (void)holds(S.function().getBody(), [&](const clang::Stmt &Each) {
    Guard = llvm::dyn_cast<clang::IfStmt>(&Each);
    return Guard != nullptr;
  });
  const auto Start =
      artificial_barrier::planLoopStart(S.loop(), *Guard, S.context());
  if (Start.Obstacle.isValid())
    return "obstacle";
  std::string Text = Start.Guarded ? textOf(*Start.Guarded, S.context()) : "";
  for (const clang::VarDecl *Var : Start.Zeroed)
    Text += (Text.empty() ? "zero " : " ") + Var->getNameAsString();
  return Text;
}

TEST(LoopStart, LeavesWhatAllMayRun) {
  EXPECT_EQ(startOf("while (j) --j;"), "");
  EXPECT_EQ(startOf("for (; j; --j) ;"), "");
  EXPECT_EQ(startOf("for (int i = 0; i < n; ++i) ;"), "");
  EXPECT_EQ(startOf("for (int i = 2 * 3, l; i < n; ++i) ;"), "");
  EXPECT_EQ(startOf("for (Kind i = Some; i; ) ;"), "");
  EXPECT_EQ(startOf("for (auto i = 3; i < n; ++i) ;"), "");
  EXPECT_EQ(startOf("for (int *p = nullptr; p; ++p) ;"), "");
}

TEST(LoopStart, ZeroesOtherValues) {
  EXPECT_EQ(startOf("for (int i = t; i < n; ++i) ;"), "zero i");
  EXPECT_EQ(startOf("for (int i = a[t], l = 0, m = n; i < m; ++i) ;"),
            "zero i m");
  EXPECT_EQ(startOf("for (int *p = a + t; *p; ++p) ;"), "zero p");
  EXPECT_EQ(startOf("for (float x = get(t); x > 0; --x) ;"), "zero x");
}

TEST(LoopStart, LeavesWhatHasNoZero) {
  EXPECT_EQ(startOf("for (auto i = t; i < n; ++i) ;"), "obstacle");
  EXPECT_EQ(startOf("for (Kind i = Kind(t); i; ) ;"), "obstacle");
  EXPECT_EQ(startOf("for (int i(t); i < n; ++i) ;"), "obstacle");
  EXPECT_EQ(startOf("for (int i{t}; i < n; ++i) ;"), "obstacle");
  EXPECT_EQ(startOf("for (int i = box; i < n; ++i) ;"), "obstacle");
  EXPECT_EQ(startOf("for (int &i = *a; i < n; ++i) ;"), "obstacle");
  EXPECT_EQ(startOf("for (Box b = box; b; ) ;"), "obstacle");
  EXPECT_EQ(startOf("for (volatile int i = t; i < n; ) ;"), "obstacle");
  EXPECT_EQ(startOf("for (int i = t, &l = *a; i < n; ++i) ;"), "obstacle");
}

TEST(LoopStart, GuardsExpressions) {
  EXPECT_EQ(startOf("for (j = 0; j < n; ++j) ;"), "");
  EXPECT_EQ(startOf("for ((j) = 2; j < n; ++j) ;"), "");
  EXPECT_EQ(startOf("for (j = t; j < n; ++j) ;"), "j = t");
  EXPECT_EQ(startOf("for (outside = 0; outside < n; ++outside) ;"),
            "outside = 0");
  EXPECT_EQ(startOf("for (*a = 0; *a < n; ++*a) ;"), "*a = 0");
  EXPECT_EQ(startOf("for (j += 1; j < n; ++j) ;"), "j += 1");
  EXPECT_EQ(startOf("for (j = 0, *a = 1; j < n; ++j) ;"), "j = 0 , *a = 1");
}

} // namespace

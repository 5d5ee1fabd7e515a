// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether threads that do not pass a guard may run a loop's header as well.

#include "matchers/artificial-barrier/EnclosingLoop.h"
#include "Snippet.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"

using namespace barricade;

namespace {

/// Of the first loop, which stands in an `if` on \p Guard behind \p Inside.
/// Values of `t` differ between threads.
bool mayCount(const std::string &Header, const std::string &Body = "",
              const std::string &Guard = "t < n",
              const std::string &Inside = "", const std::string &Before = "") {
  test::Snippet Code("__device__ int everybodys;\n"
                     "__global__ void k(float *x, int n, int m, unsigned u, "
                     "const int *p, long w, float r) {\n"
                     "int t = threadIdx.x; " +
                     Before + " if (" + Guard + ") { " + Inside + " for (" +
                     Header + ") { " + Body +
                     " for (int k = 0; k < 8; ++k) x[k] += 1; } } }\n");
  const clang::Stmt *If = nullptr;
  (void)holds(Code.function().getBody(), [&](const clang::Stmt &S) {
    if (!If && llvm::isa<clang::IfStmt>(S))
      If = &S;
    return If != nullptr;
  });
  const facts::VariableFacts Facts(Code.function());
  const auto IsUniform = [](const clang::Expr &E) {
    return !holds(&E, [](const clang::Stmt &S) {
      const clang::VarDecl *Var = variableNamedBy(S);
      return Var && (Var->getName() == "t" || Var->getName() == "threadIdx");
    });
  };
  return artificial_barrier::allThreadsMayCount(
      llvm::cast<clang::ForStmt>(Code.loop()), *If, *If, Facts, IsUniform,
      Code.context());
}

TEST(EnclosingLoop, CountsWithSharedValues) {
  EXPECT_TRUE(mayCount("int j = 0; j < m; ++j"));
  EXPECT_TRUE(mayCount("int j = m; j > 0; --j"));
  EXPECT_TRUE(mayCount("int j = 0; j < m * 2 + 1; ++j"));
  EXPECT_TRUE(mayCount("int j = blockIdx.x; j < m; ++j"));
  EXPECT_TRUE(mayCount("int j = 0; j < everybodys; ++j"));
}

TEST(EnclosingLoop, AsksForValuesOfAll) {
  EXPECT_FALSE(mayCount("int j = t; j < m; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < t; ++j"));
  EXPECT_FALSE(mayCount("int j = threadIdx.x; j < m; ++j"));
  // Memory may not be there for those who do not pass.
  EXPECT_FALSE(mayCount("int j = 0; j < p[0]; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < *p; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < get(m); ++j", "", "t < n",
                        "auto get = [](int v) { return v; };"));
}

TEST(EnclosingLoop, WhatTheGuardSetsIsNotShared) {
  EXPECT_FALSE(mayCount("int j = 0; j < m; ++j", "--m;"));
  EXPECT_FALSE(mayCount("int j = 0; j < m; ++j", "", "t < n", "m = 3;"));
  EXPECT_FALSE(mayCount("int j = 0; j < b; ++j", "", "t < n", "int b = m;"));
  EXPECT_FALSE(mayCount("int j = 0; j < m; ++j", "*q = 1;", "t < n", "",
                        "int *q = &m;"));
  EXPECT_FALSE(mayCount("int j = 0; j < m; ++j", "r2 = 1;", "t < n", "",
                        "int &r2 = m;"));
  EXPECT_FALSE(
      mayCount("int j = 0; j < r2; ++j", "", "t < n", "", "int &r2 = m;"));
  // Another variable of the name.
  EXPECT_TRUE(mayCount("int j = 0; j < m; ++j", "{ int m = 0; ++m; }"));
}

TEST(EnclosingLoop, TheCounterIsTheLoopsOwn) {
  EXPECT_FALSE(mayCount("int j = 0; j < m; ++j", "j += 1;"));
  EXPECT_FALSE(mayCount("int j = 0; j < m; ++j", "int &c = j; c += 1;"));
  EXPECT_FALSE(mayCount("j = 0; j < m; ++j", "", "t < n", "", "int j = 0;"));
  EXPECT_TRUE(mayCount("j = 0; j < m; ++j", "", "t < n", "int j = 0;"));
  EXPECT_FALSE(mayCount("volatile int j = 0; j < m; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < m; "));
  EXPECT_FALSE(mayCount("int j = 0; ; ++j"));
}

// Where nobody might have come, the header must end for any value.
TEST(EnclosingLoop, EndsForAnyBound) {
  EXPECT_FALSE(mayCount("int j = 0; j <= m; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j != m; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < m; j += 2"));
  EXPECT_TRUE(mayCount("int j = 0; j < 100; j += 2"));
  EXPECT_TRUE(mayCount("int j = 0; j <= 100; j += 2"));
  EXPECT_FALSE(mayCount("int j = 0; j <= 2147483647; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < m; --j"));
  EXPECT_FALSE(mayCount("int j = 1; j < m; j *= 2"));
  // Compared as something wider, or as unsigned, it may never get there.
  EXPECT_FALSE(mayCount("int j = 0; j < w; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < u; ++j"));
  EXPECT_FALSE(mayCount("short j = 0; j < m; ++j"));
  EXPECT_TRUE(mayCount("unsigned j = 0; j < u; ++j"));
}

TEST(EnclosingLoop, NothingIsUndefined) {
  EXPECT_FALSE(mayCount("int j = 0; j < m / n; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < n / m; ++j"));
  EXPECT_TRUE(mayCount("int j = 0; j < m / 4; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < m / 0; ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < (1 << m); ++j"));
  EXPECT_TRUE(mayCount("int j = 0; j < (m >> 2); ++j"));
  EXPECT_FALSE(mayCount("int j = 0; j < (m >> 40); ++j"));
  EXPECT_FALSE(mayCount("int j = (int)r; j < m; ++j"));
}

// A bound that the guard asks for is kept from the loop by it.
TEST(EnclosingLoop, LeavesWhatTheGuardAsksFor) {
  EXPECT_FALSE(mayCount("int j = 0; j < m; ++j", "", "t < m"));
  EXPECT_FALSE(
      mayCount("int j = 0; j < m; ++j", "", "big > t", "", "int big = m * 2;"));
  EXPECT_TRUE(mayCount("int j = 0; j < m; ++j", "", "t < n"));
}

} // namespace

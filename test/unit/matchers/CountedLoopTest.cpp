// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/CountedLoop.h"
#include "Snippet.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Stmt.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::test;

namespace {

/// What the head `for (Head)` says, as text; "-" where it says nothing.
std::string read(const std::string &Head) {
  Snippet Parsed("void f(int n, long m, int a) { int i, j; for (" + Head +
                 ") ; }");
  const auto &For = llvm::cast<clang::ForStmt>(Parsed.loop());
  const auto Loop = facts::readCountedLoop(For, Parsed.context());
  if (!Loop)
    return "-";
  const auto Text = [&](const clang::Expr *E) {
    return E ? textOf(*E, Parsed.context()) : "?";
  };
  return Loop->Counter->getNameAsString() + (Loop->CountsUp ? " up" : " down") +
         " by " + (Loop->Step ? Text(Loop->Step) : "1") + " from " +
         Text(Loop->First) + ", " + Text(Loop->Least) + " to " +
         Text(Loop->Most) + ", limit " + Text(Loop->limit());
}

TEST(CountedLoop, ReadsHeads) {
  EXPECT_EQ(read("int k = 0; k < n; ++k"), "k up by 1 from 0, k to n, limit n");
  EXPECT_EQ(read("int k = a; n >= k; k++"),
            "k up by 1 from a, k to n, limit n");
  EXPECT_EQ(read("int k = n; k > a; --k"),
            "k down by 1 from n, a to k, limit a");
  EXPECT_EQ(read("int k = n; 0 != k; k -= a"),
            "k down by a from n, 0 to k, limit 0");
  EXPECT_EQ(read("int k = 1, e = n; k < e; k += 2"),
            "k up by 2 from 1, k to e, limit e");
}

TEST(CountedLoop, KnowsWhereCountersBegin) {
  EXPECT_EQ(read("; i < n; ++i"), "i up by 1 from ?, i to n, limit n");
  EXPECT_EQ(read("i = 3; i < n; ++i"), "i up by 1 from 3, i to n, limit n");
  EXPECT_EQ(read("i = 1, j = 2, i = 4; i < n; ++i"),
            "i up by 1 from 4, i to n, limit n");
  EXPECT_EQ(read("j = 0; i < n; ++i"), "i up by 1 from ?, i to n, limit n");
  EXPECT_EQ(read("i += 1; i < n; ++i"), "i up by 1 from ?, i to n, limit n");
}

TEST(CountedLoop, ReadsNoOthers) {
  for (const char *Head :
       {"int k = 0; k < n; k *= 2", "int k = 0; k < n; k = k + 1",
        "int k = 0; k == n; ++k", "int k = 0; k < n && a; ++k",
        "int k = 0; a < n; ++k", "int k = 0; k < k; ++k", "int k = 0; ; ++k",
        "int k = 0; k < n; ", "int k = 0; k < n; k += a++",
        "int k = 0; k < n; ++k, ++i", "int k = 0; k + 1 < n; ++k",
        "int k = 0; k < n - k; ++k", "i = 2; n / i > i; ++i"})
    EXPECT_EQ(read(Head), "-") << Head;
}

} // namespace

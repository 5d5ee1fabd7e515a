// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object an access reaches.

#include "matchers/facts/MemoryRoot.h"
#include "Snippet.h"

using namespace barricade;

namespace {

/// The root of `value`'s initialiser, in a kernel with such a body before it.
std::string rootOf(const std::string &Value, const std::string &Body = "",
                   bool RestrictOption = false) {
  test::Snippet Parsed(
      "struct S { int *p; int a[4]; };\n__constant__ int table[4];\n"
      "__device__ int counts[4];\n__device__ int *next(int *p);\n"
      "__global__ void k(int *a, int *__restrict__ b, S s, bool c) {\n"
      "__shared__ int tile[4]; int own[4]; int *p = a;\n" +
      Body + "\nauto &&value = " + Value + ";\n}\n");
  const MemoryRoot Root = MemoryRoots(Parsed.function(), RestrictOption)
                              .of(Parsed.initializer("value"));
  return nameOf(Root.Space).str() +
         (Root ? " " + Root.Object->getNameAsString() : "") +
         (Root.Field ? "." + Root.Field->getNameAsString() : "") +
         (Root.IsRestrict ? " restrict" : "");
}

TEST(MemoryRoot, NamesObjects) {
  EXPECT_EQ(rootOf("a[1]"), "global a");
  EXPECT_EQ(rootOf("*(b + 2)"), "global b restrict");
  EXPECT_EQ(rootOf("tile[0]"), "shared tile");
  EXPECT_EQ(rootOf("own[0]"), "local own");
  EXPECT_EQ(rootOf("table[0]"), "constant table");
  EXPECT_EQ(rootOf("counts[0]"), "global counts");
  EXPECT_EQ(rootOf("s.p[0]"), "global s.p");
  EXPECT_EQ(rootOf("s.a[0]"), "local s");
  EXPECT_EQ(rootOf("a[1]", "", /*RestrictOption=*/true), "global a restrict");
}

TEST(MemoryRoot, FollowsPointersOfOneRoot) {
  EXPECT_EQ(rootOf("p[0]"), "global a");
  EXPECT_EQ(rootOf("p[0]", "p += 3; p = a + 1;"), "global a");
  EXPECT_EQ(rootOf("p[0]", "p = tile;"), "unknown");
  EXPECT_EQ(rootOf("(c ? a + 1 : a)[0]"), "global a");
}

TEST(MemoryRoot, KnowsNothingOfWhatOthersMayChange) {
  EXPECT_EQ(rootOf("p[0]", "int **q = &p; *q = tile;"), "unknown");
  EXPECT_EQ(rootOf("p[0]", "int *&q = p; q = tile;"), "unknown");
  EXPECT_EQ(rootOf("next(a)[0]"), "unknown");
}

} // namespace

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many elements of the array `buf` the first loop of a host function reads
// for certain.

#include "matchers/grid-barrier/ElementReads.h"
#include "HostSnippet.h"
#include "matchers/host/HostVariables.h"

using namespace barricade;
using namespace barricade::grid_barrier;

namespace {

unsigned countIn(const std::string &Body) {
  test::HostSnippet Code(
      "__global__ void k(float *to, const float *from) {}\n"
      "void other(); int *get(); bool ready(); void change(int &);\n"
      "int shared;\n"
      "void f(float *buf[2], float *spare[2], int n, bool b) {\n" +
      Body + "\n}\n");
  const clang::VarDecl &Array = Code.variable("buf");
  const clang::Stmt &Loop = Code.loop();
  std::vector<const clang::ArraySubscriptExpr *> Reads;
  (void)holds(&Loop, [&](const clang::Stmt &S) {
    const auto *Element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&S);
    if (Element && barricade::variableOf(*Element->getBase()) == &Array)
      Reads.push_back(Element);
    return false;
  });
  const host::HostVariables Variables(Code.function());
  return countElementsRead(Array, Reads, Loop, Variables, Code.context());
}

/// Of a loop with the body.
unsigned countInLoop(const std::string &Body, const std::string &Before = "") {
  return countIn(Before + "for (int t = 0; t < n; ++t) { " + Body + " }");
}

const std::string Launch = "k<<<1, 64>>>(buf[dst], buf[src]);";
const std::string Two = "int src = 1, dst = 0; ";

TEST(ElementReads, CountsWhatTheFirstIterationReads) {
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[0], buf[1]);"), 2u);
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[0], spare[1]);"), 1u);
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[0], buf[2]);"), 0u);
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[2], buf[0]); "
                        "k<<<1, 64>>>(buf[1], buf[0]);"),
            3u);
}

TEST(ElementReads, FollowsIndices) {
  EXPECT_EQ(countInLoop(Launch + "std::swap(src, dst);", Two), 2u);
  EXPECT_EQ(countInLoop("std::swap(src, dst);" + Launch, Two), 2u);
  EXPECT_EQ(countInLoop("int old = src; src = dst; dst = old;" + Launch, Two),
            2u);
  EXPECT_EQ(countInLoop("dst = 1 - src;" + Launch + "src ^= 1;",
                        "int src = 0, dst = 0;"),
            2u);
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[t % 2], buf[(t + 1) % 2]);"), 2u);
  EXPECT_EQ(
      countInLoop("k<<<1, 64>>>(buf[src & 1], buf[dst & 1]); ++src;", Two), 2u);
}

// Elements that only later iterations read may not be there.
TEST(ElementReads, AsksForTheFirstIteration) {
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[t % 2], spare[0]);"), 0u);
  EXPECT_EQ(
      countInLoop("k<<<1, 64>>>(buf[src], spare[0]); src = 1;", "int src = 0;"),
      0u);
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[0], spare[0]); "
                        "if (b) k<<<1, 64>>>(buf[1], spare[0]);"),
            0u);
  EXPECT_EQ(countInLoop("if (b) k<<<1, 64>>>(buf[0], spare[0]);"), 0u);
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(b ? buf[0] : spare[0], spare[1]);"), 0u);
  EXPECT_EQ(countInLoop("bool c = b && buf[0]; "
                        "k<<<1, 64>>>(spare[0], spare[1]);"),
            0u);
  EXPECT_EQ(countInLoop("if (b) continue; k<<<1, 64>>>(buf[0], spare[0]);"),
            0u);
  EXPECT_EQ(countInLoop("if (b) break; k<<<1, 64>>>(buf[0], spare[0]);"), 0u);
  EXPECT_EQ(countInLoop("{ k<<<1, 64>>>(buf[0], spare[0]); } "
                        "if (b) k<<<1, 64>>>(buf[0], buf[0]);"),
            1u);
  EXPECT_EQ(countInLoop("(void)sizeof(buf[0]); "
                        "k<<<1, 64>>>(spare[0], spare[1]);"),
            0u);
}

// What is called may end the program, before the read.
TEST(ElementReads, AsksForReadsBeforeOtherCalls) {
  EXPECT_EQ(countInLoop("other(); k<<<1, 64>>>(buf[0], spare[0]);"), 0u);
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[0], spare[0]); other();"), 1u);
  EXPECT_EQ(countInLoop("cudaDeviceSynchronize(); "
                        "k<<<1, 64>>>(buf[0], spare[0]);"),
            0u);
  EXPECT_EQ(countInLoop("int m = std::min(n, 3); "
                        "k<<<m, 64>>>(buf[0], spare[0]);"),
            1u);
  EXPECT_EQ(countInLoop("bool c = ready(); k<<<1, 64>>>(buf[0], spare[0]);"),
            0u);
}

TEST(ElementReads, KnowsNoIndexThatOthersChange) {
  for (const char *Before :
       {"int src = 0, dst = 1; int &r = src; r = 3; ",
        "int src = 0, dst = 1; change(src); ",
        "int src = 0, dst = 1; int *p = &src; *p = 3; ",
        "int src = 0, dst = 1; if (b) src = 3; ",
        "int src = 0, dst = 1; while (n-- > 9) ++src; ",
        "int src = n, dst = 1; ", "int src, dst = 1; ",
        "int src = 0, dst = src++; ", "static int src = 0; int dst = 1; ",
        "volatile int src = 0; int dst = 1; ",
        "again: int src = 0, dst = 1; if (b) goto again; ",
        "int dst = 1; int &src = shared; src = 0; "})
    EXPECT_EQ(countInLoop(Launch, Before), 0u) << Before;
  for (const char *Before :
       {"int src = 0, dst = 1; ", "int src, dst = 1; src = 0; ",
        "int src = 3, dst = 1; src = 0; ", "const int src = 0, dst = 1; ",
        "int src = 0, dst = 1; if (b) { int src = 3; ++src; } ",
        "unsigned char src = 0; enum { dst = 1 }; "})
    EXPECT_EQ(countInLoop(Launch, Before), 2u) << Before;
}

TEST(ElementReads, KnowsNoIndexThatTheLoopMakesStrange) {
  for (const char *Body :
       {"++src;", "src += n;", "src -= 1;", "src = n;", "src *= 2; src += 1;",
        "change(src);", "[&] { src = 5; }();", "int *p = &src; *p = 7;",
        "src = get()[0];", "if (b) src = -1;"})
    EXPECT_EQ(countInLoop(Launch + Body, Two), 0u) << Body;
  // At its end it wraps.
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[(unsigned char)(src + 255)], "
                        "spare[0]);",
                        "int src = 1;"),
            1u);
}

TEST(ElementReads, FollowsNoIndexThroughOtherCode) {
  for (const char *Body :
       {"auto set = [&] { src = 5; }; set();", "int &r = src; r = 5;",
        "src = src + 1 > 1 ? 5 : 0;", "std::swap(src, n);",
        "for (int j = 0; j < 2; ++j) ++src;", "(b ? src : dst) = 5;",
        "src = dst = 5;", "int other = 5; std::swap(src, other);",
        "switch (n) { case 1: src = 5; }", "src = sizeof(float[5]);",
        "src -= src - 5;", "asm(\"\" : \"=r\"(src));",
        "const int &r = src; const_cast<int &>(r) = 5;"})
    EXPECT_EQ(countInLoop(Launch + Body, Two), 0u) << Body;
  // Another variable of the name.
  EXPECT_EQ(countInLoop(Launch + "{ int src = 5; ++src; }", Two), 2u);
}

// The first iteration reads, but not before another write of the index.
TEST(ElementReads, KeepsTheOrderOfEvaluation) {
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[src++], spare[0]); src = 0;",
                        "int src = 0;"),
            0u);
  EXPECT_EQ(countInLoop("k<<<1, 64>>>(buf[src], spare[src = 1]); src = 0;",
                        "int src = 0;"),
            0u);
  EXPECT_EQ(countInLoop("float *p = buf[src], *q = buf[src = 1]; "
                        "k<<<1, 64>>>(p, q); src = 0;",
                        "int src = 0;"),
            0u);
}

TEST(ElementReads, CountsWritesForNoReads) {
  EXPECT_EQ(countInLoop("buf[0] = spare[0]; k<<<1, 64>>>(spare[0], "
                        "spare[1]);"),
            0u);
  EXPECT_EQ(countInLoop("float **p = &buf[0]; k<<<1, 64>>>(*p, spare[1]);"),
            0u);
  EXPECT_EQ(countInLoop("float *p = buf[0]; k<<<1, 64>>>(p, spare[1]);"), 1u);
}

TEST(ElementReads, KnowsOtherLoops) {
  EXPECT_EQ(
      countIn(Two + "while (n-- > 0) { " + Launch + "std::swap(src, dst); }"),
      2u);
  EXPECT_EQ(countIn(Two + "do { " + Launch +
                    "std::swap(src, dst); } while (--n > 0);"),
            2u);
  // The condition is what makes the first one's index.
  EXPECT_EQ(countIn("int src = 0; while ((src = 1 - src, n-- > 0)) "
                    "k<<<1, 64>>>(buf[src], spare[0]);"),
            0u);
  EXPECT_EQ(countIn("for (int src = 0; n-- > 0;) "
                    "k<<<1, 64>>>(buf[src], spare[0]);"),
            1u);
}

} // namespace

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which loops a thread may wait for another one.

#include "matchers/waiting/Waiting.h"
#include "Snippet.h"
#include "matchers/facts/KernelEffects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

using namespace barricade;

namespace {

/// The first loop of a kernel with the body may wait.
bool mayWait(const std::string &Body) {
  test::Snippet Parsed(
      "struct Pair { int first, second; };\n"
      "__device__ void unknown();\n"
      "__global__ void k(int *flag, volatile int *shared, float *x, int n, "
      "unsigned u, Pair pair) {\n" +
      Body + "\n}\n");
  const KernelEffects Effects =
      collectKernelEffects(Parsed.function(), /*RestrictParams=*/false);
  return findWait(Parsed.loop(), Parsed.function(),
                  Parsed.context().getSourceManager(), Effects)
      .isValid();
}

TEST(Waiting, SeesSignals) {
  EXPECT_TRUE(mayWait("while (shared[0] == 0) ;"));
  EXPECT_TRUE(mayWait("while (atomicCAS(flag, 0, 1)) ;"));
  EXPECT_TRUE(mayWait("while (flag[0] == 0) __syncwarp(0); flag[1] = 1;"));
  EXPECT_TRUE(mayWait("while (n) unknown();"));
  EXPECT_TRUE(mayWait("while (n) { asm volatile(\"\"); }"));
  EXPECT_TRUE(mayWait("do { n = atomicAdd(flag, 0); } while (n == 0);"));
}

TEST(Waiting, SeesReadsThatDecide) {
  EXPECT_TRUE(mayWait("for (int i = 0; flag[i] == 0; ) i = flag[i + 1]; "
                      "flag[0] = 1;"));
  EXPECT_FALSE(mayWait("for (int i = 0; i < n; ++i) x[i] += x[i + 1];"));
}

TEST(Waiting, CountersEndLoops) {
  // What is read matters to nobody's end.
  for (const char *Head :
       {"int i = 0; i < n; ++i", "int i = n; i > 0; i -= 2",
        "int i = 0; i != n; ++i", "unsigned i = 0; i < u; ++i",
        "int i = 1; i < n; i *= 2", "int i = n; i > 0; i >>= 1",
        "int i = 0; i < pair.first; ++i"})
    EXPECT_FALSE(
        mayWait(std::string("for (") + Head + ") n += 0 * shared[0];") &&
        mayWait(std::string("for (") + Head + ") flag[i] = shared[0];"))
        << Head;
}

TEST(Waiting, DivisionEndsLoops) {
  const auto Waits = [](const std::string &Loop) {
    return mayWait(Loop + " flag[1] = atomicAdd(flag, 0); }");
  };
  for (const char *Loop :
       {"while (n != 0) { n /= 2;", "while (n) { n = n / 10;",
        "while (n > 0) { n = n / 2;", "for (; u != 0; u >>= 1) {",
        "for (; u; u = u >> 4) {", "while (n >= 1) { n /= 3;"})
    EXPECT_FALSE(Waits(Loop)) << Loop;
  for (const char *Loop :
       {"while (n != 0) { n >>= 1;", "while (n) { n = u / 2;",
        "while (n != 1) { n /= 2;", "while (n) { if (u) n /= 2;",
        "while (n) { n /= 1;", "while (n) { n /= 2; n += u;",
        "while (n >= 0) { n = n / 2;", "while (n) { n /= u;",
        "while (n) { n /= 2ul;", "while (n < 0) { n = n / 2; n--;"})
    EXPECT_TRUE(Waits(Loop)) << Loop;
}

// Not as wide as what they take in memory: narrow ones come round.
TEST(Waiting, CountsTheBitsOfIntegers) {
  const auto Waits = [](const char *Head) {
    return mayWait(std::string("for (") + Head + ") flag[1] = shared[0];");
  };
  EXPECT_FALSE(Waits("unsigned _BitInt(32) i = 0; i < u; ++i"));
  EXPECT_FALSE(Waits("_BitInt(40) i = 0; i < n; ++i"));
  for (const char *Head :
       {"unsigned _BitInt(20) i = 0; i < u; ++i",
        "_BitInt(20) i = 0; i < n; ++i",
        "unsigned _BitInt(20) i = 0; i != u; ++i",
        "bool i = false; i < n; i += true", "short i = 0; i < n; ++i"})
    EXPECT_TRUE(Waits(Head)) << Head;
}

TEST(Waiting, OtherLoopsMayWait) {
  for (const char *Head : {"int i = 0; i < n; ", "unsigned i = u; i >= 0; --i",
                           "int i = 0; i < n && shared[0]; ++i",
                           "int i = 0; i < shared[1]; --i", "int i = 0; ; ++i"})
    EXPECT_TRUE(mayWait(std::string("for (") + Head + ") flag[1] = shared[0];"))
        << Head;
  EXPECT_TRUE(mayWait("for (int i = 0; i < n; ++i) { if (shared[0]) break; }"));
  EXPECT_TRUE(
      mayWait("for (int i = 0; i < n; ++i) { int &r = i; r = shared[0]; }"));
}

TEST(Waiting, RetriedExchangesEnd) {
  const std::string Loop = "int old = flag[0], assumed; do { assumed = old; "
                           "old = atomicCAS(flag, assumed, assumed + 1); } ";
  EXPECT_FALSE(mayWait(Loop + "while (assumed != old);"));
  EXPECT_TRUE(mayWait(Loop + "while (assumed == old);"));
  EXPECT_TRUE(mayWait(Loop + "while (assumed != n);"));
}

} // namespace

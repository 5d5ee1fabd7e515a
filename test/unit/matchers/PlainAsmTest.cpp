// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/PlainAsm.h"
#include "Snippet.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Stmt.h"

using namespace barricade;

namespace {

bool isPlain(const std::string &Asm) {
  test::Snippet Parsed("__global__ void k(int *p, int x) { " + Asm + " }");
  bool IsPlain = false;
  EXPECT_TRUE(codeHolds(Parsed.function(), [&](const clang::Stmt &S) {
    const auto *Found = llvm::dyn_cast<clang::AsmStmt>(&S);
    IsPlain = Found && facts::isPlainAsm(*Found);
    return Found != nullptr;
  }));
  return IsPlain;
}

TEST(PlainAsm, ComputesLoadsAndStores) {
  EXPECT_TRUE(isPlain("asm(\"add.s32 %0, %1, 1;\" : \"=r\"(x) : \"r\"(x));"));
  EXPECT_TRUE(
      isPlain("asm(\"{ .reg .b32 t; mov.b32 t, %1; shl.b32 %0, t, 2; }\" : "
              "\"=r\"(x) : \"r\"(x));"));
  EXPECT_TRUE(isPlain(
      "asm volatile(\"ld.global.s32 %0, [%1];\" : \"=r\"(x) : \"l\"(p));"));
  EXPECT_TRUE(isPlain(
      "asm volatile(\"st.global.s32 [%0], %1;\" :: \"l\"(p), \"r\"(x));"));
  EXPECT_TRUE(isPlain("asm volatile(\"\" ::: \"memory\");"));
}

TEST(PlainAsm, NeitherSynchronisesNorSignals) {
  for (const char *Text :
       {"bar.sync 0;", "membar.gl;", "atom.global.add.s32 %0, [%1], 1;",
        "ld.volatile.global.s32 %0, [%1];", "ld.acquire.gpu.s32 %0, [%1];",
        "ld.global.cv.s32 %0, [%1];", "@p bra there;", "exit;", "trap;",
        "nanosleep.u32 20;", "add.s32 %0, %0, 1; bar.sync 1;",
        "add.s32 %0, %0, 1; // bar.sync 1;"})
    EXPECT_FALSE(isPlain(std::string("asm volatile(\"") + Text +
                         "\" : \"=r\"(x) : \"l\"(p));"))
        << Text;
}

/// Copies of it would declare a name twice.
TEST(PlainAsm, DeclaresWithinBraces) {
  EXPECT_FALSE(isPlain("asm(\".reg .b32 t; mov.b32 t, %1; mov.b32 %0, t;\" : "
                       "\"=r\"(x) : \"r\"(x));"));
  EXPECT_FALSE(isPlain("asm(\"{ .reg .b32 t; mov.b32 t, %1; } .reg .b32 u;\" : "
                       "\"=r\"(x) : \"r\"(x));"));
}

} // namespace

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What assembly names, and which function that may be.

#include "matchers/source/SymbolNames.h"
#include "Snippet.h"

using namespace barricade;

namespace {

/// Those that go on with a `%` behind them.
std::string symbolsIn(llvm::StringRef Text) {
  std::string Result;
  forEachSymbolIn(Text, [&](llvm::StringRef Word, bool GoesOn) {
    Result += (Result.empty() ? "" : " ") + Word.str() + (GoesOn ? "%" : "");
  });
  return Result;
}

TEST(SymbolNames, AreWords) {
  EXPECT_EQ(symbolsIn("call.uni (r), total, (a);"), "call uni r total a");
  EXPECT_EQ(symbolsIn("mov.u32 %0, 0x1f;"), "mov u32");
  EXPECT_EQ(symbolsIn("{_Z1f$x}"), "_Z1f$x");
  EXPECT_EQ(symbolsIn(""), "");
}

TEST(SymbolNames, OperandsMayBePartsOfThem) {
  EXPECT_EQ(symbolsIn("total_%3,"), "total_%");
  EXPECT_EQ(symbolsIn("total_%c3_x, y"), "total_% y");
  EXPECT_EQ(symbolsIn("total_%[n];"), "total_%");
  EXPECT_EQ(symbolsIn("L%=:"), "L%");
  EXPECT_EQ(symbolsIn("%0%1"), "%");
  EXPECT_EQ(symbolsIn("%0tal"), "%");
  EXPECT_EQ(symbolsIn("[%0+4], %1, %[n]"), "");
  EXPECT_EQ(symbolsIn("a%%r1 %%r%0 %"), "a r1 r%");
}

TEST(SymbolNames, AreFunctions) {
  const auto IsOf = [](const std::string &Code, llvm::StringRef Word,
                       bool GoesOn) {
    test::Snippet S(Code);
    return mayBeSymbolOf(S.function(), Word, GoesOn);
  };
  const std::string Plain = "__device__ void total() {}",
                    Own = "static __device__ void total() {}",
                    C = "extern \"C\" __device__ void total() {}",
                    Labelled = "__device__ void total() __asm__(\"sum\");"
                               "__device__ void total() {}";
  EXPECT_TRUE(IsOf(Plain, "_Z5totalv", false));
  EXPECT_TRUE(IsOf(Own, "_ZL5totalv", false));
  EXPECT_TRUE(IsOf(Own, "_ZN22_INTERNAL_1234_unit_cu5totalEv", false));
  EXPECT_FALSE(IsOf(Plain, "total", false));
  EXPECT_FALSE(IsOf(Plain, "_Z6total2v", false));
  EXPECT_TRUE(IsOf(C, "total", false));
  EXPECT_FALSE(IsOf(C, "_Z5totalv", false));
  EXPECT_TRUE(IsOf(Labelled, "sum", false));
  EXPECT_FALSE(IsOf(Labelled, "total", false));
  EXPECT_TRUE(IsOf(C, "to", true));
  EXPECT_FALSE(IsOf(C, "to", false));
  EXPECT_FALSE(IsOf(C, "tu", true));
  EXPECT_TRUE(IsOf(C, "", true));
  EXPECT_TRUE(IsOf(Plain, "_Z", true));
  EXPECT_FALSE(IsOf(Plain, "v", true));
}

} // namespace

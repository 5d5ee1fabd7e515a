// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/ApplyEdits.h"
#include "gtest/gtest.h"

using namespace barricade;

namespace {

Edit edit(unsigned Offset, unsigned Length, std::string Text) {
  return {"/f", Offset, Length, std::move(Text)};
}

std::string applied(llvm::StringRef Text, std::vector<Edit> Edits) {
  return llvm::cantFail(applyEdits(Text, Edits));
}

std::string failure(llvm::StringRef Text, std::vector<Edit> Edits) {
  auto Result = applyEdits(Text, Edits);
  return Result ? "" : llvm::toString(Result.takeError());
}

TEST(ApplyEdits, InsertsReplacesAndRemoves) {
  EXPECT_EQ(
      applied("abcdef", {edit(4, 1, ""), edit(0, 0, "<"), edit(2, 1, "C!")}),
      "<abC!df");
}

TEST(ApplyEdits, InsertsAtTheEnd) {
  EXPECT_EQ(applied("a", {edit(1, 0, "b")}), "ab");
}

TEST(ApplyEdits, LeavesLineEndingsAndEncodingsAlone) {
  EXPECT_EQ(applied("\xEF\xBB\xBF//\xC3\xBC\r\n\xFF", {edit(7, 0, "x")}),
            "\xEF\xBB\xBF//\xC3\xBCx\r\n\xFF");
}

TEST(ApplyEdits, KeepsTheOrderOfInsertionsAtOnePlace) {
  EXPECT_EQ(applied("ab", {edit(1, 0, "1"), edit(1, 0, "2")}), "a12b");
}

TEST(ApplyEdits, InsertsBeforeAReplacementAtTheSamePlace) {
  EXPECT_EQ(applied("ab", {edit(1, 1, "B"), edit(1, 0, "+")}), "a+B");
}

TEST(ApplyEdits, RefusesWhatIntersects) {
  EXPECT_EQ(failure("abcdef", {edit(1, 3, "x"), edit(3, 1, "y")}),
            "edits overlap at offset 3");
}

TEST(ApplyEdits, RefusesWhatIsBeyondTheEnd) {
  EXPECT_EQ(failure("ab", {edit(1, 2, "x")}),
            "edit at offset 1 is beyond the end");
  EXPECT_EQ(failure("ab", {edit(3, 0, "x")}),
            "edit at offset 3 is beyond the end");
}

TEST(Overlap, ComparesRanges) {
  EXPECT_TRUE(overlap(edit(2, 3, "x"), edit(4, 1, "y")));
  EXPECT_TRUE(overlap(edit(4, 0, "y"), edit(2, 3, "x"))) << "inside";
  EXPECT_TRUE(overlap(edit(2, 0, "x"), edit(2, 0, "y"))) << "order matters";
  EXPECT_FALSE(overlap(edit(2, 3, "x"), edit(5, 1, "y"))) << "adjacent";
  EXPECT_FALSE(overlap(edit(2, 3, "x"), edit(5, 0, "y"))) << "at its end";
  EXPECT_FALSE(overlap(edit(2, 3, "x"), edit(2, 0, "y"))) << "at its start";
  EXPECT_FALSE(overlap({"/f", 2, 3, ""}, {"/g", 2, 3, ""}));
}

TEST(Shared, IncludesAreBracesAreNot) {
  EXPECT_TRUE(
      isShared(edit(0, 0, "#include <a>\n"), edit(0, 0, "#include <a>\n")));
  EXPECT_FALSE(
      isShared(edit(0, 0, "#include <a>\n"), edit(1, 0, "#include <a>\n")));
  EXPECT_FALSE(isShared(edit(9, 0, "}\n"), edit(9, 0, "}\n")));
}

} // namespace

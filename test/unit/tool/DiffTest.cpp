// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Diff.h"
#include "Support.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include <random>

using namespace barricade;

namespace {

/// The hunks alone.
std::string hunks(llvm::StringRef Old, llvm::StringRef New,
                  unsigned Context = 3) {
  std::string Diff = unifiedDiff("f", Old, New, Context);
  return Diff.substr(Diff.find("@@"));
}

TEST(Diff, EqualTextsGiveNothing) {
  EXPECT_EQ(unifiedDiff("f", "a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(unifiedDiff("f", "", ""), "");
}

TEST(Diff, NamesTheFileAsGitDoes) {
  EXPECT_EQ(unifiedDiff("src/k.cu", "a\n", "b\n"),
            "diff --git a/src/k.cu b/src/k.cu\n"
            "--- a/src/k.cu\n"
            "+++ b/src/k.cu\n"
            "@@ -1 +1 @@\n-a\n+b\n");
}

TEST(Diff, EndsNamesWithSpacesByATab) {
  std::string Diff = unifiedDiff("my k.cu", "a\n", "b\n");
  EXPECT_NE(Diff.find("--- a/my k.cu\t\n+++ b/my k.cu\t\n"), std::string::npos);
}

TEST(Diff, QuotesUnusualNames) {
  std::string Diff = unifiedDiff("\xC3\xBC\"\t.cu", "a\n", "b\n");
  EXPECT_NE(Diff.find("--- \"a/\\303\\274\\\"\\t.cu\"\n"), std::string::npos)
      << Diff;
}

TEST(Diff, KeepsThreeLinesOfContext) {
  EXPECT_EQ(hunks("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nx\n5\n6\n7\n8\n"),
            "@@ -2,6 +2,7 @@\n 2\n 3\n 4\n+x\n 5\n 6\n 7\n");
}

TEST(Diff, JoinsChangesWhoseContextTouches) {
  EXPECT_EQ(hunks("a\n1\n2\nb\n", "A\n1\n2\nB\n", 1),
            "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n-b\n+B\n");
}

TEST(Diff, SeparatesChangesWhoseContextDoesNot) {
  EXPECT_EQ(hunks("a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n", 1),
            "@@ -1,2 +1,2 @@\n-a\n+A\n 1\n@@ -4,2 +4,2 @@\n 3\n-b\n+B\n");
}

TEST(Diff, CountsEmptySidesFromTheLineBefore) {
  EXPECT_EQ(hunks("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(hunks("a\nb\n", ""), "@@ -1,2 +0,0 @@\n-a\n-b\n");
  EXPECT_EQ(hunks("a\nb\n", "a\nx\nb\n", 0), "@@ -1,0 +2 @@\n+x\n");
}

TEST(Diff, MarksMissingFinalNewlines) {
  EXPECT_EQ(hunks("a\nb", "x\nb"),
            "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n");
  EXPECT_EQ(hunks("a", "a\n"),
            "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  EXPECT_EQ(hunks("a\n", "a"),
            "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n");
}

TEST(Diff, KeepsCarriageReturns) {
  EXPECT_EQ(hunks("a\r\nb\r\n", "a\r\nx\r\nb\r\n"),
            "@@ -1,2 +1,3 @@\n a\r\n+x\r\n b\r\n");
}

TEST(Diff, FindsAShortestScript) {
  // Myers's own example: ABCABBA to CBABAC takes five edits.
  std::string Script = hunks("A\nB\nC\nA\nB\nB\nA\n", "C\nB\nA\nB\nA\nC\n");
  EXPECT_EQ(llvm::StringRef(Script).count("\n-") +
                llvm::StringRef(Script).count("\n+"),
            5u);
}

/// Applies a diff the way any patch program does.
std::string patched(llvm::StringRef Old, llvm::StringRef Diff) {
  test::TemporaryFolder Folder;
  std::string File = Folder.write("f", Old);
  std::string Patch = Folder.write("d.patch", Diff);
  auto Git = llvm::sys::findProgramByName("git");
  EXPECT_TRUE(bool(Git));
  EXPECT_EQ(llvm::sys::ExecuteAndWait(*Git, {*Git, "-C", Folder.path(), "apply",
                                             "--whitespace=nowarn", Patch}),
            0)
      << Diff.str();
  return test::readFile(File);
}

TEST(Diff, GitAppliesRandomChanges) {
  std::mt19937 Random(1);
  auto Text = [&](unsigned Lines) {
    std::string Result;
    for (unsigned I = 0; I < Lines; ++I)
      Result +=
          char('a' + Random() % 4) + std::string(Random() % 2 ? "\n" : "\r\n");
    if (Random() % 2)
      Result += "end";
    return Result;
  };
  for (unsigned Round = 0; Round < 40; ++Round) {
    std::string Old = Text(1 + Random() % 30), New = Text(1 + Random() % 30);
    if (Old == New)
      continue;
    EXPECT_EQ(patched(Old, unifiedDiff("f", Old, New)), New);
  }
}

TEST(Diff, ReplacesWhatIsTooDifferent) {
  std::string Old, New;
  for (unsigned I = 0; I < 3000; ++I) {
    Old += llvm::formatv("old {0}\n", I);
    New += llvm::formatv("new {0}\n", I);
  }
  EXPECT_EQ(patched(Old, unifiedDiff("f", Old, New)), New);
}

} // namespace

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in a file's text.

#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"
#include <gtest/gtest.h>

using namespace barricade;

namespace {

class SourceTextTest : public testing::Test {
protected:
  /// Reads \p Text, in which `@` marks a place and is no part of it.
  SourceText read(std::string Text) {
    const size_t Mark = Text.find('@');
    Text.erase(Mark, 1);
    Unit = clang::tooling::buildASTFromCode(Text, "snippet.cc");
    const clang::SourceManager &SM = Unit->getSourceManager();
    Start = SM.getLocForStartOfFile(SM.getMainFileID());
    Where = Start.getLocWithOffset(Mark);
    return SourceText(Unit->getASTContext());
  }
  int offset(clang::SourceLocation Place) const {
    return Place.isValid()
               ? int(Place.getRawEncoding() - Start.getRawEncoding())
               : -1;
  }

  std::unique_ptr<clang::ASTUnit> Unit;
  clang::SourceLocation Start, Where;
};

TEST_F(SourceTextTest, KnowsLines) {
  SourceText Source = read("int a;\n  \t@int b; // b\n\nint c;");
  EXPECT_EQ(Source.indentation(Where), "  \t");
  EXPECT_TRUE(Source.isFirstOnLine(Where));
  EXPECT_FALSE(Source.isLastOnLine(Where));
  EXPECT_EQ(offset(Source.lineStart(Where)), 7);
  const clang::SourceLocation Next = Source.nextLineStart(Where);
  EXPECT_EQ(offset(Next), 22);
  EXPECT_TRUE(Source.isBlankLine(Next));
  EXPECT_EQ(offset(Source.nextLineStart(Source.nextLineStart(Next))), -1);
}

TEST_F(SourceTextTest, KnowsLineEndings) {
  EXPECT_EQ(read("@int a;\r\nint b;\r\n").lineEnding(Where), "\r\n");
  EXPECT_EQ(read("@int a;\nint b;\r\n").lineEnding(Where), "\n");
}

TEST_F(SourceTextTest, FindsTokens) {
  SourceText Source = read("int @value = 1;");
  EXPECT_EQ(offset(Source.afterToken(Where)), 9);
  EXPECT_EQ(offset(Source.afterNextToken(Where)), 11);
}

TEST_F(SourceTextTest, FindsComments) {
  SourceText Source = read("int a;\n// one\n// two\n@int b;\n");
  EXPECT_EQ(offset(Source.beforeComments(Where)), 7);
  SourceText Behind = read("int a;@ // one\nint b;\n");
  EXPECT_EQ(offset(Behind.afterTrailingComment(Where)), 13);
}

TEST_F(SourceTextTest, CountsDirectives) {
  SourceText Source = read("int a;\n#if 1\nint b;\n#endif\n@int c;\n");
  EXPECT_EQ(Source.countDirectives(Start, Where), 2u);
  EXPECT_FALSE(Source.hasDirectiveBetween(Where, Where));
}

/// The conditions around a place: `if`, or `branch` where there is another one.
class ConditionsTest : public SourceTextTest {
protected:
  std::vector<std::string> around(std::string Text) {
    std::vector<std::string> Result;
    for (const auto &C : read(std::move(Text)).conditionsAround(Where))
      Result.push_back(C.hasOtherBranch() ? "branch" : "if");
    return Result;
  }
  using Strings = std::vector<std::string>;
};

TEST_F(ConditionsTest, AreFoundAround) {
  EXPECT_EQ(
      around("int a;\n#if 1\n#ifndef B\n@int b;\n#endif\n#else\n#endif\n"),
      Strings({"branch", "if"}));
  EXPECT_EQ(around("#if 1\n#else\n#endif\n@int a;\n#if 1\n#endif\n"),
            Strings());
  EXPECT_EQ(around("#if 1\n@int a;\n#else\n#endif"), Strings({"branch"}));
}

TEST_F(ConditionsTest, AreDirectivesHoweverSpelled) {
  EXPECT_EQ(around("%:if 1\n@int a;\n%:else\n%:endif\n"), Strings({"branch"}));
  EXPECT_EQ(around("#i\\\nf 1\n@int a;\n#\\\nel\\\nse\n#endif\n"),
            Strings({"branch"}));
  EXPECT_EQ(around("/* a\n*/ # /* b */ if 1\n@int a;\n/**/ #else\n#endif\n"),
            Strings({"branch"}));
}

TEST_F(ConditionsTest, AreNoTextOfOthers) {
  EXPECT_EQ(around("/*\n#if 1\n*/\n@int a;\n/*\n#else\n#endif\n*/\n"),
            Strings());
  EXPECT_EQ(around("auto *A = R\"(\n#if 1\n)\";\n@int a;\nauto *B = R\"(\n"
                   "#else\n#endif\n)\";\n"),
            Strings());
  EXPECT_EQ(around("// \\\n#if 1\n@int a;\n// \\\n#endif\n"), Strings());
  EXPECT_EQ(around("#define A \\\n#if 1\n@int a;\n#define B \\\n#endif\n"),
            Strings());
  EXPECT_EQ(around("#if 1\n/*\n#endif\n*/\n@int a;\n#else\n#endif\n"),
            Strings({"branch"}));
}

TEST_F(ConditionsTest, AreNoGuards) {
  EXPECT_EQ(around("#pragma pack()\n#ifndef A\n#define A\n@int a;\n"
                   "#endif // A\n// end"),
            Strings());
  EXPECT_EQ(around("#ifndef A\n#define A\n@int a;\n#endif\nint b;\n"),
            Strings({"if"}));
  EXPECT_EQ(around("#ifndef A\n#define B\n@int a;\n#endif\n"), Strings({"if"}));
  EXPECT_EQ(around("#ifndef A\n#define @A 1\n#endif\n"), Strings({"if"}));
  EXPECT_EQ(around("#ifndef A\n#define A\n@int a;\n#else\n#endif\n"),
            Strings({"branch"}));
}

TEST_F(ConditionsTest, HoldAtBothPlaces) {
  const auto Same = [&](std::string Text) {
    const SourceText Source = read(std::move(Text));
    return Source.haveSameConditions(Start, Where);
  };
  EXPECT_TRUE(Same("int a;\n#if 1\nint b;\n#else\n#endif\n@int c;\n"));
  EXPECT_FALSE(Same("int a;\n/**/ #if 1\n@int b;\n#endif\n"));
  EXPECT_TRUE(Same("int a; /*\n#if 1\n*/\n@int b;\n"));
}

} // namespace

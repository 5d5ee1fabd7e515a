// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/FormatEdits.h"
#include "Support.h"
#include "tool/ApplyEdits.h"
#include "tool/FileStyle.h"
#include "clang/Format/Format.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using clang::format::FormatStyle;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

namespace {

Edit edit(unsigned Offset, unsigned Length, std::string Text) {
  return {"/f.cu", Offset, Length, std::move(Text)};
}

/// An insertion in front of \p Before.
Edit before(llvm::StringRef Old, llvm::StringRef Before, std::string Text) {
  return edit(Old.find(Before), 0, std::move(Text));
}

FormatStyle styleOf(llvm::StringRef Configuration) {
  FormatStyle Style = clang::format::getLLVMStyle();
  EXPECT_FALSE(clang::format::parseConfiguration(Configuration, &Style));
  return Style;
}

/// \p Statements: texts of \p Old that are rewritten.
std::string formatted(const FormatStyle &Style, llvm::StringRef Old,
                      std::vector<Edit> Edits,
                      std::vector<llvm::StringRef> Statements = {}) {
  std::vector<clang::tooling::Range> Ranges;
  for (llvm::StringRef Each : Statements)
    Ranges.emplace_back(Old.find(Each), Each.size());
  const Layout New = layOut(Style, "/f.cu", Old, Edits, Ranges);
  for (auto [E, Text] : llvm::zip_equal(Edits, New.Insertions))
    E.Text = Text;
  Edits.insert(Edits.end(), New.OfUser.begin(), New.OfUser.end());
  return llvm::cantFail(applyEdits(Old, Edits));
}

const char Source[] = "void f(int a){\n"
                      "      g( a );\n"
                      "  h(a) ;\n"
                      "}\n";

TEST(FormatEdits, LaysOutWhatIsInserted) {
  const FormatStyle Style =
      styleOf("{BreakBeforeBraces: Allman, IndentWidth: 8}");
  EXPECT_EQ(formatted(Style, "",
                      {edit(0, 0,
                            "void k(int *p) {\n  if (*p) {\n    "
                            "q(p);\n  }\n}\n")}),
            "void k(int *p)\n"
            "{\n"
            "        if (*p)\n"
            "        {\n"
            "                q(p);\n"
            "        }\n"
            "}\n");
}

TEST(FormatEdits, LeavesTheUsersLinesAlone) {
  const FormatStyle Style = styleOf("{IndentWidth: 2}");
  EXPECT_EQ(formatted(Style, Source,
                      {before(Source, "void", "int  x ;\n"),
                       before(Source, "}", "  i( a,a );\n")}),
            "int x;\n"
            "void f(int a){\n"
            "      g( a );\n"
            "  h(a) ;\n"
            "  i(a, a);\n"
            "}\n");
}

TEST(FormatEdits, OnlyIndentsWhatMoves) {
  const std::string Old = "void f(int a){\n"
                          "  g( a,\n"
                          "    a );\n"
                          "    h( a ) ;\n"
                          "}\n";
  EXPECT_EQ(
      formatted(styleOf("{IndentWidth: 4}"), Old,
                {before(Old, "  g", "if (a) {\n  "), before(Old, "    a", "  "),
                 before(Old, "    h", "  "), before(Old, "}", "}\n")}),
      "void f(int a){\n"
      "    if (a) {\n"
      "        g( a,\n"
      "          a );\n"
      "        h( a ) ;\n"
      "    }\n"
      "}\n");
}

const char Loop[] = "void f(int n) {\n"
                    "  for (int i = first(n, n); i < n; ++i)\n"
                    "    g(i);\n"
                    "  h(n);\n"
                    "}\n";

TEST(FormatEdits, IndentsTheUsersLinesBehindWhatIsInserted) {
  EXPECT_EQ(formatted(styleOf("{}"), Loop,
                      {before(Loop, "\n    g", "\n  for (;;)")},
                      {"for (int i = "
                       "first(n, n); i < n; ++i)\n    g(i);"}),
            "void f(int n) {\n"
            "  for (int i = first(n, n); i < n; ++i)\n"
            "    for (;;)\n"
            "      g(i);\n"
            "  h(n);\n"
            "}\n");
}

TEST(FormatEdits, BreaksTheUsersLinesThatBecomeTooLong) {
  EXPECT_EQ(formatted(styleOf("{}"), Loop,
                      {before(Loop, "; i <", ", leader = first(0, n)"),
                       before(Loop, "; ++i", " || __syncthreads_or(i < n)")},
                      {"for (int i = first(n, n); i < n; ++i)\n    g(i);"}),
            "void f(int n) {\n"
            "  for (int i = first(n, n), leader = first(0, n);\n"
            "       i < n || __syncthreads_or(i < n); ++i)\n"
            "    g(i);\n"
            "  h(n);\n"
            "}\n");
}

TEST(FormatEdits, PutsBracesWhereTheStyleHasThem) {
  const std::string Old = "void f(int n) {\n"
                          "  for (;;)\n"
                          "    if (n)\n"
                          "      break;\n"
                          "}\n";
  const auto After = [&](llvm::StringRef Style) {
    return formatted(styleOf(Style), Old,
                     {edit(Old.find("break;"), 6, "{ n = 0;\nbreak; }")},
                     {"for (;;)\n    if (n)\n      break;"});
  };
  EXPECT_EQ(After("{}"), "void f(int n) {\n"
                         "  for (;;)\n"
                         "    if (n) {\n"
                         "      n = 0;\n"
                         "      break;\n"
                         "    }\n"
                         "}\n");
  EXPECT_EQ(After("{BreakBeforeBraces: Allman}"), "void f(int n) {\n"
                                                  "  for (;;)\n"
                                                  "    if (n)\n"
                                                  "    {\n"
                                                  "      n = 0;\n"
                                                  "      break;\n"
                                                  "    }\n"
                                                  "}\n");
}

TEST(FormatEdits, BreaksALineOnce) {
  const std::string Old = "void f(int n) {\n"
                          "  for (;;) g(n);\n"
                          "}\n";
  EXPECT_EQ(formatted(styleOf("{BasedOnStyle: Google}"), Old,
                      {before(Old, " g", " {"), before(Old, "\n}", "\nh(); }")},
                      {"for (;;) g(n);"}),
            "void f(int n) {\n"
            "  for (;;) {\n"
            "    g(n);\n"
            "    h();\n"
            "  }\n"
            "}\n");
}

TEST(FormatEdits, MovesTheUsersOwnBreaksAlong) {
  const std::string Old = "void f(int n) {\n"
                          "  for (;;)\n"
                          "    g( n,\n"
                          "       n );\n"
                          "}\n";
  EXPECT_EQ(formatted(styleOf("{}"), Old,
                      {before(Old, "\n    g", "\n  for (;;)")},
                      {"for (;;)\n    g( n,\n       n );"}),
            "void f(int n) {\n"
            "  for (;;)\n"
            "    for (;;)\n"
            "      g( n,\n"
            "         n );\n"
            "}\n");
}

TEST(FormatEdits, GoesOnAsItCanInStatementsOfAnotherLayout) {
  const std::string Old = "void f(int n) {\n"
                          "  for (;;)\n"
                          "      g(n);\n"
                          "}\n";
  EXPECT_EQ(formatted(styleOf("{}"), Old,
                      {before(Old, "\n      g", "\n  for (;;)")},
                      {"for (;;)\n      g(n);"}),
            "void f(int n) {\n"
            "  for (;;)\n"
            "    for (;;)\n"
            "      g(n);\n"
            "}\n");
}

TEST(FormatEdits, ChangesBlanksAlone) {
  const FormatStyle Style = styleOf(
      "{InsertBraces: true, RemoveParentheses: ReturnStatement, "
      "RemoveSemicolon: true, QualifierAlignment: Right, ReflowComments: true, "
      "ColumnLimit: 30, FixNamespaceComments: true, InsertNewlineAtEOF: true, "
      "IntegerLiteralSeparator: {Decimal: 3}, SortIncludes: CaseSensitive}");
  const std::string Text = "#include <b>\n"
                           "#include <a>\n"
                           "int f(const int *p) {\n"
                           "  if (*p)\n"
                           "    return (100000);\n"
                           "  // A comment that is longer than a line.\n"
                           "  q(\"a literal that is longer than a line\");\n"
                           "  return 0;\n"
                           "};";
  EXPECT_EQ(formatted(Style, "", {edit(0, 0, Text)}), Text);
}

TEST(FormatEdits, KnowsLaunches) {
  const FormatStyle Style = styleOf("{}");
  EXPECT_EQ(formatted(Style, "",
                      {edit(0, 0, "void f() {\nk<int><<<a,b>>>(c,  d);\n}\n")}),
            "void f() { k<int><<<a, b>>>(c, d); }\n");
}

TEST(FormatEdits, KeepsPragmasAndMacros) {
  const std::string Old = "#define M(a)  \\\n   g( a )\n";
  const std::string Text = "void f() {\n"
                           "#pragma unroll 4\n"
                           "  for (;;)\n"
                           "    M(1);\n"
                           "}\n";
  EXPECT_EQ(formatted(styleOf("{}"), Old, {edit(Old.size(), 0, Text)}),
            Old + Text);
}

TEST(FormatEdits, TellsEqualEditsApart) {
  const std::string Old = "void f() {\n"
                          "  if (a)\n"
                          "    if (b)\n"
                          "      g();\n"
                          "}\n";
  const unsigned End = Old.find("\n}");
  EXPECT_EQ(
      formatted(styleOf("{}"), Old,
                {before(Old, "\n    if", " {"), before(Old, "\n      g", " {"),
                 edit(End, 0, "\n}"), edit(End, 0, "\n}")}),
      "void f() {\n"
      "  if (a) {\n"
      "    if (b) {\n"
      "      g();\n"
      "    }\n"
      "  }\n"
      "}\n");
}

TEST(FormatEdits, KeepsLineEndings) {
  EXPECT_EQ(formatted(styleOf("{}"), "int a;\r\nint b;\r\n",
                      {edit(8, 0, "void f() {\r\ng( );\r\nh( );\r\n}\r\n")}),
            "int a;\r\nvoid f() {\r\n  g();\r\n  h();\r\n}\r\nint b;\r\n");
}

TEST(FormatEdits, LeavesWhatIsBeyondTheFormatter) {
  const std::string Text = "void f( { (;\n}}\n";
  EXPECT_EQ(formatted(styleOf("{}"), "", {edit(0, 0, Text)}), Text);
}

/// A report of one finding that inserts \p Text in \p Path.
Report reportOf(const std::string &Path, std::string Text) {
  Report R;
  Finding F;
  F.Outcome = Verdict::Rewrite;
  F.Edits = {{Path, 0, 0, std::move(Text)}};
  R.Findings = {F};
  R.Texts.add(Path, "int a;\n");
  return R;
}

/// What formatEdits makes of the insertion, and the problem it has.
std::pair<std::string, std::string> inserted(const std::string &Path) {
  Report R = reportOf(Path, "int  b ;\n");
  std::string Problem;
  formatEdits(R, [&](llvm::StringRef File, llvm::StringRef Text) {
    EXPECT_EQ(File, Path);
    Problem = Text.str();
  });
  return {R.Findings.front().Edits.front().Text, Problem};
}

TEST(FormatEdits, TakesTheStyleBesideTheFile) {
  TemporaryFolder Folder;
  const std::string File = Folder.write("sub/a.cu", "int a;\n");
  EXPECT_THAT(inserted(File), Pair("int b;\n", "")); // the file's own
  Folder.write(".clang-format", "DisableFormat: true\n");
  EXPECT_THAT(inserted(File), Pair("int  b ;\n", ""));
  Folder.write(".clang-format", "BasedOnStyle: LLVM\nOfTomorrow: yes\n");
  EXPECT_THAT(inserted(File), Pair("int b;\n", ""));
  Folder.write("sub/.clang-format", "DisableFormat: true\n");
  EXPECT_THAT(inserted(File), Pair("int  b ;\n", ""));
  Folder.write("sub/.clang-format", "IndentWidth: [\n");
  EXPECT_THAT(inserted(File),
              Pair("int  b ;\n", HasSubstr("sub/.clang-format")));
}

TEST(FormatEdits, TakesTheStyleOfTheFileItself) {
  const char New[] = "void k(int *p) {\n  if (*p) {\n    q(p);\n  }\n}\n";
  const auto After = [&](llvm::StringRef Text) {
    return formatted(styleOfText(Text), "", {edit(0, 0, New)});
  };
  EXPECT_EQ(After(""), New);
  EXPECT_EQ(
      After("int f(int a)\n{\n    if(a)\n    {\n        return 1;\n    }\n}\n"),
      "void k(int *p)\n{\n    if(*p)\n    {\n        q(p);\n    }\n}\n");
  EXPECT_EQ(After("int f(int* a)\n{\n\tif (a) {\n\t\treturn 1;\n\t}\n}\n"),
            "void k(int *p)\n{\n\tif (*p) {\n\t\tq(p);\n\t}\n}\n");
}

TEST(FormatEdits, KeepsTheLimitOfTheFilesLines) {
  const std::string Long = "void function(" + std::string(80, 'a') + ");\n";
  EXPECT_EQ(styleOfText("").ColumnLimit, 80u);
  EXPECT_EQ(styleOfText(Long).ColumnLimit, 100u);
  EXPECT_EQ(styleOfText(std::string(300, 'a') + "\n").ColumnLimit, 120u);
  std::string Many = Long;
  for (int I = 0; I < 60; ++I)
    Many += "int a;\n";
  EXPECT_EQ(styleOfText(Many).ColumnLimit, 80u);
}

TEST(FormatEdits, GivesSharedEditsOneText) {
  TemporaryFolder Folder;
  Folder.write(".clang-format", "BasedOnStyle: LLVM\n");
  const std::string File = Folder.write("a.cu", "int a;\n");
  Report R = reportOf(File, "int  b ;\n");
  R.Findings.front().Edits.front().WithOthers = Edit::Meeting::Shared;
  R.Findings.push_back(R.Findings.front());
  // Another finding's, which does not apply.
  R.Findings.push_back(R.Findings.front());
  R.Findings.back().Outcome = Verdict::NotProfitable;
  formatEdits(R, [](llvm::StringRef, llvm::StringRef) {});
  std::vector<std::string> Texts;
  for (const Finding &F : R.Findings)
    Texts.push_back(F.Edits.front().Text);
  EXPECT_THAT(Texts, ElementsAre("int b;\n", "int b;\n", "int  b ;\n"));
  EXPECT_EQ(editsToApply(R.Findings).at(File).size(), 1u);
}

} // namespace

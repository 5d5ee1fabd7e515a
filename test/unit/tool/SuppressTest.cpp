// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Suppress.h"
#include "Support.h"
#include "clang-tidy/NoLintDirectiveHandler.h"
#include "tool/Names.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Tooling/Core/Diagnostic.h"
#include "gmock/gmock.h"
#include <random>

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

constexpr llvm::StringLiteral File = "/s.cu";

Finding findingAt(llvm::StringRef Text, unsigned Offset,
                  llvm::StringRef Rule = "artificial-barrier") {
  Finding F = makeFinding(Verdict::Rewrite, File.str(), Offset);
  F.Where = placeAt(File.str(), Text, Offset);
  F.Rule = Rule;
  return F;
}

Report reportOf(llvm::StringRef Text, std::vector<Finding> Findings) {
  Report R;
  R.Rules = {"artificial-barrier", "grid-barrier"};
  R.Texts.add(File, Text);
  R.Findings = std::move(Findings);
  suppressByComments(R);
  return R;
}

/// Whether a finding at the `@` of \p Text is silenced.
bool silenced(llvm::StringRef Text,
              llvm::StringRef Rule = "artificial-barrier") {
  unsigned At = Text.find('@');
  return reportOf(Text, {findingAt(Text, At, Rule)})
      .Findings[0]
      .Silenced.has_value();
}

TEST(Suppress, AtAPart) {
  const llvm::StringRef Text = "@\na\n{ // NOLINT\nb\n";
  const auto Silenced = [&](unsigned Part) {
    Finding F = findingAt(Text, 0);
    F.Parts = {placeAt(File.str(), Text, 2), placeAt(File.str(), Text, Part)};
    return reportOf(Text, {F}).Findings[0].Silenced.has_value();
  };
  EXPECT_TRUE(Silenced(Text.find('{')));
  EXPECT_FALSE(Silenced(Text.find('b')));
}

TEST(Suppress, OnTheLineItself) {
  EXPECT_TRUE(silenced("@ // NOLINT"));
  EXPECT_TRUE(silenced("@ // NOLINT(barricade-artificial-barrier): measured"));
  EXPECT_TRUE(silenced("/* NOLINT(other, barricade-*) */ @"));
  EXPECT_FALSE(
      silenced("@ // NOLINT(barricade-artificial-barrier)", "grid-barrier"));
  EXPECT_FALSE(silenced("@ // NOLINT()"));
  EXPECT_FALSE(silenced("@ // NOLINT(-barricade-*)"));
  EXPECT_FALSE(silenced("@ // NOLINTED"));
  EXPECT_FALSE(silenced("// NOLINT\n@"));
  EXPECT_FALSE(silenced("@\n// NOLINT"));
}

TEST(Suppress, OnTheNextLine) {
  EXPECT_TRUE(silenced("// NOLINTNEXTLINE(barricade-*)\n@"));
  EXPECT_TRUE(silenced("// NOLINTNEXTLINE\r\n  @\r\n"));
  EXPECT_FALSE(silenced("// NOLINTNEXTLINE\n\n@"));
  EXPECT_FALSE(silenced("@ // NOLINTNEXTLINE"));
}

TEST(Suppress, InBlocks) {
  EXPECT_TRUE(silenced("// NOLINTBEGIN\n\n@\n// NOLINTEND\n"));
  EXPECT_TRUE(silenced("NOLINTBEGIN(barricade-*)\nNOLINTBEGIN(x)\nNOLINTEND(x)"
                       "@NOLINTEND( barricade-* )"));
  EXPECT_FALSE(silenced("NOLINTBEGIN\n@\n"));
  EXPECT_FALSE(silenced("NOLINTBEGIN(barricade-*)\n@\nNOLINTEND\n"));
  EXPECT_FALSE(silenced("NOLINTBEGIN NOLINTEND\n@\n"));
}

TEST(Suppress, KeepsTheVerdictAndTheEdits) {
  llvm::StringRef Text = "for // NOLINT";
  Finding F = findingAt(Text, 0);
  F.Edits = {{File.str(), 0, 0, "x"}};
  Report R = reportOf(Text, {F});
  EXPECT_EQ(R.Findings[0].Outcome, Verdict::Rewrite);
  EXPECT_EQ(standing(R.Findings[0]), Standing::Suppressed);
  EXPECT_EQ(R.Findings[0].Silenced->Where.Offset, 7u);
  EXPECT_EQ(R.Findings[0].Silenced->Where.Column, 8u);
  EXPECT_TRUE(editsToApply(R.Findings).empty());
}

// --- Comments that suppress nothing -----------------------------------------

/// `line: text` of each complaint on \p Text, with findings at every `@`.
std::vector<std::string> complaints(llvm::StringRef Text,
                                    std::vector<std::string> Ran = {
                                        "artificial-barrier", "grid-barrier"}) {
  std::vector<Finding> Findings;
  for (size_t At = Text.find('@'); At != llvm::StringRef::npos;
       At = Text.find('@', At + 1))
    Findings.push_back(findingAt(Text, At));
  Report R = reportOf(Text, std::move(Findings));
  R.Rules = std::move(Ran);
  std::vector<std::string> Result;
  for (const Note &N :
       unusedSuppressions(R, {"artificial-barrier", "grid-barrier"}))
    Result.push_back(std::to_string(N.Where.Line) + ": " + N.Text);
  return Result;
}

TEST(UnusedSuppressions, AreThoseThatSilenceNothing) {
  EXPECT_THAT(complaints("@ // NOLINT(barricade-artificial-barrier)\n"
                         "x // NOLINT(barricade-artificial-barrier)\n"
                         "@ // NOLINT(barricade-grid-*, other)\n"),
              ElementsAre("2: nothing here is found that "
                          "'barricade-artificial-barrier' suppresses",
                          "3: nothing here is found that "
                          "'barricade-grid-*' suppresses"));
}

TEST(UnusedSuppressions, OtherToolsCommentsAreNotJudged) {
  EXPECT_THAT(complaints("// NOLINT\n// NOLINT(*)\n// NOLINT(bugprone-*)\n"
                         "// NOLINTBEGIN(misc-x)\n"),
              IsEmpty());
}

TEST(UnusedSuppressions, RulesThatDidNotRunAreNotJudged) {
  llvm::StringRef Text = "// NOLINT(barricade-grid-barrier)\n"
                         "// NOLINT(barricade-*)\n";
  EXPECT_THAT(complaints(Text, {"artificial-barrier"}), IsEmpty());
  EXPECT_THAT(complaints(Text), testing::SizeIs(2));
}

TEST(UnusedSuppressions, NameRulesThatDoNotExist) {
  EXPECT_THAT(complaints("@ // NOLINT(barricade-artifical-barrier)\n"),
              ElementsAre("1: there is no rule 'barricade-artifical-barrier' "
                          "to suppress"));
}

TEST(UnusedSuppressions, BlocksNeedBothEnds) {
  EXPECT_THAT(complaints("NOLINTBEGIN(barricade-*)\n@\nNOLINTEND(barricade-*)"),
              IsEmpty());
  EXPECT_THAT(
      complaints("NOLINTBEGIN(barricade-*)\n@\nNOLINTEND(barricade-a)\n"),
      ElementsAre("1: this NOLINTBEGIN has no NOLINTEND with the same list and "
                  "suppresses nothing",
                  "3: this NOLINTEND has no NOLINTBEGIN with the same list"));
}

// --- The same as clang-tidy
// ---------------------------------------------------

/// Asks clang-tidy's own handler about one diagnostic.
class TidyJudge : public clang::DiagnosticConsumer {
public:
  explicit TidyJudge(llvm::StringRef Text)
      : Engine(clang::DiagnosticIDs::create(), Options, this,
               /*ShouldOwnClient=*/false),
        FM({}, llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>()),
        SM(Engine, FM) {
    clang::FileEntryRef File = FM.getVirtualFileRef("s.cu", Text.size(), 0);
    SM.overrideFileContents(File,
                            llvm::MemoryBuffer::getMemBuffer(Text, "s.cu"));
    Main = SM.createFileID(File, {}, clang::SrcMgr::C_User);
    SM.setMainFileID(Main);
    Id = Engine.getCustomDiagID(clang::DiagnosticsEngine::Warning, "found");
  }

  bool suppresses(unsigned Offset, llvm::StringRef Check) {
    Name = Check;
    Engine.Report(SM.getLocForStartOfFile(Main).getLocWithOffset(Offset), Id);
    return Suppressed;
  }

private:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override {
    llvm::SmallVector<clang::tooling::Diagnostic, 1> Errors;
    Suppressed = Handler.shouldSuppress(Level, Info, Name, Errors,
                                        /*AllowIO=*/true,
                                        /*EnableNoLintBlocks=*/true);
  }

  clang::DiagnosticOptions Options;
  clang::DiagnosticsEngine Engine;
  clang::FileManager FM;
  clang::SourceManager SM;
  clang::tidy::NoLintDirectiveHandler Handler;
  clang::FileID Main;
  unsigned Id = 0;
  std::string Name;
  bool Suppressed = false;
};

std::string randomText(std::mt19937 &Random) {
  static constexpr llvm::StringLiteral Words[] = {
      "NOLINT",
      "NOLINT(",
      "NOLINTNEXTLINE",
      "NOLINTNEXTLINE(",
      "NOLINTBEGIN",
      "NOLINTBEGIN(barricade-*)",
      "NOLINTEND(barricade-*)",
      "NOLINTBEGIN(barricade-grid-barrier)",
      "NOLINTEND( barricade-grid-barrier )",
      "NOLINTEND",
      "NOLINTEND(*)",
      "(",
      ")",
      ")",
      ",",
      " ",
      "-",
      "*",
      "barricade-artificial-barrier",
      "barricade-grid-barrier",
      "barricade-*-barrier",
      "-barricade-*",
      "[a",
      "?",
      "\n",
      "\n",
      "\n",
      "\r\n",
      "for"};
  std::string Text;
  for (unsigned Length = Random() % 40; Length; --Length)
    Text += Words[Random() % std::size(Words)];
  return Text;
}

TEST(Suppress, AgreesWithClangTidy) {
  std::mt19937 Random(8);
  unsigned Asked = 0, Suppressed = 0;
  for (unsigned Round = 0; Round < 3000; ++Round) {
    const std::string Text = randomText(Random);
    TidyJudge Tidy(Text);
    for (unsigned Offset = 0; Offset < Text.size(); Offset += 7)
      for (const char *Rule : {"artificial-barrier", "grid-barrier"}) {
        bool Ours = reportOf(Text, {findingAt(Text, Offset, Rule)})
                        .Findings[0]
                        .Silenced.has_value();
        ASSERT_EQ(Ours, Tidy.suppresses(Offset, diagnosticName(Rule)))
            << Rule << " at " << Offset << " of\n"
            << Text;
        ++Asked;
        Suppressed += Ours;
      }
  }
  // Both answers occur often, or the comparison says little.
  EXPECT_GT(Suppressed, Asked / 10);
  EXPECT_LT(Suppressed, Asked * 9 / 10);
}

} // namespace

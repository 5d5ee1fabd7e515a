// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Select.h"
#include "Support.h"
#include "llvm/ADT/StringSwitch.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

class NamedRule : public Rule {
public:
  explicit NamedRule(llvm::StringRef Id) : Id(Id) {}
  std::optional<LoopForm> loopForm() const override {
    return llvm::StringSwitch<std::optional<LoopForm>>(Id)
        .Case("grid-barrier", LoopForm::Persistent)
        .Case("launch-overlap", LoopForm::Overlap)
        .Case("launch-replay", LoopForm::Replay)
        .Default(std::nullopt);
  }
  llvm::StringRef id() const override { return Id; }
  llvm::StringRef summary() const override { return "a rule"; }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return {}; }
  void run(const Program &, const RuleOptions &,
           std::vector<Finding> &) const override {}

private:
  llvm::StringRef Id;
};

std::string selected(llvm::StringRef Globs, LoopForm Form = LoopForm::Auto) {
  std::vector<std::unique_ptr<Rule>> Rules;
  for (llvm::StringRef Id :
       {"artificial-barrier", "grid-barrier", "launch-fusion", "launch-overlap",
        "launch-replay"})
    Rules.push_back(std::make_unique<NamedRule>(Id));
  auto Selected = selectRules(Globs, Form, Rules);
  if (!Selected)
    return llvm::toString(Selected.takeError());
  std::string Result;
  for (const Rule *R : *Selected)
    Result += (R->id() + " ").str();
  return Result;
}

TEST(SelectRules, TheLastMatchDecides) {
  EXPECT_EQ(selected("*"), "artificial-barrier grid-barrier launch-fusion "
                           "launch-overlap launch-replay ");
  EXPECT_EQ(selected("*-barrier"), "artificial-barrier grid-barrier ");
  EXPECT_EQ(selected("*,-grid*,-launch-[or]*"),
            "artificial-barrier launch-fusion ");
  EXPECT_EQ(selected("-*, grid-barrier"), "grid-barrier ");
}

TEST(SelectRules, AFormLeavesTheRulesOfOthersOut) {
  EXPECT_EQ(selected("", LoopForm::Auto),
            "artificial-barrier grid-barrier launch-fusion launch-overlap "
            "launch-replay ");
  EXPECT_EQ(selected("", LoopForm::Persistent),
            "artificial-barrier grid-barrier launch-fusion ");
  EXPECT_EQ(selected("", LoopForm::Overlap),
            "artificial-barrier launch-fusion launch-overlap ");
  EXPECT_EQ(selected("-artificial*", LoopForm::None), "launch-fusion ");
  EXPECT_EQ(selected("*", LoopForm::Replay),
            "artificial-barrier launch-fusion launch-replay ");
  EXPECT_EQ(selected("grid-barrier", LoopForm::Replay),
            "--rules=grid-barrier selects no rule with this --loop-form; see "
            "barricade --list-rules");
}

TEST(SelectRules, LaunchesAreReplayedWhereThatRuleRuns) {
  const NamedRule Grid("grid-barrier"), Replay("launch-replay");
  EXPECT_FALSE(optionsWith({}, {&Grid}).Replays);
  EXPECT_TRUE(optionsWith({}, {&Grid, &Replay}).Replays);
}

TEST(SelectRules, SomethingMustBeLeft) {
  EXPECT_THAT(selected("no-such"), HasSubstr("selects no rule"));
  EXPECT_THAT(selected("[a"), HasSubstr("'[a' is not a glob"));
}

/// A project with a source that includes a header, and a header elsewhere.
struct SelectFindings : testing::Test {
  TemporaryFolder Project, Elsewhere;
  std::string Source = Project.write("src/a.cu", "");
  std::string Header = Project.write("include/k.cuh", "");
  std::string Foreign = Elsewhere.write("cub.cuh", "");
  Options Opts;
  Report R;

  SelectFindings() {
    Opts.ProjectRoot = Project.path();
    addFile(Source, FileReport::State::Analysed);
  }

  FileReport &addFile(const std::string &Path, FileReport::State Outcome) {
    FileReport File;
    File.Name = File.Path = Path;
    File.Outcome = Outcome;
    File.MayIncludeMore = false;
    R.Files.push_back(File);
    return R.Files.back();
  }

  void select(Report &Among) {
    holdBackHeaders(Among, Opts);
    selectFindings(Among, Opts);
  }

  void find(const std::string &File, unsigned Line = 1) {
    R.Findings.push_back(makeFinding(Verdict::Rewrite, File, Line * 10,
                                     {{File, Line * 10, 0, "x"}}));
    R.Findings.back().Where.Line = Line;
  }
};

TEST_F(SelectFindings, SourcesAreEdited) {
  find(Source);
  select(R);
  EXPECT_EQ(standing(R.Findings.at(0)), Standing::Applies);
}

TEST_F(SelectFindings, HeadersAreHeldBack) {
  find(Header);
  select(R);
  ASSERT_THAT(R.Findings, SizeIs(1));
  EXPECT_EQ(standing(R.Findings[0]), Standing::HeldBack);
  EXPECT_THAT(R.Findings[0].Reasons,
              ElementsAre(Field(&Reason::Id, "header-not-selected")));
}

TEST_F(SelectFindings, SelectedHeadersAreEdited) {
  find(Header);
  Opts.HeaderGlobs = {"other/*", "include/*.cuh"};
  select(R);
  EXPECT_EQ(standing(R.Findings.at(0)), Standing::Applies);
}

TEST_F(SelectFindings, OtherHeadersAreNot) {
  find(Header);
  Opts.HeaderGlobs = {"other/*"};
  select(R);
  EXPECT_EQ(standing(R.Findings.at(0)), Standing::HeldBack);
}

TEST_F(SelectFindings, NamedHeadersAreInputs) {
  find(Header);
  addFile(Header, FileReport::State::Analysed);
  select(R);
  EXPECT_EQ(standing(R.Findings.at(0)), Standing::Applies);
}

TEST_F(SelectFindings, AHeaderThatAnUnreadSourceIncludesIsHeldBack) {
  find(Header);
  addFile(Project.write("src/b.cu", ""), FileReport::State::NotParsed)
      .UserFiles = {Header};
  Opts.HeaderGlobs = {"*"};
  select(R);
  EXPECT_THAT(R.Findings.at(0).Reasons,
              ElementsAre(Field(&Reason::Id, "not-read-everywhere")));
}

TEST_F(SelectFindings, AnUnreadSourceHoldsNoOtherHeaderBack) {
  find(Header);
  find(Source);
  addFile(Project.write("src/b.cu", ""), FileReport::State::NotParsed)
      .UserFiles = {Project.write("include/other.cuh", "")};
  Opts.HeaderGlobs = {"*"};
  select(R);
  EXPECT_EQ(standing(R.Findings.at(0)), Standing::Applies);
  EXPECT_EQ(standing(R.Findings.at(1)), Standing::Applies);
}

TEST_F(SelectFindings, ASourceReadInPartMayIncludeAnyHeader) {
  find(Header);
  find(Source);
  addFile(Project.write("src/b.cu", ""), FileReport::State::Crashed)
      .MayIncludeMore = true;
  Opts.HeaderGlobs = {"*"};
  select(R);
  EXPECT_EQ(standing(R.Findings.at(0)), Standing::HeldBack);
  EXPECT_EQ(standing(R.Findings.at(1)), Standing::Applies);
}

TEST_F(SelectFindings, ASourceThatAnUnreadOneIncludesIsHeldBack) {
  find(Source);
  addFile(Project.write("src/b.cu", ""), FileReport::State::NotParsed)
      .UserFiles = {Source};
  select(R);
  EXPECT_EQ(standing(R.Findings.at(0)), Standing::HeldBack);
}

TEST_F(SelectFindings, ForeignHeadersAreCountedOnly) {
  find(Foreign);
  find(Source);
  Opts.HeaderGlobs = {"*"};
  select(R);
  EXPECT_THAT(R.Findings, SizeIs(1));
  EXPECT_EQ(R.OutsideProject, 1u);
}

TEST_F(SelectFindings, AnEditOfAForeignHeaderHoldsBack) {
  find(Source);
  R.Findings[0].Edits.push_back({Foreign, 0, 0, "x"});
  Opts.HeaderGlobs = {"*"};
  select(R);
  EXPECT_EQ(standing(R.Findings.at(0)), Standing::HeldBack);
}

TEST_F(SelectFindings, ByFunctionPlainOrQualified) {
  find(Source);
  for (const char *Glob : {"kernel", "space::kernel", "space::*", "ker*"}) {
    Report Copy = R;
    Opts.KernelGlobs = {"nothing", Glob};
    select(Copy);
    EXPECT_THAT(Copy.Findings, SizeIs(1)) << Glob;
  }
  Opts.KernelGlobs = {"space"};
  select(R);
  EXPECT_THAT(R.Findings, IsEmpty());
}

TEST_F(SelectFindings, ByLines) {
  for (unsigned Line : {2, 3, 5, 6})
    find(Source, Line);
  find(Header, 4);
  Opts.Lines = {{Source, 3, 5}};
  select(R);
  ASSERT_THAT(R.Findings, SizeIs(2));
  EXPECT_EQ(R.Findings[0].Where.Line, 3u);
  EXPECT_EQ(R.Findings[1].Where.Line, 5u);
}

} // namespace

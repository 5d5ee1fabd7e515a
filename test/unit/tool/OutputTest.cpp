// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Output.h"
#include "Support.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

constexpr llvm::StringLiteral Source = "__global__ void k(int *a) {\n"
                                       "\tfor (;;)\n"
                                       "  /* \xC3\xBC */ a[0] = 1;\n"
                                       "}\n";

/// One finding that applies, one refused, in a file outside of any folder.
Report sampleReport() {
  Report R;
  FileReport File;
  File.Name = "s.cu";
  File.Path = "/none/s.cu";
  File.Outcome = FileReport::State::Analysed;
  File.Origin = "nvcc's defaults";
  R.Files = {File};
  R.Rules = {"artificial-barrier"};
  R.Texts.add(File.Path, Source);

  Finding Applies =
      makeFinding(Verdict::Rewrite, File.Path, 29, {{File.Path, 61, 0, "x\n"}});
  Applies.Where = placeAt(File.Path, Source, 29);
  Applies.Message = "loop gains";
  Applies.Facts = {{"instructions", int64_t(12), ""},
                   {"memory-ratio", 0.25, ""},
                   {"uniform", true, ""},
                   {"form", std::string("uniform"), ""},
                   {"stride", int64_t(4), "elements"}};
  Applies.Accesses = {{placeAt(File.Path, Source, 49), "store", "global", "a",
                       4, "tid.x", "coalesced", "1"}};

  Finding Refused = makeFinding(Verdict::Refused, File.Path, 49);
  Refused.Where = placeAt(File.Path, Source, 49);
  Refused.Message = "loop stays";
  Refused.Reasons = {makeReason("divergent-loop", File.Path, 49)};
  Refused.Reasons[0].Where = placeAt(File.Path, Source, 49);
  Refused.Reasons[0].Text = "depends on the thread";
  Refused.Reasons[0].Notes = {{placeAt(File.Path, Source, 0), "from here"}};
  R.Findings = {Applies, Refused};
  return R;
}

std::string printed(const Output &O, const Report &R) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  O.print(R, OS);
  return Result;
}

TEST(DiagnosticsOutput, ShowsWhatAppliesWithACaret) {
  EXPECT_EQ(printed(*makeDiagnosticsOutput(false, false), sampleReport()),
            "/none/s.cu:2:2: warning: loop gains "
            "[barricade-artificial-barrier]\n"
            "    2 |         for (;;)\n"
            "      |         ^\n");
}

TEST(DiagnosticsOutput, ExplainsTheRest) {
  std::string Text =
      printed(*makeDiagnosticsOutput(true, false), sampleReport());
  EXPECT_THAT(Text, HasSubstr("/none/s.cu:3:12: remark: loop stays "
                              "[barricade-artificial-barrier]\n"
                              "    3 |   /* \xC3\xBC */ a[0] = 1;\n"
                              "      |           ^\n"));
  EXPECT_THAT(Text, HasSubstr("/none/s.cu:3:12: note: depends on the thread "
                              "[divergent-loop]\n"));
  EXPECT_THAT(Text, HasSubstr("/none/s.cu:1:1: note: from here\n"));
  EXPECT_THAT(Text,
              HasSubstr("note: instructions 12, memory-ratio 0.250, "
                        "uniform yes, form uniform, stride 4 elements\n"));
  EXPECT_THAT(Text, HasSubstr("note: store of 4 bytes, global 'a', index "
                              "tid.x, coalesced, loop stride 1\n"));
}

TEST(DiagnosticsOutput, SaysWhyAFindingIsHeldBack) {
  Report R = sampleReport();
  R.Findings[0].Reasons = {makeReason("header-not-selected", "/none/s.cu", 29)};
  EXPECT_THAT(printed(*makeDiagnosticsOutput(false, false), R),
              HasSubstr("note: text [header-not-selected]\n"));
}

TEST(DiagnosticsOutput, TellsOfAFaultUnasked) {
  Report R = sampleReport();
  R.Findings[1].Outcome = Verdict::Fault;
  putFaultsFirst(R);
  std::string Text = printed(*makeDiagnosticsOutput(false, false), R);
  EXPECT_THAT(Text, StartsWith("/none/s.cu:3:12: error: loop stays "));
  EXPECT_THAT(Text, HasSubstr("note: depends on the thread [divergent-loop]"));
  EXPECT_THAT(printed(*makeSummaryOutput("to rewrite", false), R),
              HasSubstr("2 findings in 1 file: 1 at fault, 1 to rewrite\n"));
}

TEST(DiagnosticsOutput, ColorsWhereAsked) {
  EXPECT_THAT(printed(*makeDiagnosticsOutput(false, false), sampleReport()),
              Not(HasSubstr("\x1b[")));
  EXPECT_THAT(printed(*makeDiagnosticsOutput(false, true), sampleReport()),
              HasSubstr("\x1b["));
}

TEST(DiagnosticsOutput, ManagesWithoutTheText) {
  Report R = sampleReport();
  R.Texts = {};
  EXPECT_EQ(printed(*makeDiagnosticsOutput(false, false), R),
            "/none/s.cu:2:2: warning: loop gains "
            "[barricade-artificial-barrier]\n");
}

TEST(JsonOutput, CarriesEverything) {
  auto Root = llvm::json::parse(printed(*makeJsonOutput(), sampleReport()));
  ASSERT_TRUE(bool(Root)) << llvm::toString(Root.takeError());
  // The text of the sample's report in the schema's words.
  auto Want = llvm::json::parse(R"({
    "rule": "artificial-barrier", "verdict": "rewrite", "applies": true,
    "place": {"file": "/none/s.cu", "offset": 29, "line": 2, "column": 2},
    "end": {"file": "/none/s.cu", "offset": 29, "line": 1, "column": 30},
    "function": "space::kernel", "subject": "for loop", "form": "",
    "message": "loop gains", "fingerprint": "", "measured": [],
    "facts": {"instructions": {"value": 12, "unit": ""},
              "memory-ratio": {"value": 0.25, "unit": ""},
              "uniform": {"value": true, "unit": ""},
              "form": {"value": "uniform", "unit": ""},
              "stride": {"value": 4, "unit": "elements"}},
    "accesses": [{
      "place": {"file": "/none/s.cu", "offset": 49, "line": 3, "column": 12},
      "kind": "store", "space": "global", "base": "a", "width-bytes": 4,
      "index": "tid.x", "locality": "coalesced", "loop-stride": "1"}],
    "reasons": [],
    "edits": [{"file": "/none/s.cu", "offset": 61, "length": 0,
               "text": "x\n"}],
    "suppressions": []})");
  ASSERT_TRUE(bool(Want)) << llvm::toString(Want.takeError());
  const llvm::json::Object &Object = *Root->getAsObject();
  const llvm::json::Array &Findings = *Object.getArray("findings");
  ASSERT_EQ(Findings.size(), 2u);
  EXPECT_EQ(llvm::formatv("{0:2}", Findings[0]).str(),
            llvm::formatv("{0:2}", *Want).str());

  const llvm::json::Object &Refused = *Findings[1].getAsObject();
  EXPECT_EQ(*Refused.getString("verdict"), "refused");
  EXPECT_EQ(*Refused.getBoolean("applies"), false);
  const auto &Why = *(*Refused.getArray("reasons"))[0].getAsObject();
  EXPECT_EQ(*Why.getString("id"), "divergent-loop");
  EXPECT_EQ(*(*Why.getArray("notes"))[0].getAsObject()->getString("text"),
            "from here");

  EXPECT_EQ(*Object.getInteger("schema-version"), 1);
  const llvm::json::Object &Summary = *Object.getObject("summary");
  EXPECT_EQ(*Summary.getInteger("applies"), 1);
  EXPECT_EQ(*Summary.getInteger("refused"), 1);
  EXPECT_EQ(*Summary.getObject("reasons")->getInteger("divergent-loop"), 1);
}

TEST(JsonOutput, IsUtf8WhateverTheSource) {
  Report R = sampleReport();
  R.Findings[0].Accesses[0].Base = "\xFF";
  auto Root = llvm::json::parse(printed(*makeJsonOutput(), R));
  EXPECT_TRUE(bool(Root)) << llvm::toString(Root.takeError());
}

TEST(FixesOutput, HoldsWhatAppliesOnly) {
  std::string Text = printed(*makeFixesOutput(), sampleReport());
  EXPECT_THAT(Text, HasSubstr("MainSourceFile:  '/none/s.cu'"));
  EXPECT_THAT(Text, HasSubstr("DiagnosticName:  barricade-artificial-barrier"));
  EXPECT_THAT(Text, HasSubstr("Offset:          61"));
  EXPECT_THAT(Text, HasSubstr("ReplacementText: \"x\\n\""));
  EXPECT_THAT(Text, Not(HasSubstr("loop stays")));
}

TEST(FixesOutput, JoinsEditsOfOnePlace) {
  Report R = sampleReport();
  R.Findings[0].Edits = {{"/none/s.cu", 61, 0, "1"},
                         {"/none/s.cu", 61, 2, "3"},
                         {"/none/s.cu", 61, 0, "2"}};
  std::string Text = printed(*makeFixesOutput(), R);
  EXPECT_THAT(Text, HasSubstr("ReplacementText: '123'"));
  EXPECT_THAT(Text, HasSubstr("Length:          2"));
}

/// A fault beside what applies.
Report faultyReport() {
  Report R = sampleReport();
  R.Findings[1].Outcome = Verdict::Fault;
  R.Findings[1].Message = "100% wrong,\nall: of it";
  R.Fingerprints[R.Findings[1].key()] = "f1";
  putFaultsFirst(R);
  return R;
}

TEST(GithubOutput, AnnotatesWhatIsToldOf) {
  EXPECT_EQ(
      printed(*makeGithubOutput("/none"), faultyReport()),
      "::error file=s.cu,line=3,col=12,title=barricade-artificial-barrier"
      "::100%25 wrong,%0Aall: of it%0A/none/s.cu:3: depends on the thread "
      "[divergent-loop]%0A  /none/s.cu:1: from here\n"
      "::warning file=s.cu,line=2,col=2,title=barricade-artificial-barrier"
      "::loop gains\n");
  EXPECT_EQ(llvm::StringRef(printed(*makeGithubOutput("/none"), sampleReport()))
                .count("::warning "),
            1u);
}

TEST(GitlabOutput, ListsWhatIsToldOf) {
  auto Issues =
      llvm::json::parse(printed(*makeGitlabOutput("/none"), faultyReport()));
  ASSERT_TRUE(bool(Issues)) << llvm::toString(Issues.takeError());
  const llvm::json::Array &All = *Issues->getAsArray();
  ASSERT_EQ(All.size(), 2u);
  auto Want = llvm::json::parse(R"({
    "description": "100% wrong,\nall: of it",
    "check_name": "barricade-artificial-barrier",
    "fingerprint": "f1", "severity": "critical",
    "location": {"path": "s.cu", "lines": {"begin": 3}}})");
  ASSERT_TRUE(bool(Want)) << llvm::toString(Want.takeError());
  EXPECT_EQ(All[0], *Want);
  EXPECT_EQ(All[1].getAsObject()->getString("severity"), "minor");
}

TEST(JUnitOutput, HasACaseForEachFinding) {
  Report R = faultyReport();
  R.Files.push_back({});
  R.Files[1].Path = "/none/clean.cu";
  R.Files[1].Outcome = FileReport::State::Analysed;
  R.Files.push_back({});
  R.Files[2].Path = "/none/bad.cu";
  R.Files[2].Outcome = FileReport::State::NotParsed;
  R.Files[2].Diagnostics = "error: <\n";
  auto Fails = [](const Finding &F) { return F.Outcome == Verdict::Fault; };
  EXPECT_EQ(printed(*makeJUnitOutput(Fails), R),
            R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="barricade">
<testsuite name="/none/clean.cu" tests="1" failures="0" errors="0">
  <testcase classname="/none/clean.cu" name="barricade"></testcase></testsuite>
<testsuite name="/none/s.cu" tests="2" failures="1" errors="0">
  <testcase classname="/none/s.cu" name="barricade-artificial-barrier:3"><failure message="100% wrong,
all: of it" type="barricade-artificial-barrier">/none/s.cu:3:12: 100% wrong,
all: of it
/none/s.cu:3: depends on the thread [divergent-loop]
  /none/s.cu:1: from here</failure></testcase>
  <testcase classname="/none/s.cu" name="barricade-artificial-barrier:2"><system-out>/none/s.cu:2:2: loop gains</system-out></testcase></testsuite>
<testsuite name="/none/bad.cu" tests="1" failures="0" errors="1">
  <testcase classname="/none/bad.cu" name="barricade"><error message="does not parse" type="not-analysed">error: &lt;
</error></testcase></testsuite></testsuites>
)");
}

TEST(HtmlOutput, ShowsFilesWithFaultsFirst) {
  Report R = sampleReport();
  R.Findings.push_back(makeFinding(Verdict::Fault, "/none/t.cu", 0));
  R.Texts.add("/none/t.cu", Source);
  putFaultsFirst(R);
  const std::string Page = printed(*makeHtmlOutput({}, "to rewrite"), R);
  EXPECT_LT(Page.find("<h2>/none/t.cu"), Page.find("<h2>/none/s.cu"));
}

TEST(StatisticsOutput, CountsByRuleStandingAndReason) {
  Report R = sampleReport();
  R.Rules.push_back("grid-barrier");
  R.Findings.push_back(R.Findings[1]);
  R.Findings[2].Reasons.push_back(makeReason("early-exit", "/none/s.cu", 9));
  EXPECT_EQ(printed(*makeStatisticsOutput(), R),
            "artificial-barrier:\n"
            "       1 to rewrite\n"
            "       2 refused\n"
            "             2 divergent-loop\n"
            "             1 early-exit\n"
            "grid-barrier:\n");
}

TEST(SummaryOutput, CountsByStandingAndReason) {
  Report R = sampleReport();
  R.Findings.push_back(R.Findings[1]);
  R.Findings[2].Reasons.push_back(makeReason("early-exit", "/none/s.cu", 9));
  R.Findings[2].Reasons.push_back(makeReason("early-exit", "/none/s.cu", 3));
  R.OutsideProject = 1;
  EXPECT_EQ(printed(*makeSummaryOutput("to rewrite", false), R),
            "3 findings in 1 file: 1 to rewrite, 2 refused\n"
            "reasons: 2 divergent-loop, 1 early-exit (--explain shows them)\n"
            "1 finding in headers outside of the project\n");
}

TEST(SummaryOutput, SaysWhenThereIsNothing) {
  Report R = sampleReport();
  R.Findings.clear();
  R.Files.push_back({});
  R.Files[1].Path = "/none/t.cu";
  R.Files[1].Outcome = FileReport::State::NotParsed;
  EXPECT_EQ(printed(*makeSummaryOutput("to rewrite", false), R),
            "0 findings in 2 files\n1 file does not parse: /none/t.cu\n");
}

} // namespace

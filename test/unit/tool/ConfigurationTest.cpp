// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Configuration.h"
#include "Support.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// What \p Text makes of the defaults.
Options read(llvm::StringRef Text, bool Trusted = true) {
  Options Opts;
  auto Result = readConfiguration("/p/.barricade.yaml", Text, Trusted, Opts);
  EXPECT_TRUE(bool(Result)) << llvm::toString(Result.takeError());
  return Opts;
}

std::string fault(llvm::StringRef Text, bool Trusted = true) {
  Options Opts;
  auto Result = readConfiguration("/p/.barricade.yaml", Text, Trusted, Opts);
  return Result ? "no error" : llvm::toString(Result.takeError());
}

std::string printed(const Options &Opts) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  printConfiguration(Opts, OS);
  return Result;
}

TEST(Configuration, SetsOptions) {
  Options Opts = read("min-instructions: 8\n"
                      "rules: '*,-grid-*'\n"
                      "kernel: [ a*, 'b::c' ]\n"
                      "lines:\n  - src/a.cu:3-9\n"
                      "cuda-gpu-arch: [ sm_80, sm_90 ]\n"
                      "compile-flags: [ nvcc, -arch=sm_90 ]\n"
                      "color: never\n"
                      "explain: true\n");
  EXPECT_EQ(Opts.Rules.MinInstructions, 8u);
  EXPECT_EQ(Opts.RuleGlobs, "*,-grid-*");
  EXPECT_THAT(Opts.KernelGlobs, ElementsAre("a*", "b::c"));
  EXPECT_THAT(Opts.Lines, ElementsAre(LineRange{"/p/src/a.cu", 3, 9}));
  EXPECT_THAT(Opts.GpuArchs, ElementsAre(80u, 90u));
  EXPECT_TRUE(Opts.HasFlags);
  EXPECT_THAT(Opts.Flags, ElementsAre("nvcc", "-arch=sm_90"));
  EXPECT_EQ(Opts.Color, ColorMode::Never);
  EXPECT_TRUE(Opts.Explain);
}

TEST(Configuration, NothingIsNoMistake) {
  const std::string Defaults = printed(Options());
  EXPECT_EQ(printed(read("")), Defaults);
  EXPECT_EQ(printed(read("# later\n")), Defaults);
  EXPECT_EQ(printed(read("{}")), Defaults);
}

TEST(Configuration, PathsStartAtItsFolder) {
  EXPECT_EQ(read("build-dir: ../build").BuildDir, "/build");
  EXPECT_EQ(read("cuda-path: /cuda").CudaPath, "/cuda");
  EXPECT_EQ(read("json: out.json").JsonFile, "/p/out.json");
  EXPECT_EQ(read("json: '-'").JsonFile, "-");
}

TEST(Configuration, ShowsMistakesWithACaret) {
  EXPECT_EQ(fault("explain: true\nmin-instruction: 8\n"),
            "the configuration cannot be used\n"
            "/p/.barricade.yaml:2:1: error: unknown key 'min-instruction'\n"
            "min-instruction: 8\n"
            "^~~~~~~~~~~~~~~");
  EXPECT_THAT(fault("barrier-interval: 0"),
              HasSubstr(":1:19: error: expected a number of at least 1\n"
                        "barrier-interval: 0\n"
                        "                  ^"));
  for (auto [Text, Message] :
       {std::pair("min-instructions: many", "invalid number"),
        std::pair("min-memory-ratio: 1.5", "from 0 to 1"),
        std::pair("min-memory-ratio: nan", "from 0 to 1"),
        std::pair("kernel: [ '[' ]", "not a glob"),
        std::pair("lines: [ a.cu ]", "FILE:A-B"),
        std::pair("cuda-gpu-arch: [ native ]", "sm_NN"),
        std::pair("explain: perhaps", "invalid boolean"),
        std::pair("color: pink", "unknown enumerated scalar"),
        std::pair("explain: true\nexplain: false", "duplicated mapping key"),
        std::pair("- explain", "not a mapping"),
        std::pair("explain: [", "error: "),
        std::pair("dry-run: true\nin-place: true", "exclude each other")})
    EXPECT_THAT(fault(Text), HasSubstr(Message)) << Text;
}

TEST(Configuration, OnlyANamedOneMayAskForFilesToBeWritten) {
  for (const char *Text :
       {"in-place: true", "output-dir: out", "variants: v", "json: f",
        "sarif: f", "write-baseline: f", "export-fixes: f"}) {
    EXPECT_THAT(fault(Text, /*Trusted=*/false), HasSubstr("--config")) << Text;
    EXPECT_EQ(fault(Text, /*Trusted=*/true), "no error") << Text;
  }
  EXPECT_EQ(fault("in-place: false", /*Trusted=*/false), "no error");
}

TEST(Configuration, PrintsWhatItReads) {
  Options Opts = read("in-place: true\nkernel: [ 'a: b', '*' ]\n"
                      "lines: [ a.cu:3-4 ]\nmin-memory-ratio: 0.25\n"
                      "cuda-gpu-arch: [ sm_90 ]\ncompile-flags: [ -DX=1 ]\n"
                      "edit-headers: [ '*.cuh' ]\njobs: 3\n");
  EXPECT_EQ(printed(read(printed(Opts))), printed(Opts));
  EXPECT_EQ(printed(read(printed(Options()))), printed(Options()));
  EXPECT_NE(printed(Opts), printed(Options()));
  EXPECT_THAT(printed(Opts), HasSubstr("inherit:         false"));
}

/// Those that ask something of barricade itself, or choose a configuration.
bool isQuestion(llvm::StringRef Option) {
  return llvm::is_contained({"help", "version", "list-rules", "print-command",
                             "config", "no-config", "dump-config", "dump",
                             "lsp"},
                            Option);
}

TEST(Configuration, SetsEveryOption) {
  std::string Help;
  llvm::raw_string_ostream OS(Help);
  printHelp(OS);
  Options Opts;
  Opts.HasFlags = true;
  const std::string All = printed(Opts);
  unsigned Options = 0;
  for (llvm::StringRef Line : llvm::split(Help, '\n')) {
    llvm::SmallVector<llvm::StringRef> Match;
    if (!llvm::Regex("^  --([a-z-]+)").match(Line, &Match) ||
        isQuestion(Match[1]))
      continue;
    ++Options;
    EXPECT_THAT(All, HasSubstr(("\n" + Match[1] + ":").str()));
  }
  EXPECT_GT(Options, 10u);
}

// --- Files in folders
// ---------------------------------------------------------

struct SettingsTest : testing::Test {
  TemporaryFolder Folder;

  Settings settings(std::vector<const char *> Args) {
    return Settings(llvm::cantFail(CommandLine::parse(Args)));
  }
  Options optionsFor(llvm::StringRef File,
                     std::vector<const char *> Args = {"a.cu"}) {
    Settings S = settings(std::move(Args));
    auto Opts = S.optionsFor(Folder / File);
    if (Opts)
      return *Opts;
    ADD_FAILURE() << llvm::toString(Opts.takeError());
    return {};
  }
};

TEST_F(SettingsTest, NearerFilesWinKeyByKey) {
  Folder.write(".barricade.yaml", "min-instructions: 8\nkernel: [ a, b ]\n"
                                  "rules: 'artificial-*'\n");
  Folder.write("sub/.barricade.yaml", "min-instructions: 9\nkernel: [ c ]\n");
  Options Sub = optionsFor("sub/deeper/a.cu");
  EXPECT_EQ(Sub.Rules.MinInstructions, 9u);
  EXPECT_THAT(Sub.KernelGlobs, ElementsAre("c"));
  EXPECT_EQ(Sub.RuleGlobs, "artificial-*");
  EXPECT_EQ(optionsFor("other/a.cu").Rules.MinInstructions, 8u);
}

TEST_F(SettingsTest, InheritFalseHidesWhatIsAbove) {
  Folder.write(".barricade.yaml", "min-instructions: 8\n");
  Folder.write("sub/.barricade.yaml", "inherit: false\nexplain: true\n");
  EXPECT_EQ(optionsFor("sub/a.cu").Rules.MinInstructions,
            RuleOptions().MinInstructions);
}

TEST_F(SettingsTest, TheCommandLineWins) {
  Folder.write(".barricade.yaml",
               "min-instructions: 8\nkernel: [ a ]\nedit-headers: [ x ]\n"
               "dry-run: true\nbuild-dir: b\nno-toolkit: true\n");
  Options Opts = optionsFor("a.cu", {"--min-instructions=5", "--kernel=k",
                                     "--edit-headers", "--in-place",
                                     "--cuda-path=/cuda", "a.cu", "--", "-g"});
  EXPECT_EQ(Opts.Rules.MinInstructions, 5u);
  EXPECT_THAT(Opts.KernelGlobs, ElementsAre("k"));
  EXPECT_THAT(Opts.HeaderGlobs, ElementsAre("*"));
  EXPECT_EQ(Opts.Act, Options::Action::InPlace);
  EXPECT_THAT(Opts.BuildDir, IsEmpty());
  EXPECT_THAT(Opts.Flags, ElementsAre("-g"));
  EXPECT_FALSE(Opts.NoToolkit);
  EXPECT_EQ(optionsFor("a.cu").Act, Options::Action::DryRun);
}

TEST_F(SettingsTest, OneFileCanBeNamedOrAllBeLeftOut) {
  Folder.write(".barricade.yaml", "min-instructions: 8\n");
  std::string Other =
      Folder.write("other.yaml", "min-instructions: 9\njson: out.json\n");
  Options Named = optionsFor("a.cu", {"--config", Other.c_str(), "a.cu"});
  EXPECT_EQ(Named.Rules.MinInstructions, 9u);
  EXPECT_EQ(Named.JsonFile, Folder / "out.json");
  EXPECT_EQ(optionsFor("a.cu", {"--no-config", "a.cu"}).Rules.MinInstructions,
            RuleOptions().MinInstructions);
}

TEST_F(SettingsTest, FilesOfOneRunMayDifferInHowTheyAreJudged) {
  Folder.write("a/.barricade.yaml", "min-instructions: 8\n");
  Folder.write("b/.barricade.yaml", "rules: 'grid-*'\n");
  Settings S = settings({"x.cu"});
  EXPECT_TRUE(bool(S.optionsForRun({Folder / "a/x.cu", Folder / "b/x.cu"})));
  Folder.write("c/.barricade.yaml", "explain: true\n");
  auto Differ = S.optionsForRun({Folder / "a/x.cu", Folder / "c/x.cu"});
  ASSERT_FALSE(bool(Differ));
  EXPECT_THAT(llvm::toString(Differ.takeError()),
              HasSubstr("differ in options that hold for a whole run"));
}

TEST_F(SettingsTest, AMissingFileIsAnError) {
  Settings S = settings({"--config=none.yaml", "a.cu"});
  auto Opts = S.optionsFor(Folder / "a.cu");
  ASSERT_FALSE(bool(Opts));
  EXPECT_THAT(llvm::toString(Opts.takeError()),
              HasSubstr("cannot read 'none.yaml'"));
}

} // namespace

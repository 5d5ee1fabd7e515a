// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Options.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace barricade;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

Options parsed(std::vector<const char *> Args) {
  auto Result = parseOptions(Args);
  if (!Result) {
    ADD_FAILURE() << llvm::toString(Result.takeError());
    return {};
  }
  return *Result;
}

std::string failure(std::vector<const char *> Args) {
  auto Result = parseOptions(Args);
  return Result ? "no error" : llvm::toString(Result.takeError());
}

TEST(Options, EmptyValuesAreNone) {
  for (const char *Arg : {"--json=", "--gpu=", "--rules=", "--lines="})
    EXPECT_THAT(failure({Arg, "a.cu"}), HasSubstr(" needs a value; see "))
        << Arg;
  EXPECT_THAT(failure({"-p", "", "a.cu"}), StartsWith("-p needs a value"));
}

TEST(Options, FailsOnFaultsUnlessToldOtherwise) {
  EXPECT_EQ(parsed({"a.cu"}).Failing, FailOn::Fault);
  EXPECT_EQ(parsed({"--fail-on=rewrite", "a.cu"}).Failing, FailOn::Rewrite);
  EXPECT_EQ(parsed({"--fail-on", "never", "a.cu"}).Failing, FailOn::Never);
  EXPECT_THAT(failure({"--fail-on=all", "a.cu"}),
              HasSubstr("expected fault, rewrite or never"));
}

TEST(Options, SayWhatIsKnownOfTheProgram) {
  EXPECT_EQ(parsed({"--index=p.index", "a.cu"}).IndexFile, "p.index");
  EXPECT_EQ(parsed({"--index", "p.index", "a.cu"}).IndexFile, "p.index");
  EXPECT_FALSE(parsed({"--index=p.index", "a.cu"}).ClosedWorld);
  EXPECT_TRUE(parsed({"--closed-world", "a.cu"}).ClosedWorld);
  EXPECT_TRUE(parsed({"--other-programs", "a.cu"}).OtherPrograms);
}

TEST(Options, Defaults) {
  Options Opts = parsed({"a.cu"});
  EXPECT_THAT(Opts.Files, ElementsAre("a.cu"));
  EXPECT_EQ(Opts.Act, Options::Action::Show);
  EXPECT_EQ(Opts.RuleGlobs, "");
  EXPECT_EQ(Opts.Color, ColorMode::Auto);
  EXPECT_FALSE(Opts.HasFlags);
  EXPECT_FALSE(Opts.stdoutTaken());
}

TEST(Options, ReadsValuesInBothForms) {
  EXPECT_EQ(parsed({"--min-instructions=7", "a.cu"}).Rules.MinInstructions, 7u);
  EXPECT_EQ(parsed({"--min-instructions", "7", "a.cu"}).Rules.MinInstructions,
            7u);
  EXPECT_EQ(parsed({"--barrier-interval=8", "a.cu"}).Rules.BarrierInterval, 8u);
  EXPECT_EQ(parsed({"--min-memory-ratio=0.5", "a.cu"}).Rules.MinMemoryRatio,
            0.5);
  EXPECT_EQ(parsed({"-p", "b", "a.cu"}).BuildDir, "b");
  EXPECT_EQ(parsed({"-pb", "a.cu"}).BuildDir, "b");
  EXPECT_EQ(parsed({"-j3", "a.cu"}).Jobs, 3u);
  EXPECT_EQ(parsed({"a.cu", "-j", "3"}).Jobs, 3u);
}

TEST(Options, LeavesFlagsAfterDashDashAlone) {
  Options Opts = parsed({"a.cu", "--", "--dry-run", "-j", "--"});
  EXPECT_TRUE(Opts.HasFlags);
  EXPECT_THAT(Opts.Flags, ElementsAre("--dry-run", "-j", "--"));
  EXPECT_EQ(Opts.Act, Options::Action::Show);
  EXPECT_TRUE(parsed({"a.cu", "--"}).HasFlags);
}

TEST(Options, ReadsLineRanges) {
  EXPECT_THAT(
      parsed({"--lines=d/a.cu:3-9", "--lines=C:\\b.cu:4", "a.cu"}).Lines,
      ElementsAre(LineRange{"d/a.cu", 3, 9}, LineRange{"C:\\b.cu", 4, 4}));
  for (const char *Bad :
       {"--lines=a.cu", "--lines=a.cu:", "--lines=a.cu:0-3", "--lines=a.cu:5-3",
        "--lines=:1-2", "--lines=a.cu:1-", "--lines=a.cu:1-2x"})
    EXPECT_THAT(failure({Bad, "a.cu"}), HasSubstr("--lines: expected FILE:A-B"))
        << Bad;
}

TEST(Options, ReadsArchitectures) {
  EXPECT_THAT(
      parsed({"--cuda-gpu-arch=sm_90,sm_75", "--cuda-gpu-arch=sm_90", "a.cu"})
          .GpuArchs,
      ElementsAre(75u, 90u));
  EXPECT_THAT(failure({"--cuda-gpu-arch=native", "a.cu"}),
              HasSubstr("expected sm_NN"));
}

TEST(Options, EditHeadersTakesAGlobOrNone) {
  EXPECT_THAT(parsed({"a.cu"}).HeaderGlobs, ElementsAre());
  EXPECT_THAT(parsed({"--edit-headers", "a.cu"}).HeaderGlobs, ElementsAre("*"));
  EXPECT_THAT(parsed({"--edit-headers=src/*.cuh", "a.cu"}).HeaderGlobs,
              ElementsAre("src/*.cuh"));
}

TEST(Options, RefusesBadNumbers) {
  for (const char *Bad :
       {"--min-instructions=-1", "--min-instructions=x", "--barrier-interval=0",
        "--min-memory-ratio=1.5", "--min-memory-ratio=-0.1",
        "--min-memory-ratio=nan", "-j0", "-jmany"})
    EXPECT_THAT(failure({Bad, "a.cu"}), HasSubstr("is not valid for -")) << Bad;
}

TEST(Options, RefusesBadGlobsAndColors) {
  EXPECT_THAT(failure({"--kernel=[", "a.cu"}), HasSubstr("--kernel: expected"));
  EXPECT_THAT(failure({"--color=pink", "a.cu"}),
              HasSubstr("always, never or auto"));
}

TEST(Options, RefusesTheUnknown) {
  EXPECT_THAT(
      failure({"--dryrun", "a.cu"}),
      StartsWith("unknown option '--dryrun', did you mean '--dry-run'?"));
  EXPECT_THAT(failure({"--completely-else", "a.cu"}),
              StartsWith("unknown option '--completely-else';"));
  // What later versions may bring must not pass silently now.
  EXPECT_THAT(failure({"--profile=f", "a.cu"}), StartsWith("unknown option"));
}

TEST(Options, LanguageServerGetsItsFilesFromTheEditor) {
  Options Opts = parsed({"--lsp", "-p", "build", "--explain"});
  EXPECT_EQ(Opts.Act, Options::Action::LanguageServer);
  EXPECT_EQ(Opts.BuildDir, "build");
  EXPECT_THAT(failure({"--lsp", "a.cu"}), StartsWith("--lsp takes no files"));
  EXPECT_THAT(failure({"--lsp", "--in-place"}),
              HasSubstr("exclude each other"));
  EXPECT_THAT(failure({"--lsp", "--json=f"}),
              StartsWith("there is nothing to report"));
}

TEST(Options, RefusesMissingValuesAndInputs) {
  EXPECT_THAT(failure({"a.cu", "--json"}), StartsWith("--json needs a value"));
  EXPECT_THAT(failure({}), StartsWith("no input files"));
  EXPECT_THAT(failure({"--dry-run", "--", "a.cu"}),
              StartsWith("no input files"));
}

TEST(Options, RefusesContradictions) {
  EXPECT_THAT(failure({"--dry-run", "--in-place", "a.cu"}),
              StartsWith("--dry-run and --in-place exclude each other"));
  EXPECT_THAT(failure({"--in-place", "--output-dir=d", "a.cu"}),
              StartsWith("--in-place and --output-dir exclude each other"));
  EXPECT_THAT(failure({"-p", "b", "a.cu", "--", "-g"}),
              StartsWith("-p and flags after --"));
  EXPECT_THAT(failure({"--no-toolkit", "--cuda-path=/c", "a.cu"}),
              StartsWith("--no-toolkit and --cuda-path"));
  EXPECT_THAT(failure({"--dump=uses", "--dry-run", "a.cu"}),
              HasSubstr("exclude each other"));
  EXPECT_THAT(failure({"--dump=no-fact", "a.cu"}),
              HasSubstr("expected barrier-plans, "));
  EXPECT_THAT(failure({"--print-command", "--json=f", "a.cu"}),
              StartsWith("there is nothing to report"));
  EXPECT_THAT(failure({"--output-dir=", "a.cu"}),
              HasSubstr("--output-dir needs a value"));
}

TEST(Options, StandardOutputIsOneThing) {
  EXPECT_THAT(failure({"--dry-run", "--json=-", "a.cu"}),
              StartsWith("--dry-run and --json=- both want"));
  EXPECT_THAT(failure({"--export-fixes=-", "--json=-", "a.cu"}),
              HasSubstr("both want to write to standard output"));
  EXPECT_TRUE(parsed({"--json=-", "a.cu"}).stdoutTaken());
  EXPECT_TRUE(parsed({"--dry-run", "--json=f", "a.cu"}).stdoutTaken());
}

TEST(Options, HelpAndVersionWinOverAll) {
  EXPECT_EQ(parsed({"--help"}).Act, Options::Action::Help);
  EXPECT_EQ(parsed({"-h", "--dry-run"}).Act, Options::Action::Help);
  EXPECT_EQ(parsed({"--version"}).Act, Options::Action::Version);
}

TEST(Options, HelpNamesEveryOption) {
  std::string Help;
  llvm::raw_string_ostream OS(Help);
  printHelp(OS);
  for (const char *Name : {"-p <dir>",
                           "-j <N>",
                           "--rules=",
                           "--explain",
                           "--kernel=",
                           "--lines=",
                           "--edit-headers",
                           "--edit-headers=",
                           "--project-root=",
                           "--dry-run",
                           "--in-place",
                           "--output-dir=",
                           "--json=",
                           "--export-fixes=",
                           "--min-instructions=",
                           "--min-memory-ratio=",
                           "--barrier-interval=",
                           "--cuda-path=",
                           "--cuda-gpu-arch=",
                           "--no-toolkit",
                           "--print-command",
                           "--color=",
                           "--quiet",
                           "--list-rules",
                           "--version",
                           "EXIT CODE",
                           "101"})
    EXPECT_THAT(Help, HasSubstr(Name));
}

} // namespace

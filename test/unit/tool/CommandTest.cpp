// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command from its arguments to its exit code, with a rule that says of
// every function named `edit_*` that a comment should go into its body. It is a
// bad rule where the name goes on: `edit_bad*` gets what does not compile,
// `edit_warned*` what compilers warn of, `edit_again*` a comment every time.

#include "tool/Command.h"
#include "Support.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Program.h"
#include "gmock/gmock.h"
#include <unistd.h>

using namespace barricade;
using namespace barricade::test;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {

class CommentRule : public Rule {
public:
  llvm::StringRef id() const override { return "comment"; }
  llvm::StringRef summary() const override { return "puts a comment"; }
  llvm::ArrayRef<ReasonInfo> reasons() const override {
    static constexpr ReasonInfo Infos[] = {{"not-here", "never here"}};
    return Infos;
  }

  void run(const Program &P, const RuleOptions &,
           std::vector<Finding> &Findings) const override {
    clang::ASTContext &Context = *P.host()->Context;
    for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls())
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D))
        if (F->getIdentifier() && F->doesThisDeclarationHaveABody())
          visit(*F, Context.getSourceManager(), Findings);
  }

private:
  static void visit(const clang::FunctionDecl &F, clang::SourceManager &SM,
                    std::vector<Finding> &Findings) {
    if (F.getName() == "crash")
      std::abort();
    const bool IsLate = F.getName().starts_with("late_");
    const bool Edits =
        F.getName().starts_with("edit_") ||
        (IsLate && SM.getBufferData(SM.getMainFileID()).contains("{/**/"));
    if (!Edits && !IsLate && !F.getName().starts_with("refuse_"))
      return;
    Place Where = place(F.getLocation(), SM);
    Place Body = place(F.getBody()->getBeginLoc(), SM);
    const llvm::StringRef Text = F.getName().starts_with("edit_bad") ? "/**/?"
                                 : F.getName().starts_with("edit_warned")
                                     ? "/**/int unused;"
                                     : "/**/";
    if (llvm::StringRef(SM.getCharacterData(F.getBody()->getBeginLoc()))
            .starts_with("{/**/") &&
        !F.getName().starts_with("edit_again"))
      return;
    Finding Result = makeFinding(Edits ? Verdict::Rewrite : Verdict::Refused,
                                 Where.File, Where.Offset);
    Result.Rule = "comment";
    Result.Where = Where;
    Result.Function = F.getNameAsString();
    if (Edits)
      Result.Edits = {{Body.File, Body.Offset + 1, 0, Text.str()}};
    else
      Result.Reasons = {{"not-here", Where, "not here", {}}};
    Findings.push_back(std::move(Result));
  }

  static Place place(clang::SourceLocation Loc, clang::SourceManager &SM) {
    auto [File, Offset] = SM.getDecomposedLoc(Loc);
    return {SM.getFileEntryRefForID(File)
                ->getFileEntry()
                .tryGetRealPathName()
                .str(),
            Offset, SM.getLineNumber(File, Offset),
            SM.getColumnNumber(File, Offset)};
  }
};

struct Outcome {
  int Code;
  std::string Out, Err;
};

/// Runs the command in \p Folder on plain C++, which parses fast.
struct CommandRun : testing::Test {
  TemporaryFolder Folder;
  llvm::SmallString<128> Before;

  CommandRun() {
    llvm::sys::fs::current_path(Before);
    llvm::sys::fs::set_current_path(Folder.path());
    // The rule looks for what it wrote, blank by blank.
    Folder.write(".clang-format", "DisableFormat: true\n");
  }
  ~CommandRun() override { llvm::sys::fs::set_current_path(Before); }

  Outcome run(std::vector<const char *> Args) {
    Args.insert(Args.end(), {"--", "clang++", "-x", "c++"});
    return runExactly(Args);
  }

  Outcome runExactly(std::vector<const char *> Args) {
    std::vector<std::unique_ptr<Rule>> Rules;
    Rules.push_back(std::make_unique<CommentRule>());
    Outcome Result;
    llvm::raw_string_ostream Out(Result.Out), Err(Result.Err);
    Result.Code = static_cast<int>(runCommand(Args, Rules, Out, Err));
    return Result;
  }
};

TEST_F(CommandRun, ShowsFindingsAndChangesNothing) {
  std::string File = Folder.write("a.cu", "void edit_a() {}\n");
  Outcome O = run({"a.cu"});
  EXPECT_EQ(O.Code, 0);
  EXPECT_EQ(O.Out, "a.cu:1:6: warning: message [barricade-comment]\n"
                   "    1 | void edit_a() {}\n"
                   "      |      ^\n");
  EXPECT_EQ(O.Err, "1 finding in 1 file: 1 to rewrite\n");
  EXPECT_EQ(readFile(File), "void edit_a() {}\n");
}

TEST_F(CommandRun, DryRunPrintsTheDiffOnly) {
  Folder.write("a.cu", "void edit_a() {}");
  Outcome O = run({"--dry-run", "a.cu"});
  EXPECT_EQ(O.Code, 1);
  EXPECT_EQ(O.Out, "diff --git a/a.cu b/a.cu\n--- a/a.cu\n+++ b/a.cu\n"
                   "@@ -1 +1 @@\n"
                   "-void edit_a() {}\n\\ No newline at end of file\n"
                   "+void edit_a() {/**/}\n\\ No newline at end of file\n");
  EXPECT_THAT(O.Err, HasSubstr("a.cu:1:6: warning"));
}

TEST_F(CommandRun, WhatDoesNotStandTheChecksIsTakenBack) {
  std::string File = Folder.write("a.cu", "void edit_a() {}\n"
                                          "void edit_bad() {}\n"
                                          "void edit_again() {}\n");
  Outcome O = run({"--in-place", "a.cu"});
  EXPECT_EQ(O.Code, 0);
  EXPECT_EQ(readFile(File), "void edit_a() {/**/}\n"
                            "void edit_bad() {}\n"
                            "void edit_again() {}\n");
  EXPECT_THAT(O.Out + O.Err,
              HasSubstr("a.cu:2:6: note: the rewritten program does not "
                        "compile: expected expression (a.cu:2:22 of what would "
                        "be written) [not-verified]"));
  EXPECT_THAT(
      O.Out + O.Err,
      HasSubstr("a.cu:3:6: note: the rewritten program would be "
                "rewritten once more by comment (a.cu:3:6 of what would "
                "be written) [not-verified]"));
}

TEST_F(CommandRun, NoRewriteMayBringAnother) {
  const std::string Text = "void edit_a() {}\n"
                           "void late_b() {}\n";
  std::string File = Folder.write("a.cu", Text);
  Outcome O = run({"--in-place", "a.cu"});
  EXPECT_EQ(readFile(File), Text);
  EXPECT_THAT(O.Out + O.Err,
              HasSubstr("a.cu:1:6: note: the rewritten program would be "
                        "rewritten once more by comment (a.cu:2:6 of what "
                        "would be written) [not-verified]"));
}

TEST_F(CommandRun, NewWarningsAreErrorsWhereTheBuildSaysSo) {
  const std::string Text = "void edit_warned() { int old; }\n"
                           "void edit_a() {}\n";
  std::string File = Folder.write("a.cu", Text);
  EXPECT_EQ(runExactly({"--in-place", "a.cu", "--", "clang++", "-x", "c++",
                        "-Wall", "-Werror"})
                .Code,
            0);
  EXPECT_EQ(readFile(File), "void edit_warned() { int old; }\n"
                            "void edit_a() {/**/}\n");
  EXPECT_EQ(
      runExactly({"--in-place", "a.cu", "--", "clang++", "-x", "c++", "-Wall"})
          .Code,
      0);
  EXPECT_EQ(readFile(File), "void edit_warned() {/**/int unused; int old; }\n"
                            "void edit_a() {/**/}\n");
}

TEST_F(CommandRun, NothingIsCheckedWhereNobodyWantsIt) {
  std::string File = Folder.write("a.cu", "void edit_bad() {}\n");
  EXPECT_EQ(run({"--in-place", "--no-verify", "a.cu"}).Code, 0);
  EXPECT_EQ(readFile(File), "void edit_bad() {/**/?}\n");
}

TEST_F(CommandRun, DryRunWithoutChanges) {
  Folder.write("a.cu", "void refuse_a() {}\n");
  Outcome O = run({"--dry-run", "--explain", "a.cu"});
  EXPECT_EQ(O.Code, 0);
  EXPECT_EQ(O.Out, "");
  EXPECT_THAT(O.Err, HasSubstr("note: not here [not-here]"));
}

TEST_F(CommandRun, EditsInPlace) {
  std::string A = Folder.write("a.cu", "void edit_a() {}\r\nint \xC3\xBC;");
  std::string B = Folder.write("b.cu", "void other() {}\n");
  Outcome O = run({"--in-place", "a.cu", "b.cu"});
  EXPECT_EQ(O.Code, 0) << O.Err;
  EXPECT_EQ(readFile(A), "void edit_a() {/**/}\r\nint \xC3\xBC;");
  EXPECT_EQ(readFile(B), "void other() {}\n");
  EXPECT_THAT(O.Err, HasSubstr("1 rewritten"));
}

TEST_F(CommandRun, EditsALinkedFileOnce) {
  std::string A = Folder.write("a.cu", "void edit_a() {}\n");
  ASSERT_EQ(symlink("a.cu", (Folder / "link.cu").c_str()), 0);
  Outcome O = run({"--in-place", "link.cu", "a.cu"});
  EXPECT_EQ(O.Code, 0);
  EXPECT_EQ(readFile(A), "void edit_a() {/**/}\n");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(Folder / "link.cu"));
}

TEST_F(CommandRun, EditsAHeaderOfTwoSourcesOnce) {
  std::string Header = Folder.write("h.cuh", "inline void edit_h() {}\n");
  Folder.write("a.cu", "#include \"h.cuh\"\n");
  Folder.write("b.cu", "#include \"./h.cuh\"\n");
  Outcome O = run({"--in-place", "--edit-headers", "a.cu", "b.cu"});
  EXPECT_EQ(O.Code, 0) << O.Err;
  EXPECT_EQ(readFile(Header), "inline void edit_h() {/**/}\n");
  EXPECT_THAT(O.Err, HasSubstr("1 finding in 2 files: 1 rewritten"));
}

TEST_F(CommandRun, LeavesHeadersAloneUnlessAsked) {
  std::string Header = Folder.write("h.cuh", "inline void edit_h() {}\n");
  Folder.write("a.cu", "#include \"h.cuh\"\n");
  Outcome O = run({"--in-place", "a.cu"});
  EXPECT_EQ(O.Code, 0);
  EXPECT_EQ(readFile(Header), "inline void edit_h() {}\n");
  EXPECT_THAT(O.Out, HasSubstr("'h.cuh' is a header; --edit-headers edits it"));
  EXPECT_THAT(O.Err, HasSubstr("1 held back"));
}

TEST_F(CommandRun, ReadsANamedHeaderThroughItsSource) {
  std::string Header = Folder.write("h.cuh", "inline void edit_h() {}\n");
  std::string Source =
      Folder.write("a.cu", "#include \"h.cuh\"\nvoid edit_a() {}\n");
  Folder.write("compile_commands.json", R"([{"directory": ")" + Folder.path() +
                                            R"(", "file": "a.cu",
                      "arguments": ["clang++", "-x", "c++", "a.cu"]}])");
  Outcome O = runExactly({"--in-place", "h.cuh"});
  EXPECT_EQ(O.Code, 0) << O.Err;
  EXPECT_EQ(readFile(Header), "inline void edit_h() {/**/}\n");
  EXPECT_EQ(readFile(Source), "#include \"h.cuh\"\nvoid edit_a() {}\n");
  EXPECT_THAT(O.Err, HasSubstr("1 finding in 1 file"));
}

TEST_F(CommandRun, ReadsAWholeDatabase) {
  Folder.write("a.cu", "void edit_a() {}\n");
  Folder.write("b.cpp", "void edit_b() {}\n");
  auto Entry = [&](llvm::StringRef File) {
    return R"({"directory": ")" + Folder.path() + R"(", "file": ")" +
           File.str() + R"(", "arguments": ["clang++", "-x", "c++", ")" +
           File.str() + "\"]}";
  };
  Folder.write("build/compile_commands.json",
               "[" + Entry("a.cu") + "," + Entry("b.cpp") + "]");
  Outcome O = runExactly({"-p", "build"});
  EXPECT_EQ(O.Code, 0) << O.Err;
  EXPECT_THAT(O.Err, HasSubstr("1 finding in 1 file"));
}

TEST_F(CommandRun, WritesToAFolder) {
  Folder.write("src/a.cu", "void edit_a() {}\n");
  Folder.write("src/b.cu", "void other() {}\n");
  Outcome O = run({"--output-dir=out", "src/a.cu", "src/b.cu"});
  EXPECT_EQ(O.Code, 0) << O.Err;
  EXPECT_EQ(readFile(Folder / "out/src/a.cu"), "void edit_a() {/**/}\n");
  EXPECT_EQ(readFile(Folder / "src/a.cu"), "void edit_a() {}\n");
  EXPECT_FALSE(llvm::sys::fs::exists(Folder / "out/src/b.cu"));
}

TEST_F(CommandRun, ASourceThatDoesNotParseGetsNoEdits) {
  std::string Bad = Folder.write("bad.cu", "void edit_a() {}\nint x = y;\n");
  std::string Good = Folder.write("good.cu", "void edit_a() {}\n");
  Outcome O = run({"--in-place", "bad.cu", "good.cu"});
  EXPECT_EQ(O.Code, 3);
  EXPECT_THAT(O.Err, HasSubstr("bad.cu:2:9: error: use of undeclared "
                               "identifier 'y'\n    2 | int x = y;\n"));
  EXPECT_THAT(O.Err, HasSubstr("1 file does not parse: bad.cu\n"));
  EXPECT_EQ(readFile(Bad), "void edit_a() {}\nint x = y;\n");
  EXPECT_EQ(readFile(Good), "void edit_a() {/**/}\n");
}

TEST_F(CommandRun, AFaultInOneFileSparesTheOthers) {
  Folder.write("bad.cu", "void crash() {}\n");
  std::string Good = Folder.write("good.cu", "void edit_a() {}\n");
  llvm::CrashRecoveryContext::Enable();
  Outcome O = run({"--in-place", "-j1", "bad.cu", "good.cu"});
  llvm::CrashRecoveryContext::Disable();
  EXPECT_EQ(O.Code, 101);
  EXPECT_THAT(O.Err, HasSubstr("'bad.cu': internal error"));
  EXPECT_EQ(readFile(Good), "void edit_a() {/**/}\n");
}

TEST_F(CommandRun, UsageAndInputErrorsEndWithTwo) {
  EXPECT_EQ(runExactly({"--no-such-option"}).Code, 2);
  EXPECT_EQ(runExactly({}).Code, 2);
  Outcome Missing = run({"missing.cu"});
  EXPECT_EQ(Missing.Code, 2);
  EXPECT_EQ(Missing.Err, "barricade: error: 'missing.cu': no such file\n");
  Folder.write("a.cu", "");
  EXPECT_EQ(run({"--rules=none", "a.cu"}).Code, 2);
  EXPECT_EQ(runExactly({"-p", "nowhere", "a.cu"}).Code, 2);
  Outcome Toolkit = run({"--cuda-path=nowhere", "a.cu"});
  EXPECT_EQ(Toolkit.Code, 2);
  EXPECT_EQ(Toolkit.Err, "barricade: error: --cuda-path: 'nowhere' has no CUDA "
                         "toolkit (include/cuda.h)\n");
  Folder.write("a.o", std::string("\x7f"
                                  "ELF") +
                          std::string(100, '\0'));
  EXPECT_EQ(run({"a.o"}).Err, "barricade: error: 'a.o' is not a text\n");
}

TEST_F(CommandRun, ReadsTheSourcesOfAFolder) {
  Folder.write("src/b/b.cu", "void edit_b() {}\n");
  Folder.write("src/a.cu", "void edit_a() {}\n");
  Folder.write("src/.hidden/c.cu", "void edit_c() {}\n");
  Folder.write("src/made/CMakeCache.txt", "");
  Folder.write("src/made/d.cu", "void edit_d() {}\n");
  Folder.write("none/e.cpp", "");
  Outcome O = run({"--quiet", "src"});
  EXPECT_EQ(O.Code, 0) << O.Err;
  EXPECT_THAT(O.Out, StartsWith("src/a.cu:1:6: warning"));
  EXPECT_THAT(O.Out, HasSubstr("src/b/b.cu:1:6: warning"));
  EXPECT_THAT(O.Out, Not(HasSubstr("edit_c")));
  EXPECT_THAT(O.Out, Not(HasSubstr("edit_d")));
  EXPECT_EQ(run({"none"}).Err,
            "barricade: error: the folder 'none' has no CUDA sources\n");
}

TEST_F(CommandRun, ReadsAFolderAsItsDatabaseDoes) {
  Folder.write("src/z.cu", "#ifdef KNOWN\nvoid edit_z() {}\n#endif\n");
  Folder.write("src/a.cu", "#ifdef KNOWN\nvoid edit_a() {}\n#endif\n");
  Folder.write("src/other.cu", "void edit_other() {}\n");
  Folder.write("src/.barricade.yaml", "quiet: true\n");
  auto Entry = [&](llvm::StringRef File) {
    return R"({"directory": ")" + Folder.path() +
           R"(/build", "file": "../src/)" + File.str() +
           R"(", "arguments": ["clang++", "-x", "c++", )" +
           R"("-DKNOWN", "../src/)" + File.str() + "\"]}";
  };
  Folder.write("build/compile_commands.json",
               "[" + Entry("z.cu") + "," + Entry("a.cu") + "]");
  Outcome O = runExactly({"src"});
  EXPECT_EQ(O.Code, 0) << O.Err;
  EXPECT_EQ(O.Err, "");
  EXPECT_THAT(O.Out, StartsWith("src/z.cu:2:6: warning"));
  EXPECT_THAT(O.Out, HasSubstr("src/a.cu:2:6: warning"));
  EXPECT_THAT(O.Out, Not(HasSubstr("other")));
}

TEST_F(CommandRun, SaysByWhatItReadsAFile) {
  Folder.write("src/known.cu", "void edit_a() {}\n");
  Folder.write("src/near.cu", "void edit_b() {}\n");
  Folder.write("src/bad.cu", "#include \"mine.h\"\n");
  Outcome Alone = runExactly({"src/bad.cu", "--no-toolkit"});
  EXPECT_EQ(Alone.Code, 3);
  EXPECT_THAT(Alone.Err,
              HasSubstr("note: 'src/bad.cu': compile command: nvcc's "
                        "defaults; there is no compile_commands.json"));
  EXPECT_THAT(Alone.Err, HasSubstr("note: -p DIR names the build's folder"));

  Folder.write("build/compile_commands.json",
               R"([{"directory": ")" + Folder.path() +
                   R"(/build", "file": "../src/known.cu",
                   "command": "clang++ -x c++ ../src/known.cu"}])");
  Outcome Near = runExactly({"src/near.cu"});
  EXPECT_EQ(Near.Code, 0);
  EXPECT_THAT(Near.Err, HasSubstr("note: 'src/near.cu': compile command: "));
  EXPECT_THAT(Near.Err, HasSubstr("src/known.cu' is taken\n"));
  // Named as the user calls it, not as the build's folder does.
  Outcome Bad = runExactly({"-p", "build", "src/bad.cu"});
  EXPECT_EQ(Bad.Code, 3);
  EXPECT_THAT(Bad.Err, StartsWith("src/bad.cu:1:10: fatal error: 'mine.h' file "
                                  "not found\n"));
  EXPECT_THAT(Bad.Err, Not(HasSubstr("-p DIR")));
}

TEST_F(CommandRun, TellsWhatIsAskedForInVain) {
  Folder.write("a.cu", "void edit_a() {}\n");
  Outcome O = run({"--kernel=edit_*", "--kernel=zzz", "--lines=b.cu:1-10",
                   "--lines=a.cu:1", "a.cu"});
  EXPECT_EQ(O.Code, 0);
  EXPECT_THAT(O.Err,
              StartsWith("barricade: warning: --kernel=zzz: nothing was "
                         "found in a function of this name\n"
                         "barricade: warning: --lines: 'b.cu' is not read "
                         "in this run\n1 finding"));
  Folder.write("b.cu", "void other() {}\n");
  EXPECT_THAT(run({"b.cu"}).Err,
              HasSubstr("note: 'b.cu': not compiled as CUDA"));
}

TEST_F(CommandRun, TellsOfASourceWithoutDeviceCode) {
  const std::string Words = "note: 'a.cu': has no kernel and no launch";
  Folder.write("a.cu", "void plain_a() {}\n");
  const Outcome O = runExactly({"--no-toolkit", "a.cu", "--", "nvcc"});
  EXPECT_THAT(O.Err, HasSubstr(Words));
  Folder.write("b.cu", "void plain_b() {}\n");
  EXPECT_THAT(runExactly({"--no-toolkit", "a.cu", "b.cu", "--", "nvcc"}).Err,
              Not(HasSubstr(Words)));
  Folder.write("a.cu", "#include \"k.h\"\nvoid plain_a() {}\n");
  Folder.write("k.h", "__global__ void k() {}\n");
  EXPECT_THAT(runExactly({"--no-toolkit", "a.cu", "--", "nvcc"}).Err,
              Not(HasSubstr(Words)));
}

TEST_F(CommandRun, AReadOnlyFileIsAnErrorAndStays) {
  std::string File = Folder.write("a.cu", "void edit_a() {}\n");
  ASSERT_EQ(chmod(File.c_str(), 0444), 0);
  Outcome O = run({"--in-place", "a.cu"});
  EXPECT_EQ(O.Code, 2);
  EXPECT_THAT(O.Err, HasSubstr("cannot write 'a.cu': Permission denied"));
  EXPECT_THAT(O.Err, Not(HasSubstr("rewritten")));
  EXPECT_EQ(readFile(File), "void edit_a() {}\n");
}

TEST_F(CommandRun, DoesNotDependOnTheNumberOfThreads) {
  Folder.write("a.cu", "void refuse_a() {}\nvoid edit_b() {}\n");
  Folder.write("b.cu", "void edit_c() {}\nvoid edit_b() {}\n");
  Outcome One = run({"--explain", "-j1", "a.cu", "b.cu"});
  Outcome Two = run({"--explain", "-j4", "a.cu", "b.cu"});
  EXPECT_EQ(One.Out, Two.Out);
  EXPECT_EQ(One.Err, Two.Err);
  EXPECT_LT(One.Out.find("edit_b"), One.Out.find("edit_c"));
}

TEST_F(CommandRun, JsonOnStandardOutputIsAlone) {
  Folder.write("a.cu", "void edit_a() {}\n");
  Outcome O = run({"--json=-", "a.cu"});
  EXPECT_EQ(O.Code, 0);
  auto Root = llvm::json::parse(O.Out);
  ASSERT_TRUE(bool(Root)) << llvm::toString(Root.takeError());
  EXPECT_EQ(Root->getAsObject()->getArray("findings")->size(), 1u);
  EXPECT_THAT(O.Err, HasSubstr("a.cu:1:6: warning"));
}

TEST_F(CommandRun, ExportedFixesGiveWhatInPlaceGives) {
  auto Tool = llvm::sys::findProgramByName("clang-apply-replacements-22");
  if (!Tool)
    GTEST_SKIP() << "clang-apply-replacements is not installed";
  const std::string Text = "void edit_a() {}\r\nvoid edit_b() { /*\xC3\xBC*/ }";
  std::string Header = Folder.write("h.cuh", "inline void edit_h() {}\n");
  std::string A = Folder.write("a.cu", "#include \"h.cuh\"\n" + Text);
  std::string B = Folder.write("b.cu", "#include \"./h.cuh\"\n" + Text);
  Folder.write("fixes/none", "");
  Outcome Exported =
      run({"--export-fixes=fixes/all.yaml", "--edit-headers", "a.cu", "b.cu"});
  ASSERT_EQ(Exported.Code, 0) << Exported.Err;

  auto Contents = [&] {
    return std::vector{readFile(A), readFile(B), readFile(Header)};
  };
  const std::vector<std::string> Before = Contents();
  ASSERT_EQ(llvm::sys::ExecuteAndWait(*Tool, {*Tool, Folder / "fixes"}), 0);
  const std::vector<std::string> Applied = Contents();
  Folder.write("a.cu", Before[0]);
  Folder.write("b.cu", Before[1]);
  Folder.write("h.cuh", Before[2]);
  ASSERT_EQ(run({"--in-place", "--edit-headers", "a.cu", "b.cu"}).Code, 0);
  EXPECT_EQ(Contents(), Applied);
  EXPECT_NE(Contents(), Before);
}

TEST_F(CommandRun, ReportsThatCannotBeWritten) {
  Folder.write("a.cu", "void edit_a() {}\n");
  Outcome O = run({"--json=no/such/folder.json", "a.cu"});
  EXPECT_EQ(O.Code, 2);
  EXPECT_THAT(O.Err, HasSubstr("cannot write 'no/such/folder.json'"));
}

TEST_F(CommandRun, ReadsConfigurations) {
  Folder.write("a.cu", "void refuse_a() {}\n");
  Folder.write(".barricade.yaml", "explain: true\n");
  EXPECT_THAT(run({"a.cu"}).Out, HasSubstr("note: not here [not-here]"));
  EXPECT_EQ(run({"--no-config", "a.cu"}).Out, "");
  EXPECT_THAT(runExactly({"--dump-config"}).Out,
              HasSubstr("\nexplain:         true\n"));

  Folder.write(".barricade.yaml", "explian: true\n");
  Outcome Unknown = run({"a.cu"});
  EXPECT_EQ(Unknown.Code, 2);
  EXPECT_EQ(Unknown.Err, "barricade: error: the configuration cannot be used\n"
                         ".barricade.yaml:1:1: error: unknown key 'explian'\n"
                         "explian: true\n^~~~~~~\n");
}

TEST_F(CommandRun, JudgesEachFileByItsOwnConfiguration) {
  Folder.write("a/a.cu", "void edit_a() {}\n");
  Folder.write("b/b.cu", "void edit_b() {}\n");
  Folder.write("b/.barricade.yaml", "rules: none\n");
  Outcome O = run({"a/a.cu", "b/b.cu"});
  EXPECT_EQ(O.Code, 2);
  EXPECT_THAT(O.Err, HasSubstr("--rules=none selects no rule"));
}

TEST_F(CommandRun, PrintsTheCommand) {
  Folder.write("a.cu", "");
  Outcome O = run({"--print-command", "a.cu"});
  EXPECT_EQ(O.Code, 0);
  EXPECT_THAT(O.Out, StartsWith("clang"));
  EXPECT_THAT(O.Out, HasSubstr("-fsyntax-only"));
  EXPECT_THAT(O.Err, HasSubstr("barricade: note: 'a.cu': "));
}

TEST_F(CommandRun, ListsRulesAndReasons) {
  Outcome O = runExactly({"--list-rules"});
  EXPECT_EQ(O.Code, 0);
  EXPECT_THAT(O.Out, StartsWith("comment: puts a comment\n  not-here "));
  EXPECT_THAT(O.Out, HasSubstr("  overlapping-edit "));
}

TEST_F(CommandRun, ExplainsRulesAndReasons) {
  EXPECT_EQ(runExactly({"explain", "comment"}).Out,
            "comment: puts a comment\n");
  EXPECT_EQ(runExactly({"explain", "barricade-comment", "not-here"}).Out,
            "comment: puts a comment\n`not-here` (comment)\n\nnever here\n");
  Outcome Held = runExactly({"explain", "header-not-selected"});
  EXPECT_EQ(Held.Code, 0);
  EXPECT_THAT(Held.Out, StartsWith("`header-not-selected` (any rule)\n\n```"));
  EXPECT_THAT(Held.Out, HasSubstr("--edit-headers"));
  EXPECT_THAT(Held.Out, Not(HasSubstr("not-read-everywhere")));
  Outcome Typo = runExactly({"explain", "header-not-select"});
  EXPECT_EQ(Typo.Code, 2);
  EXPECT_THAT(Typo.Err, HasSubstr("did you mean 'header-not-selected'?"));
  EXPECT_EQ(runExactly({"explain"}).Code, 2);
  EXPECT_THAT(runExactly({"explain", "--help"}).Out, StartsWith("USAGE: "));
}

TEST_F(CommandRun, CountsInPlaceOfFindings) {
  Folder.write("a.cu", "void edit_a() {}\nvoid refuse_b() {}\n");
  EXPECT_EQ(run({"--statistics", "a.cu"}).Out, "comment:\n"
                                               "       1 to rewrite\n"
                                               "       1 refused\n"
                                               "             1 not-here\n");
}

TEST_F(CommandRun, QuietSaysNoMoreThanFindings) {
  Folder.write("a.cu", "void refuse_a() {}\n");
  Outcome O = run({"--quiet", "a.cu"});
  EXPECT_EQ(O.Out, "");
  EXPECT_EQ(O.Err, "");
}

TEST_F(CommandRun, ColorsOnRequestOnly) {
  Folder.write("a.cu", "void edit_a() {}\n");
  EXPECT_THAT(run({"a.cu"}).Out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(run({"--color=always", "a.cu"}).Out, HasSubstr("\x1b["));
}

} // namespace

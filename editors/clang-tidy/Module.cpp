// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// barricade's findings as clang-tidy's: a check per rule, `barricade-<rule>`.
//
//   clang-tidy -load BarricadeClangTidy.so -checks='-*,barricade-*' kernel.cu
//
// clang-tidy parses one pass of a CUDA source; the rules need both. So the
// checks run the barricade command on the file and pass on what it says: shown
// are the findings that the command shows by itself, with its changes as fixes.
// Options of each check: `Command` (default: barricade) and `Arguments`, more
// of its options, separated by blanks, for instance `-p build`.

#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace clang;
using namespace clang::tidy;
using namespace llvm;

namespace barricade {
namespace {

/// The command's exit code for a source that does not parse.
constexpr int NotParsed = 3;

/// Runs \p Command; its standard output, or why there is none.
Expected<std::string> outputOf(ArrayRef<std::string> Command) {
  ErrorOr<std::string> Program = sys::findProgramByName(Command.front());
  if (!Program)
    return createStringError("cannot find '" + Command.front() +
                             "'; the check's option Command names it");
  SmallString<128> Out, Err;
  if (sys::fs::createTemporaryFile("barricade", "json", Out) ||
      sys::fs::createTemporaryFile("barricade", "txt", Err))
    return createStringError("cannot make a temporary file");
  FileRemover RemoveOut(Out), RemoveErr(Err);
  SmallVector<StringRef> Words(Command.begin(), Command.end());
  std::string Message;
  int Code = sys::ExecuteAndWait(
      *Program, Words, std::nullopt, {StringRef(""), Out.str(), Err.str()},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Message);
  auto Read = [](StringRef Path) -> std::string {
    auto Buffer = MemoryBuffer::getFile(Path);
    return Buffer ? (*Buffer)->getBuffer().str() : "";
  };
  if (Code < 0)
    return createStringError("cannot run '" + *Program + "': " + Message);
  std::string Report = Read(Out);
  if (Code == NotParsed || Report.empty())
    return createStringError(StringRef(Read(Err)).split('\n').first);
  return Report;
}

/// What the command says of a file.
struct Answer {
  json::Value Report = nullptr;
  std::string Error; ///< Why there is no report.
};

/// The report on \p File, made once for all checks.
const Answer &reportOn(StringRef File, StringRef Command, StringRef Arguments) {
  static StringMap<Answer> Answers;
  auto [It, IsNew] =
      Answers.try_emplace((Command + "\n" + Arguments + "\n" + File).str());
  Answer &Result = It->second;
  if (!IsNew)
    return Result;
  std::vector<std::string> Words = {Command.str(), "--json=-", "--quiet",
                                    File.str()};
  // Flags for the compiler, behind `--`, come last.
  SmallVector<StringRef> More;
  Arguments.split(More, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef Word : More)
    Words.push_back(Word.str());
  Expected<std::string> Text = outputOf(Words);
  if (!Text) {
    Result.Error = toString(Text.takeError());
    return Result;
  }
  Expected<json::Value> Report = json::parse(*Text);
  if (Report)
    Result.Report = std::move(*Report);
  else
    Result.Error = toString(Report.takeError());
  return Result;
}

class FindingsCheck : public ClangTidyCheck {
public:
  FindingsCheck(StringRef Name, ClangTidyContext *Context)
      : ClangTidyCheck(Name, Context),
        Rule(Name.substr(StringRef("barricade-").size())),
        Command(Options.get("Command", "barricade").str()),
        Arguments(Options.get("Arguments", "").str()) {}

  bool isLanguageVersionSupported(const LangOptions &Lang) const override {
    return Lang.CUDA;
  }
  void storeOptions(ClangTidyOptions::OptionMap &Opts) override {
    Options.store(Opts, "Command", Command);
    Options.store(Opts, "Arguments", Arguments);
  }
  void registerMatchers(ast_matchers::MatchFinder *Finder) override {
    Finder->addMatcher(ast_matchers::translationUnitDecl(), this);
  }

  void check(const ast_matchers::MatchFinder::MatchResult &Unit) override {
    SourceManager &SM = *Unit.SourceManager;
    auto File = SM.getFileEntryRefForID(SM.getMainFileID());
    if (!File)
      return;
    SmallString<256> Path(File->getName());
    SM.getFileManager().makeAbsolutePath(Path);
    const Answer &A = reportOn(Path, Command, Arguments);
    if (!A.Error.empty())
      configurationDiag("barricade says nothing of '%0': %1")
          << Path << A.Error;
    const json::Object *Whole = A.Report.getAsObject();
    const json::Array *Findings = Whole ? Whole->getArray("findings") : nullptr;
    if (!Findings)
      return;
    for (const json::Value &Each : *Findings)
      if (const json::Object *F = Each.getAsObject();
          F && F->getString("rule") == StringRef(Rule) &&
          F->getString("verdict") == StringRef("rewrite"))
        show(*F, SM);
  }

private:
  void show(const json::Object &F, SourceManager &SM) {
    SourceLocation Where = location(F.getObject("place"), SM);
    if (Where.isInvalid())
      return;
    {
      DiagnosticBuilder Builder =
          diag(Where, F.getString("message").value_or("").str());
      const json::Array *Edits = F.getArray("edits");
      if (Edits && F.getBoolean("applies").value_or(false))
        for (const json::Value &Edit : *Edits)
          if (const json::Object *E = Edit.getAsObject())
            addFix(*E, SM, Builder);
    }
    if (const json::Array *Reasons = F.getArray("reasons"))
      for (const json::Value &Each : *Reasons)
        if (const json::Object *Why = Each.getAsObject())
          diag(location(Why->getObject("place"), SM),
               Why->getString("text").value_or("").str(), DiagnosticIDs::Note);
  }

  static void addFix(const json::Object &E, SourceManager &SM,
                     DiagnosticBuilder &Builder) {
    SourceLocation Begin = location(&E, SM);
    if (Begin.isInvalid())
      return;
    SourceLocation End =
        Begin.getLocWithOffset(E.getInteger("length").value_or(0));
    Builder << FixItHint::CreateReplacement(
        CharSourceRange::getCharRange(Begin, End),
        E.getString("text").value_or(""));
  }

  /// The location of a `file` and an `offset`; invalid where there is none.
  static SourceLocation location(const json::Object *Place, SourceManager &SM) {
    std::optional<StringRef> Path =
        Place ? Place->getString("file") : std::nullopt;
    if (!Path)
      return {};
    auto File = SM.getFileManager().getOptionalFileRef(*Path);
    if (!File)
      return {};
    return SM.getLocForStartOfFile(SM.getOrCreateFileID(*File, SrcMgr::C_User))
        .getLocWithOffset(Place->getInteger("offset").value_or(0));
  }

  const std::string Rule;
  const std::string Command;
  const std::string Arguments;
};

class BarricadeModule : public ClangTidyModule {
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
#define RULE(Id) Factories.registerCheck<FindingsCheck>("barricade-" Id);
#include "Rules.inc"
#undef RULE
  }
};

} // namespace
} // namespace barricade

static ClangTidyModuleRegistry::Add<barricade::BarricadeModule>
    Registration("barricade-module", "Adds the findings of barricade.");

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/IndexCommands.h"
#include "tool/Paths.h"
#include "tool/UnitOrigins.h"
#include "tool/WriteFiles.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace barricade {

void printIndexHelp(raw_ostream &OS) {
  OS << "USAGE: barricade index FILE... [-o SUMMARY] [options of barricade] "
        "[-- compile flags]\n\n"
        "Reads sources as their build does, and writes what other files of the "
        "program must\nknow of them, for barricade link.\n\n"
        "  -o SUMMARY      the file to write (default: standard output)\n"
        "  --depfile=FILE  write for Make or Ninja what SUMMARY is made of\n";
}

void printLinkHelp(raw_ostream &OS) {
  OS << "USAGE: barricade link FILE... [-o INDEX]\n\n"
        "Makes the index of a program of the summaries of its files, or of "
        "indexes of its\nparts. Analyse each file with --index=INDEX then. "
        "@FILE stands for what FILE lists.\n\n"
        "  -o INDEX  the file to write (default: standard output)\n";
}

namespace {

/// The words of a command, and the one that is looked at.
class Words {
public:
  explicit Words(ArrayRef<const char *> Args) : Left(Args) {}
  bool isEmpty() const { return Left.empty(); }
  StringRef front() const { return Left.front(); }
  const char *take() {
    const char *Word = Left.front();
    Left = Left.drop_front();
    return Word;
  }

  /// Takes \p Option with its value, `OPTION=VALUE` or two words, if it is
  /// next. Fails where the value lacks.
  Expected<bool> takeValue(StringRef Option, std::string &Value) {
    StringRef Word = front();
    if (!Word.consume_front(Option) || (!Word.empty() && Word[0] != '='))
      return false;
    take();
    if (Word.empty() && !isEmpty())
      Value = take();
    else
      Value = Word.drop_front(Word.empty() ? 0 : 1).str();
    if (Value.empty())
      return createStringError(Option + " needs a value");
    return true;
  }

private:
  ArrayRef<const char *> Left;
};

/// Takes \p Option, if it is next.
bool takeFlag(Words &Args, StringRef Option) {
  if (Args.front() != Option)
    return false;
  Args.take();
  return true;
}

} // namespace

Expected<IndexRequest> IndexRequest::parse(ArrayRef<const char *> Args) {
  IndexRequest Result;
  Words Left(Args);
  bool IsBehind = false; // What follows -- is the compiler's.
  while (!Left.isEmpty()) {
    IsBehind |= Left.front() == "--";
    if (IsBehind) {
      Result.Rest.push_back(Left.take());
      continue;
    }
    Expected<bool> Took = Left.takeValue("-o", Result.Output);
    if (Took && !*Took)
      Took = Left.takeValue("--depfile", Result.DepFile);
    if (!Took)
      return Took.takeError();
    if (*Took)
      continue;
    if (takeFlag(Left, "--help"))
      Result.AsksForHelp = true;
    else
      Result.Rest.push_back(Left.take());
  }
  if (!Result.DepFile.empty() && Result.Output == "-")
    return createStringError("--depfile needs a file to speak of: -o SUMMARY");
  return Result;
}

void UnitSummaries::observe(AnalysisOptions &Analysis) {
  Analysis.OnUnit = [this](const InputFile &, const TranslationUnit &Unit,
                           const Program &P) {
    const program::UnitOrigin Origin = originOf(Unit);
    std::string Text;
    raw_string_ostream OS(Text);
    program::RecordWriter Writer(OS);
    for (const program::Record &Each : program::summarise(P, Origin).Records)
      Writer.add(Each);
    Writer.finish();
    std::lock_guard<std::mutex> Guard(Lock);
    Texts.push_back(std::move(Text));
    for (const program::UnitInput &Each : Origin.Inputs)
      Inputs.push_back(Each.Path);
  };
}

static Expected<std::string>
linkedText(MutableArrayRef<program::RecordFile> Files,
           OnDefinitionConflict OnConflict) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (Error E = program::link(Files, OS, OnConflict))
    return E;
  return Text;
}

Expected<std::string>
UnitSummaries::linked(OnDefinitionConflict OnConflict) const {
  std::vector<program::RecordFile> Files;
  for (const std::string &Text : Texts)
    Files.push_back(cantFail(program::RecordFile::read(
        MemoryBuffer::getMemBuffer(Text, "a summary"))));
  return linkedText(Files, OnConflict);
}

std::vector<std::string> UnitSummaries::inputs() const {
  std::vector<std::string> Result = Inputs;
  sort(Result);
  Result.erase(unique(Result), Result.end());
  return Result;
}

/// \p Path as Make's syntax has it.
static std::string quotedForMake(StringRef Path) {
  std::string Result;
  for (const char C : Path) {
    if (C == '$')
      Result += '$';
    else if (C == ' ' || C == '#' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result;
}

std::string dependencies(StringRef Target, ArrayRef<std::string> Inputs) {
  std::string Result = quotedForMake(Target) + ":";
  for (const std::string &Each : Inputs)
    Result += " \\\n  " + quotedForMake(Each);
  return Result + "\n";
}

Error linkFiles(ArrayRef<const char *> Args, raw_ostream &Out,
                OnDefinitionConflict OnConflict) {
  BumpPtrAllocator Allocator;
  SmallVector<const char *> Expanded(Args);
  cl::ExpansionContext Responses(Allocator, cl::TokenizeGNUCommandLine);
  if (Error E = Responses.expandResponseFiles(Expanded))
    return E;
  std::string Output = "-";
  std::vector<program::RecordFile> Files;
  for (Words Left(Expanded); !Left.isEmpty();) {
    Expected<bool> Took = Left.takeValue("-o", Output);
    if (!Took)
      return Took.takeError();
    if (*Took)
      continue;
    if (Left.front().starts_with("-"))
      return createStringError("link knows no option '" + Left.front() +
                               "'; see barricade link --help");
    Expected<program::RecordFile> File = program::RecordFile::open(Left.take());
    if (!File)
      return File.takeError();
    Files.push_back(std::move(*File));
  }
  if (Files.empty())
    return createStringError("link needs summaries; see barricade link --help");
  if (Output == "-")
    return program::link(Files, Out, OnConflict);
  return writeByParts(Output, [&](raw_ostream &OS) {
    return program::link(Files, OS, OnConflict);
  });
}

} // namespace barricade

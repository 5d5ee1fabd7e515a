// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/IndexInUse.h"
#include "tool/Analyze.h"
#include "tool/Paths.h"
#include "tool/UnitOrigins.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace barricade {

/// Whether \p Words have `-x cu` among them, in one word or two.
static bool saysCuda(ArrayRef<std::string> Words) {
  auto IsCuda = [](StringRef Language) {
    return Language == "cu" || Language == "cuda";
  };
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if ((Word == "-x" || Word == "--x") && I + 1 < Words.size() &&
        IsCuda(Words[I + 1]))
      return true;
    if ((Word.consume_front("--x=") || Word.consume_front("-x=") ||
         Word.consume_front("-x")) &&
        IsCuda(Word))
      return true;
  }
  return false;
}

/// Whether \p File is CUDA, by its name or by a command, as CMake has nvcc
/// told.
static bool isCompiledAsCuda(StringRef File, const CommandSource &Commands) {
  if (isCudaSource(File))
    return true;
  Expected<CommandSource::Answer> Answer = Commands.commandsFor(File);
  if (!Answer) {
    consumeError(Answer.takeError());
    return true; // Nobody knows.
  }
  return any_of(Answer->Commands, [](const auto &Command) {
    return saysCuda(Command.CommandLine);
  });
}

/// The CUDA sources of the builds that compile \p Files, canonical.
static std::vector<std::string> sourcesBeside(ArrayRef<InputFile> Files,
                                              const CommandSource &Commands) {
  std::set<std::string> Folders, Sources;
  for (const InputFile &Each : Files)
    Folders.insert(sys::path::parent_path(canonicalPath(Each.Name)).str());
  for (const std::string &Folder : Folders)
    for (const std::string &Each : Commands.filesWith(Folder))
      if (isCompiledAsCuda(Each, Commands))
        Sources.insert(canonicalPath(Each));
  return {Sources.begin(), Sources.end()};
}

static std::vector<std::string> requiredSources(const Options &Opts,
                                                const CommandSource &Commands,
                                                ArrayRef<InputFile> Files) {
  return Opts.OtherPrograms ? std::vector<std::string>()
                            : sourcesBeside(Files, Commands);
}

Expected<std::unique_ptr<IndexInUse>>
IndexInUse::open(const Options &Opts, const CommandSource &Commands,
                 ArrayRef<InputFile> Files) {
  Expected<program::RecordFile> File =
      program::RecordFile::open(Opts.IndexFile);
  if (!File)
    return File.takeError();
  return std::make_unique<IndexInUse>(program::ProgramIndex(std::move(*File)),
                                      Opts.ClosedWorld,
                                      requiredSources(Opts, Commands, Files));
}

std::unique_ptr<IndexInUse> IndexInUse::of(StringRef Text,
                                           ArrayRef<FileReport> Indexed,
                                           const Options &Opts,
                                           const CommandSource &Commands,
                                           ArrayRef<InputFile> Files) {
  auto Buffer = MemoryBuffer::getMemBufferCopy(Text, "the files of this run");
  auto Result = std::make_unique<IndexInUse>(
      program::ProgramIndex(
          cantFail(program::RecordFile::read(std::move(Buffer)))),
      Opts.ClosedWorld, requiredSources(Opts, Commands, Files));
  for (const FileReport &Each : Indexed)
    if (Each.Outcome != FileReport::State::Analysed)
      Result->Problem = "'" + Each.Path + "' could not be read";
  return Result;
}

const std::string &IndexInUse::problem() {
  std::call_once(IsChecked, [&] {
    Hash = Index.hash();
    if (Problem.empty())
      Problem = Index.whyStale();
    if (!Problem.empty())
      return;
    if (std::string Missing = Index.firstMissing(Sources); !Missing.empty())
      Problem = "it lacks '" + Missing + "', which the build compiles";
  });
  return Problem;
}

std::string IndexInUse::identity() {
  const std::string &Why = problem();
  return Hash + (IsWorldClosed ? " closed " : " open ") + Why;
}

std::string IndexInUse::whyUnused() const {
  return Problem.empty() ? "" : "'" + Index.name().str() + "': " + Problem;
}

std::unique_ptr<OtherUnits> IndexInUse::answersFor(const TranslationUnit &Unit,
                                                   const Program &P,
                                                   FileReport &Report) {
  if (!problem().empty())
    return std::make_unique<program::UnknownUnits>(
        "the index is stale and not used: " + problem());
  program::UnitSummary Own = summaryOf(Unit, P);
  if (Index.lists(Own))
    return std::make_unique<program::IndexedUnits>(Index, std::move(Own.Unit),
                                                   IsWorldClosed);
  Report.Warnings.push_back(
      "the index '" + Index.name().str() +
      "' has not got it, or with another command or other contents: it is not "
      "used; index and link it anew");
  return std::make_unique<program::UnknownUnits>(
      "the index does not have this file as it is");
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From files to a report: command, translation, passes, rules. The data's way
// up to where it is printed or edited.

#ifndef BARRICADE_TOOL_ANALYZE_H
#define BARRICADE_TOOL_ANALYZE_H

#include "frontend/CommandSource.h"
#include "frontend/HeaderCache.h"
#include "frontend/Preamble.h"
#include "rewriters/Rule.h"
#include "tool/Options.h"
#include "tool/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace barricade {

/// Where commands come from, as \p Opts says.
llvm::Expected<CommandSource> commandSourceFor(const Options &Opts);

/// Where the toolkit's headers are kept, as \p Opts says; null where they shall
/// not be, and where nobody names a folder and the usual one cannot be had.
llvm::Expected<std::unique_ptr<HeaderCache>>
openHeaderCache(const Options &Opts);

/// The files to analyse: those named, each once, or all CUDA sources of the
/// compilation database. Of a folder those of its database that lie in it, else
/// those that lie in it. Fails where a named file cannot be read, or is no
/// text.
llvm::Expected<std::vector<std::string>>
inputFiles(const Options &Opts, const CommandSource &Commands);

/// Whether \p File is one by its name.
bool isCudaSource(llvm::StringRef File);

/// Fails where \p Opts name a CUDA toolkit that is not there.
llvm::Error checkToolkit(const Options &Opts);

/// All commands that compile \p File, in Clang's words. Fails where there are
/// none. Origin and notes go to \p Report.
llvm::Expected<std::vector<TranslatedCommand>>
translateFile(llvm::StringRef File, const CommandSource &Commands,
              const Options &Opts, FileReport &Report);

/// A file to analyse.
struct InputFile {
  std::string Name;    ///< As the user calls it.
  const Options *Opts; ///< How to read and to judge it; outlives the analysis.
  std::vector<const Rule *> Rules;
};

/// What one file contributes.
struct FileResult {
  FileReport Report;
  std::vector<Finding> Findings;
  SourceTexts Texts;
};

class IndexInUse;
class InterruptWatch;
class ResultCache;
struct TranslationUnit;

/// The text of \p Path, canonical, when some pass of \p Unit read it; nothing
/// if none did.
std::optional<llvm::StringRef> parsedText(llvm::StringRef Path,
                                          const TranslationUnit &Unit);

struct AnalysisOptions {
  /// All that run on some file.
  std::vector<const Rule *> Rules;
  unsigned Jobs = 0; ///< Files at once; 0: one per core.
  bool ColorDiagnostics = false;
  /// The process ends soon after: what the analysis holds need not be freed.
  bool EndsRun = true;
  /// Called before the first file, with their number.
  std::function<void(size_t)> OnBegin;
  /// Called after each file, one call at a time.
  std::function<void(llvm::StringRef)> OnFileDone;
  /// Null: Ctrl-C ends the process. Else it ends the analysis; what is not done
  /// then is left out of the report, and still being done: the process must end
  /// before anything that is named here does.
  InterruptWatch *Watch = nullptr;
  /// With Watch: called at once where Ctrl-C came, by who cannot go on with a
  /// part of the report. It ends the process.
  std::function<void()> OnInterrupted;
  /// Makes the view of the file system for each parse; null: the real one.
  std::function<llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>()> FileSystem;
  /// Of the one file, for a process that analyses it again and again; null:
  /// every parse reads the whole source.
  PreambleCache *Preambles = nullptr;
  /// Keeps the headers that sources begin with; null: they are read.
  HeaderCache *Headers = nullptr;
  /// Results of earlier runs, where files are read from the disk as a whole.
  ResultCache *Cache = nullptr;
  /// What other units do; null: nobody knows.
  IndexInUse *Index = nullptr;
  /// Compile device passes as well: see ParseOptions::DeviceIR.
  bool DeviceIR = false;
  /// Further Clang arguments of every command.
  std::vector<std::string> ExtraArgs;
  /// Show the warnings of builds that treat them as errors
  /// (TranslationUnit::Warnings).
  bool FatalWarnings = false;
  /// Called with the merged findings, before the rules choose among them.
  std::function<void(Report &)> OnReconciled;
  /// Called with every translation unit that parses, several at once, after
  /// the rules have seen it.
  std::function<void(const InputFile &, const TranslationUnit &,
                     const Program &)>
      OnUnit;
};

/// Analyses the files, several at once, and reconciles what they say. The
/// report does not depend on the number of threads.
Report analyze(llvm::ArrayRef<InputFile> Files, const CommandSource &Commands,
               const AnalysisOptions &Analysis);

} // namespace barricade

#endif

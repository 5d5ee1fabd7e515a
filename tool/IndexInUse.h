// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of --index, as one run uses it: only where it speaks of the files
// as they are.

#ifndef BARRICADE_TOOL_INDEXINUSE_H
#define BARRICADE_TOOL_INDEXINUSE_H

#include "frontend/CommandSource.h"
#include "program/ProgramIndex.h"
#include "tool/Options.h"
#include "tool/Report.h"
#include <mutex>

namespace barricade {

struct InputFile;
struct TranslationUnit;

/// For several threads.
class IndexInUse {
public:
  /// The index that \p Opts name, for \p Files. Fails where it cannot be read.
  static llvm::Expected<std::unique_ptr<IndexInUse>>
  open(const Options &Opts, const CommandSource &Commands,
       llvm::ArrayRef<InputFile> Files);

  /// The one that link wrote as \p Text, of \p Indexed: it is not used where
  /// one of these was not read.
  static std::unique_ptr<IndexInUse> of(llvm::StringRef Text,
                                        llvm::ArrayRef<FileReport> Indexed,
                                        const Options &Opts,
                                        const CommandSource &Commands,
                                        llvm::ArrayRef<InputFile> Files);

  IndexInUse(program::ProgramIndex Index, bool IsWorldClosed,
             std::vector<std::string> Sources)
      : Index(std::move(Index)), IsWorldClosed(IsWorldClosed),
        Sources(std::move(Sources)) {}

  /// Whether it says anything of a unit that is compiled as \p Command says.
  static bool isAskedOf(const TranslatedCommand &Command) {
    return Command.Facts.RelocatableDeviceCode;
  }

  /// Of all that its answers rest on.
  std::string identity();

  /// Answers for \p Unit, whose ASTs \p P shows. Where the index does not have
  /// it as it is, \p Report tells so.
  std::unique_ptr<OtherUnits> answersFor(const TranslationUnit &Unit,
                                         const Program &P, FileReport &Report);

  /// Why it was not used; empty: it was, or nobody asked.
  std::string whyUnused() const;

private:
  /// Why it is not used for any unit; empty: it is.
  const std::string &problem();

  program::ProgramIndex Index;
  bool IsWorldClosed;
  /// What the index must list because the build compiles it, canonical.
  std::vector<std::string> Sources;
  std::once_flag IsChecked;
  std::string Hash, Problem; ///< Once it is checked.
};

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `barricade index` and `barricade link`: what units say, and all of it in one
// file.

#ifndef BARRICADE_TOOL_INDEXCOMMANDS_H
#define BARRICADE_TOOL_INDEXCOMMANDS_H

#include "program/Link.h"
#include "tool/Analyze.h"
#include <mutex>

namespace barricade {

void printIndexHelp(llvm::raw_ostream &OS);
void printLinkHelp(llvm::raw_ostream &OS);

/// What `barricade index` is asked for, beside what any run is.
struct IndexRequest {
  std::string Output = "-"; ///< `-`: standard output.
  std::string DepFile;      ///< In Make's syntax; empty: none.
  bool AsksForHelp = false;
  std::vector<const char *> Rest; ///< The arguments of a run.

  static llvm::Expected<IndexRequest> parse(llvm::ArrayRef<const char *> Args);
};

using OnDefinitionConflict =
    llvm::function_ref<void(const program::DefinitionConflict &)>;

/// The summaries of the units that a run reads.
class UnitSummaries {
public:
  /// Has \p Analysis, which this must outlive, make summaries.
  void observe(AnalysisOptions &Analysis);

  /// All of them, linked.
  llvm::Expected<std::string> linked(OnDefinitionConflict OnConflict) const;
  /// The files that they are made of, each once.
  std::vector<std::string> inputs() const;

private:
  std::mutex Lock; ///< Several units come at once.
  std::vector<std::string> Texts;
  std::vector<std::string> Inputs;
};

/// A rule for Make and Ninja: \p Target is made of \p Inputs.
std::string dependencies(llvm::StringRef Target,
                         llvm::ArrayRef<std::string> Inputs);

/// `barricade link FILE... -o INDEX`; the words behind its name.
llvm::Error linkFiles(llvm::ArrayRef<const char *> Args, llvm::raw_ostream &Out,
                      OnDefinitionConflict OnConflict);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line asks for.

#ifndef BARRICADE_TOOL_OPTIONS_H
#define BARRICADE_TOOL_OPTIONS_H

#include "rewriters/Rule.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace barricade {

/// Lines `First` to `Last` of a file, both included, counted from 1.
struct LineRange {
  std::string File;
  unsigned First = 0;
  unsigned Last = 0;

  bool operator==(const LineRange &) const = default;
};

enum class ColorMode { Auto, Always, Never };

struct Options {
  enum class Action {
    Show,
    DryRun,
    InPlace,
    OutputDir,
    Variants,
    PrintCommand,
    LanguageServer,
    ListRules,
    Version,
    Help
  };
  Action Act = Action::Show;
  std::string OutputDir; ///< Of Action::OutputDir and Action::Variants.

  std::vector<std::string> Files;
  std::string BuildDir; ///< Empty: look for compile_commands.json.
  bool HasFlags = false;
  std::vector<std::string> Flags; ///< What follows `--`.
  std::string CudaPath;
  std::vector<unsigned> GpuArchs; ///< SM numbers; empty: the build's.
  bool NoToolkit = false;

  std::string RuleGlobs = "*";
  std::vector<std::string> KernelGlobs;
  std::vector<LineRange> Lines;
  std::vector<std::string> HeaderGlobs; ///< Empty: headers are not edited.
  std::string ProjectRoot;              ///< Empty: found from the file.
  RuleOptions Rules;

  std::string JsonFile;
  std::string FixesFile;
  std::string CalibrationFile; ///< Empty: no gain is predicted.
  bool Explain = false;
  bool UnusedSuppressions = false;
  bool Quiet = false;
  ColorMode Color = ColorMode::Auto;
  unsigned Jobs = 0; ///< 0: one per core.

  /// Whether a report, the diff or the commands take standard output, so that
  /// findings go to standard error.
  bool stdoutTaken() const {
    return Act == Action::DryRun || JsonFile == "-" || FixesFile == "-";
  }
};

/// Reads the arguments (without the program's name). Fails with one line for
/// the user on what is unknown, malformed or contradictory.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> Args);

void printHelp(llvm::raw_ostream &OS);

} // namespace barricade

#endif

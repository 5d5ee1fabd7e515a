// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line asks for.

#ifndef BARRICADE_TOOL_OPTIONS_H
#define BARRICADE_TOOL_OPTIONS_H

#include "rewriters/Rule.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace barricade {

struct FactDump;

/// Lines `First` to `Last` of a file, both included, counted from 1.
struct LineRange {
  std::string File;
  unsigned First = 0;
  unsigned Last = 0;

  bool operator==(const LineRange &) const = default;
};

enum class ColorMode { Auto, Always, Never };

/// What has to be known of a rewrite's gain for it to be proposed.
enum class KnownGain {
  Automatic, ///< Expected where anything is known of program or GPU, else any.
  Measured,  ///< It was measured, in this program.
  Expected,  ///< Or the GPU's profile says so.
  Any,       ///< Nothing: whatever is legal is proposed.
};

/// Each with the name that users know it by.
inline constexpr std::pair<llvm::StringLiteral, KnownGain> KnownGainNames[] = {
    {"auto", KnownGain::Automatic},
    {"measured", KnownGain::Measured},
    {"expected", KnownGain::Expected},
    {"any", KnownGain::Any},
};

/// Which findings make the command fail.
enum class FailOn {
  Fault,   ///< The program is wrong.
  Rewrite, ///< Or would be rewritten.
  Never,
};

/// Each with the name that users know it by.
inline constexpr std::pair<llvm::StringLiteral, FailOn> FailOnNames[] = {
    {"fault", FailOn::Fault},
    {"rewrite", FailOn::Rewrite},
    {"never", FailOn::Never},
};

struct Options {
  enum class Action {
    Show,
    DryRun,
    InPlace,
    OutputDir,
    Variants,
    Dump,
    PrintCommand,
    LanguageServer,
    ListRules,
    DumpConfig,
    Version,
    Help
  };
  Action Act = Action::Show;
  /// Whether sources are read and judged.
  bool analyses() const { return Act <= Action::Variants; }
  std::string OutputDir; ///< Of Action::OutputDir and Action::Variants.
  const FactDump *Fact = nullptr; ///< Of Action::Dump.

  std::vector<std::string> Files;
  std::string BuildDir; ///< Empty: look for compile_commands.json.
  bool HasFlags = false;
  std::vector<std::string> Flags; ///< What follows `--`.
  std::string CudaPath;
  std::vector<unsigned> GpuArchs; ///< SM numbers; empty: the build's.
  bool NoToolkit = false;
  std::string IndexFile;     ///< Of the whole program; empty: nobody knows it.
  bool IndexesFiles = false; ///< Those of the run, in place of IndexFile.
  bool ClosedWorld = false;  ///< The index is all there is.
  /// What the build compiles and the index lacks is of other programs.
  bool OtherPrograms = false;

  std::string RuleGlobs; ///< Empty: the default ones.
  std::vector<std::string> KernelGlobs;
  std::vector<LineRange> Lines;
  std::vector<std::string> HeaderGlobs; ///< Empty: headers are not edited.
  std::string ProjectRoot;              ///< Empty: found from the file.
  RuleOptions Rules;
  KnownGain Profit = KnownGain::Automatic;
  std::string Gpu;             ///< Whose profile counts; empty: the build's.
  std::string CalibrationFile; ///< A profile's file; empty: that of the GPU.
  std::string MeasuredFile;    ///< Empty: nothing was measured.
  bool Verify = true;          ///< Check the rewritten program as a whole.
  bool Format = true; ///< What is written, by each file's .clang-format.

  // Reports, see ReportFiles; empty: not asked for.
  std::string JsonFile;
  std::string SarifFile;
  std::string HtmlFile;
  std::string GithubFile;
  std::string GitlabFile;
  std::string JUnitFile;
  std::string FixesFile;
  std::string NewBaselineFile;
  std::string BaselineFile; ///< To read; empty for none.
  FailOn Failing = FailOn::Fault;
  bool Explain = false;
  bool Statistics = false; ///< Counts in place of findings.
  bool UnusedSuppressions = false;
  bool Quiet = false;
  ColorMode Color = ColorMode::Auto;
  std::string CacheDir;    ///< Empty: results are not kept.
  std::string CachePolicy; ///< As llvm::parseCachePruningPolicy takes it.
  std::string HeaderCache; ///< Empty: the user's folder for caches.
  bool KeepHeaders = true; ///< In HeaderCache.
  unsigned Jobs = 0;       ///< 0: one per core.

  /// Whether a report, the diff or the commands take standard output, so that
  /// findings go to standard error.
  bool stdoutTaken() const;
};

/// The options that name a file to write, `-` for standard output, each with
/// what it sets.
inline constexpr std::pair<llvm::StringLiteral, std::string Options::*>
    ReportFiles[] = {
        {"json", &Options::JsonFile},
        {"sarif", &Options::SarifFile},
        {"html", &Options::HtmlFile},
        {"github", &Options::GithubFile},
        {"gitlab", &Options::GitlabFile},
        {"junit", &Options::JUnitFile},
        {"export-fixes", &Options::FixesFile},
        {"write-baseline", &Options::NewBaselineFile},
};

/// A command line, split into options.
class CommandLine {
public:
  /// Splits the arguments (without the program's name), which must live as long
  /// as the result. Fails with one line for the user on what is unknown or
  /// lacks its value.
  static llvm::Expected<CommandLine> parse(llvm::ArrayRef<const char *> Args);

  CommandLine(CommandLine &&);
  ~CommandLine();

  /// \p Base, changed by what the command line says. Fails with one line on
  /// what is malformed or contradictory.
  llvm::Expected<Options> over(Options Base) const;

  std::vector<std::string> files() const;
  /// Of --config; empty without.
  llvm::StringRef configurationFile() const;
  /// Whether files beside and above the sources count.
  bool searchesConfiguration() const;

private:
  struct Impl;
  explicit CommandLine(std::unique_ptr<Impl> I);
  std::unique_ptr<Impl> I;
};

/// The arguments alone, whatever configuration files say.
llvm::Expected<Options> parseOptions(llvm::ArrayRef<const char *> Args);

/// What a cache may hold: the defaults, changed by what \p Policy says. Fails
/// on what is no policy.
llvm::Expected<llvm::CachePruningPolicy> cachePolicy(llvm::StringRef Policy);

/// `FILE:A-B`, or `FILE:A` for one line. False for anything else.
bool parseLineRange(llvm::StringRef Text, LineRange &Range);

/// `sm_NN` of an architecture that Clang knows. False for anything else.
bool parseArch(llvm::StringRef Text, unsigned &Sm);

void printHelp(llvm::raw_ostream &OS);

} // namespace barricade

#endif

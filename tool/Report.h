// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run found out; every output prints this and nothing else. All paths
// in it are canonical.

#ifndef BARRICADE_TOOL_REPORT_H
#define BARRICADE_TOOL_REPORT_H

#include "frontend/CommandSource.h"
#include "matchers/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace barricade {

/// Texts of files as they were parsed, by canonical path: what offsets refer
/// to. The files themselves may change meanwhile.
class SourceTexts {
public:
  /// Remembers the text of \p Path. A second, other text of the same file means
  /// that it changed during the run.
  void add(llvm::StringRef Path, llvm::StringRef Text);
  void merge(const SourceTexts &Other);

  /// Null for a file that no finding speaks of.
  const std::string *find(llvm::StringRef Path) const;
  bool changedDuringRun(llvm::StringRef Path) const;

  /// Calls \p Visit with every path and text, ordered by path.
  void forEach(
      llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> Visit) const {
    for (const auto &[Path, E] : Entries)
      Visit(Path, E.Text);
  }

private:
  struct Entry {
    std::string Text;
    bool Changed = false;
  };
  std::map<std::string, Entry, std::less<>> Entries;
};

/// What came of one input file.
struct FileReport {
  enum class State {
    Analysed,
    NotParsed, ///< Clang reported errors: `Diagnostics`.
    Failed,    ///< No command for it, or it cannot be read: `Error`.
    Crashed,   ///< A fault of barricade, caught: `Error`.
  };
  std::string Name; ///< As the user calls it.
  std::string Path;
  State Outcome = State::Failed;
  std::string Origin; ///< Where the compile command comes from.
  CommandSource::Authority By = CommandSource::Authority::Build;
  /// The first of its compile commands as the build has it, and where it runs.
  std::vector<std::string> CommandLine;
  std::string Directory;
  bool IsCuda = false; ///< Some command compiles it as CUDA.
  /// Some command does not find the runtime's header.
  bool LacksRuntime = false;
  /// Canonical paths of the non-system files that make up the source, as far as
  /// they were read.
  std::vector<std::string> UserFiles;
  /// The architectures that its commands name (90 for sm_90), ascending; empty:
  /// nobody said which GPU the program is for.
  std::vector<unsigned> TargetSms;
  /// Reading the source came to an end before all that it includes was read.
  bool MayIncludeMore = true;
  /// For a header: the source that was read in its place. Only what lies in the
  /// header itself was asked for.
  std::string IncludedBy;
  std::string Diagnostics;           ///< Clang's own, rendered.
  std::optional<Note> FirstError;    ///< The first of them that has a place.
  std::string Error;                 ///< One line.
  std::vector<std::string> Notes;    ///< What the command's translation lost.
  std::vector<std::string> Warnings; ///< Told in any case.
};

/// Where a finding stands once everything is known of it.
enum class Standing {
  Applies,  ///< Its edits are made.
  HeldBack, ///< Proved legal, but its reasons speak against editing here.
  Refused,
  NotProfitable,
  Fault,      ///< Told in any case: the program is wrong.
  Suppressed, ///< The user wants to hear of it no more, whatever its verdict.
};

inline Standing standing(const Finding &F) {
  if (F.Silenced)
    return Standing::Suppressed;
  switch (F.Outcome) {
  case Verdict::Refused:
    return Standing::Refused;
  case Verdict::NotProfitable:
    return Standing::NotProfitable;
  case Verdict::Fault:
    return Standing::Fault;
  case Verdict::Rewrite:
    break;
  }
  return F.Reasons.empty() ? Standing::Applies : Standing::HeldBack;
}

/// The reason of what is legal, while nobody knows whether it pays.
inline constexpr llvm::StringLiteral UnknownGain = "unknown-gain";

/// How a finding is told of.
enum class Tone {
  Silent, ///< With --explain only.
  Remark, ///< Somebody might measure it.
  Warning,
  Error, ///< The program is wrong.
};

inline Tone tone(const Finding &F) {
  switch (standing(F)) {
  case Standing::Applies:
  case Standing::HeldBack:
    return Tone::Warning;
  case Standing::Fault:
    return Tone::Error;
  case Standing::NotProfitable:
    return llvm::any_of(F.Reasons,
                        [](const Reason &R) { return R.Id == UnknownGain; })
               ? Tone::Remark
               : Tone::Silent;
  case Standing::Refused:
  case Standing::Suppressed:
    return Tone::Silent;
  }
  llvm_unreachable("unknown standing");
}

/// How a finding would be told of if nobody had suppressed it.
inline Tone toneIfNotSuppressed(Finding F) {
  F.Silenced.reset();
  return tone(F);
}

/// Whether it is a baseline that suppresses \p F. A comment lies in the
/// finding's own file.
inline bool isInBaseline(const Finding &F) {
  return F.Silenced && F.Silenced->Where.File != F.Where.File;
}

/// What a program took with a rewrite, measured beside the original.
struct Measurement {
  std::string Program; ///< Its source, below the project's root.
  std::string Case;    ///< Which input it ran on.
  std::string Kind;    ///< Of the variant, see docs/variants.md.
  std::string Setting; ///< The rule's, for instance `k4`.
  std::string Verdict; ///< faster | slower | no difference seen | too few runs
  double OriginalMs = 0, Ms = 0;   ///< Medians, milliseconds.
  double Gain = 0;                 ///< (t - t_s) / t; below 0 a loss.
  std::optional<double> Low, High; ///< Its 95 % interval; none: open.
};

/// Findings by Finding::key, to what is known of them beside.
template <typename T>
using ByFinding = std::map<std::tuple<std::string, std::string, unsigned>, T>;

struct Report {
  std::vector<FileReport> Files;  ///< In the order of the command line.
  std::vector<std::string> Rules; ///< Ids of the rules that ran.
  /// Reconciled, by file and offset; faults first where they are shown.
  std::vector<Finding> Findings;
  ByFinding<std::string> Fingerprints; ///< See tool/Fingerprint.h.
  /// See tool/knowledge/Measured.h.
  ByFinding<std::vector<Measurement>> Measurements;
  unsigned OutsideProject = 0; ///< Findings left out for their place.
  size_t NotReached = 0;       ///< Files left out: Ctrl-C came before them.
  /// Comments that suppress nothing, where that was asked for.
  std::vector<Note> UnusedSuppressions;
  SourceTexts Texts;

  /// Empty where none was made.
  std::string fingerprint(const Finding &F) const {
    auto It = Fingerprints.find(F.key());
    return It == Fingerprints.end() ? "" : It->second;
  }
  llvm::ArrayRef<Measurement> measurements(const Finding &F) const {
    auto It = Measurements.find(F.key());
    if (It == Measurements.end())
      return {};
    return It->second;
  }
};

/// Moves faults before all other findings.
void putFaultsFirst(Report &R);

/// The first of \p Findings before \p F, which is one of them, that makes the
/// same change, or null.
const Finding *sameChangeBefore(const Finding &F,
                                llvm::ArrayRef<Finding> Findings);

/// An edit that applies: of which findings it is one, by their place and its
/// own among their edits.
struct AskedEdit {
  size_t Finding, Edit;
};
using AskedEdits = llvm::SmallVector<AskedEdit, 1>;

/// The edits that apply, by file, in the order in which findings give them.
std::map<std::string, std::vector<AskedEdits>>
askedEdits(llvm::ArrayRef<Finding> Findings);

/// The same edits themselves.
using EditsByFile = std::map<std::string, std::vector<Edit>>;
EditsByFile editsToApply(llvm::ArrayRef<Finding> Findings);

} // namespace barricade

#endif

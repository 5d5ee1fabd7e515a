// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --variants: the original and its rewrites, each by itself, as sources that
// eval/run builds, checks and times. docs/variants.md is the schema.

#ifndef BARRICADE_TOOL_VARIANTS_H
#define BARRICADE_TOOL_VARIANTS_H

#include "tool/Analyze.h"
#include "tool/WriteFiles.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace barricade {

enum class VariantKind {
  Original,
  Single,   ///< One finding's edits.
  Nested,   ///< A loop, and a loop within it.
  Together, ///< All that barricade would apply at once.
};

/// One program to be measured.
struct Variant {
  std::string Id; ///< Unique, of letters, digits, `.`, `+`, `_` and `-`.
  VariantKind Kind = VariantKind::Original;
  std::string Setting;   ///< See Rule::settings.
  std::string ControlOf; ///< Id of the variant whose effect this isolates.
  std::vector<Finding> Rewrites;
  std::vector<ChangedFile> Files;
};

/// One that did not stand the checks (tool/Verification.h).
struct WithdrawnVariant {
  std::string Id;
  std::string Why;
};

struct VariantSet {
  Report Source; ///< The original's files; findings at no particular setting.
  std::string Root; ///< Folder that the variants' trees are copies of.
  std::vector<Variant> Variants; ///< The original comes first.
  std::vector<WithdrawnVariant> Withdrawn;
};

/// Analyses the files at every setting of every rule and makes
/// - every legal rewrite by itself, those that thresholds speak against, too;
/// - for each setting of a rule what --in-place would apply, if that is more
///   than one rewrite;
/// - a loop together with one within it, where the second is still proved legal
///   in the text that the first leaves;
/// - controls, where the rule has one.
/// Files that do not parse contribute nothing; Source says so. The progress is
/// shown on \p Err. Where Ctrl-C comes, \p OnInterrupted is told how far it is,
/// and ends the process.
llvm::Expected<VariantSet>
collectVariants(llvm::ArrayRef<InputFile> Files, const CommandSource &Commands,
                const Options &Opts, llvm::ArrayRef<const Rule *> Rules,
                bool ColorDiagnostics, llvm::raw_ostream &Err,
                InterruptWatch &Watch,
                llvm::function_ref<void(const llvm::Twine &)> OnInterrupted);

/// Writes original, changed files and manifest.json. \p Dir must not exist or
/// be empty: old variants beside new ones would be measured unnoticed.
llvm::Error writeVariants(llvm::StringRef Dir, const VariantSet &Set);

} // namespace barricade

#endif

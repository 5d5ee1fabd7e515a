// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments that silence findings, in clang-tidy's language:
//
//   for (...) // NOLINT(barricade-artificial-barrier)
//
//   // NOLINTNEXTLINE(barricade-*)
//
//   // NOLINTBEGIN(barricade-grid-barrier)
//   // NOLINTEND(barricade-grid-barrier)
//
// They mean what they mean to clang-tidy (its NoLintDirectiveHandler): a list
// of globs in which only `*` is special and those with `-` are ignored, every
// check where there is no list, blocks that nest and whose ends repeat the
// list of their beginning. A unit test compares the two. That class itself only
// answers yes or no: not which comment it was, nor which suppress nothing.

#ifndef BARRICADE_TOOL_SUPPRESS_H
#define BARRICADE_TOOL_SUPPRESS_H

#include "tool/Report.h"

namespace barricade {

/// Marks the findings that a comment in their file silences.
void suppressByComments(Report &R);

/// Whether \p Text is worth a look: a quick test.
inline bool mayHaveSuppressions(llvm::StringRef Text) {
  return Text.contains("NOLINT") && Text.contains("barricade-");
}

/// The comments in the report's texts that name barricade and silence none of
/// its findings, by file and offset. A comment that speaks of a rule which did
/// not run is not judged. \p KnownRules: ids of all rules there are.
std::vector<Note>
unusedSuppressions(const Report &R, llvm::ArrayRef<llvm::StringRef> KnownRules);

} // namespace barricade

#endif

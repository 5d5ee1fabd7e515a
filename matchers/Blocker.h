// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a rule leaves a place as it is, while the AST is still at hand.

#ifndef BARRICADE_MATCHERS_BLOCKER_H
#define BARRICADE_MATCHERS_BLOCKER_H

#include "matchers/Finding.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace clang {
class SourceManager;
} // namespace clang

namespace barricade {

/// A stable id under which a rule refuses, and what it means in one line. Each
/// rule lists its own in a file Reasons.def.
struct ReasonInfo {
  llvm::StringRef Id;
  llvm::StringRef Summary;
};

/// A `Reason` whose places are still those of a pass's AST.
struct Blocker {
  ReasonInfo Why;
  clang::SourceLocation Where; ///< The statement that blocks.
  std::vector<std::pair<clang::SourceLocation, std::string>> Notes;
  std::vector<Note> NotesElsewhere = {}; ///< Of places in other units.
};

/// The reason as findings carry it. \p SM is that of the pass in which the
/// blocker was found.
Reason reasonFor(const Blocker &H, const clang::SourceManager &SM);

/// Adds the reason to \p F, if it has not got it yet.
void addReason(const Blocker &H, const clang::SourceManager &SM, Finding &F);
void addReasons(llvm::ArrayRef<Blocker> Blockers,
                const clang::SourceManager &SM, Finding &F);

} // namespace barricade

#endif

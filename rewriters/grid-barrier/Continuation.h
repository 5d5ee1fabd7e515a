// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a loop goes on from the start of any of its iterations: what a persistent
// kernel needs that takes the loop over once it has begun.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_CONTINUATION_H
#define BARRICADE_REWRITERS_GRIDBARRIER_CONTINUATION_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace clang {
class VarDecl;
} // namespace clang

namespace barricade {

class SourceText;

namespace grid_barrier {

struct RelaunchLoop;

struct Continuation {
  /// What a for loop begins with, up to its first semicolon, and what the rest
  /// of it leaves out; invalid where there is none.
  clang::CharSourceRange Init;
  /// The variables that Init declares, or gives values that they did not have
  /// before, and that the rest of the loop names.
  llvm::SmallVector<const clang::VarDecl *, 2> Own;
  /// How many iterations are left at the start of one; empty where that is not
  /// as simple as a difference, or the loop may end by a `break`.
  std::string Remaining;
};

/// Nothing where the loop cannot be entered again by its condition alone, or
/// where a variable of its own could not be a kernel's parameter.
std::optional<Continuation> continuationOf(const RelaunchLoop &L,
                                           const SourceText &Source);

/// A kernel that does the rest of the loop needs \p Var: more names it than
/// what the loop begins with, and what the host has for the kernel's launch.
bool isNeededByRest(const clang::VarDecl &Var, const RelaunchLoop &L);

} // namespace grid_barrier
} // namespace barricade

#endif

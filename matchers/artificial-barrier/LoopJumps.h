// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where control leaves an iteration of a loop, or the loop.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_LOOPJUMPS_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_LOOPJUMPS_H

#include "llvm/ADT/SmallVector.h"

namespace clang {
class Stmt;
} // namespace clang

namespace barricade::artificial_barrier {

/// The jumps in a loop's body that concern this loop, not one within it.
struct LoopJumps {
  llvm::SmallVector<const clang::Stmt *, 2> Breaks;
  llvm::SmallVector<const clang::Stmt *, 2> Continues;
  /// At any depth: they leave the loop for good.
  llvm::SmallVector<const clang::Stmt *, 2> Returns;
  llvm::SmallVector<const clang::Stmt *, 2> Gotos;
};

LoopJumps jumpsOf(const clang::Stmt &Loop);

/// The same for a statement of a loop's body: the jumps that lead out of it.
LoopJumps jumpsOutOf(const clang::Stmt &S);

} // namespace barricade::artificial_barrier

#endif

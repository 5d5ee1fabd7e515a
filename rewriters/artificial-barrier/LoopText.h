// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a loop that every form of the rewriting asks for.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPTEXT_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_LOOPTEXT_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class Stmt;
} // namespace clang

namespace barricade {
class SourceText;
}

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

/// A declaration may be put before \p S: it stands in a block, and no jump of a
/// switch or goto leads past it.
bool mayDeclareBefore(const clang::Stmt &S, clang::ASTContext &Context);

/// Where the body of \p Loop may get an opening brace: behind `)` or `do`.
/// Invalid where a macro spells it.
clang::SourceLocation headerEnd(const clang::Stmt &Loop,
                                const SourceText &Source);

} // namespace barricade::artificial_barrier

#endif

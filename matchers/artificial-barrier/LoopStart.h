// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a for loop starts with, once threads that a guard kept from the loop
// come to it, too.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_LOOPSTART_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_LOOPSTART_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::artificial_barrier {

/// What is not named here may be run by all threads as it is.
struct LoopStart {
  /// An expression that only the threads with the flag may evaluate.
  const clang::Expr *Guarded = nullptr;
  /// Variables that start with 0 in the other threads, or nullptr.
  llvm::SmallVector<const clang::VarDecl *, 1> Zeroed;
  /// A declaration that threads without the flag can neither run nor replace.
  clang::SourceLocation Obstacle;
};

/// Threads outside of \p Guard, the `if` or the loop's body around it that the
/// flag speaks of, must not evaluate what \p Loop starts with.
LoopStart planLoopStart(const clang::Stmt &Loop, const clang::Stmt &Guard,
                        clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations the threads of a block share out:
//
//   for (int i = threadIdx.x; i < n; i += blockDim.x)
//
// Their trip counts differ, but all follow from one induction variable, which
// starts where the block's first thread starts, the *leader*: the thread whose
// threadIdx is 0. Where every thread of the block comes to the loop, the leader
// does, too; so its counter may be kept by all threads, computed by the very
// expressions that it evaluates itself: nothing overflows, nothing is read and
// no loop goes on for ever that did not do so in the leader.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_STRIDEDLOOP_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_STRIDEDLOOP_H

#include "matchers/divergence/Divergence.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace clang {
class ASTContext;
class ArraySubscriptExpr;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::artificial_barrier {

struct StridedLoop {
  const clang::VarDecl *Counter = nullptr;

  /// What the counter starts with. For the leader, each of `ThreadIndices` in
  /// it is 0, and each variable of `Initialisers` is what that expression
  /// gives.
  const clang::Expr *Start = nullptr;
  llvm::DenseSet<const clang::Expr *> ThreadIndices;
  llvm::DenseMap<const clang::Expr *, const clang::Expr *> Initialisers;

  /// The one statement that steps the counter, once per iteration: the
  /// increment of the loop, a part of it, or a statement of the body.
  const clang::Expr *Step = nullptr;
  /// What it adds; null for one.
  const clang::Expr *Amount = nullptr;
  bool Downwards = false;
  bool StepInBody = false;

  /// No thread runs the loop more often than the leader. Not so where a counter
  /// may wrap around, as unsigned ones and `int += unsigned` do by definition.
  bool LeaderIsLast = false;
};

/// Recognises \p Loop, to which every thread of the block comes: a for or while
/// loop without break, return or goto, whose condition depends on the thread
/// through its counter alone. Nothing where the leader's counter cannot be
/// told.
std::optional<StridedLoop> findStridedLoop(const clang::Stmt &Loop,
                                           const clang::FunctionDecl &Function,
                                           const FunctionDivergence &Divergence,
                                           clang::ASTContext &Context);

/// The `a[i]` of `&a[i]`, where \p E is such; otherwise null.
const clang::ArraySubscriptExpr *elementOf(const clang::Expr &E);

} // namespace barricade::artificial_barrier

#endif

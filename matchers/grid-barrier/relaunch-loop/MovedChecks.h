// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May what looks at the results of runtime calls stand behind the loop.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_MOVEDCHECKS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_MOVEDCHECKS_H

#include "matchers/grid-barrier/relaunch-loop/Guards.h"
#include "matchers/grid-barrier/relaunch-loop/Reading.h"
#include "matchers/host/ErrorCheck.h"

namespace barricade::grid_barrier::relaunch_loop {

class MovedChecks {
public:
  explicit MovedChecks(LoopReading &L) : L(L) {}

  /// \p Body, under \p Around, is what \p Check consists of, and becomes the
  /// next action, \p A.
  void add(const LoopAction &A, const host::ErrorCheck &Check,
           llvm::ArrayRef<const clang::Stmt *> Body, const Guards &Around);

  /// Variables for errors move with their checks: nothing else in the loop may
  /// ask them. Behind the loop they must be what they were.
  void check();

private:
  void checkSunk(const clang::Stmt &S, const clang::Stmt *Left = nullptr);
  void checkJumps() const;

  LoopReading &L;
  /// In statements that move out of the loop.
  std::vector<const clang::DeclRefExpr *> MovedReads;
  /// By which those may leave the loop, but for `return`.
  std::vector<const clang::Stmt *> Jumps;
  /// Of variables for errors: how often the checks name them.
  llvm::MapVector<const clang::VarDecl *, unsigned> UsesInChecks;
  /// Such variables that the checks read so far declare.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> OfChecks;
  /// Such variables from elsewhere, and the actions that assign them.
  std::vector<std::pair<const clang::VarDecl *, size_t>> AssignedInChecks;
  /// Actions whose results are looked at, each with a guard.
  std::vector<std::pair<size_t, Guard>> GuardedChecks;
};

} // namespace barricade::grid_barrier::relaunch_loop

#endif

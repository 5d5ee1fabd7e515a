// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the loop end by itself.

#include "matchers/facts/EndingLoop.h"
#include "matchers/grid-barrier/relaunch-loop/Entry.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

/// A loop that is not seen to end by itself.
static bool mayRunFor(const Stmt &S, const LoopReading &L) {
  return isLoop(S) && !isOnceLoop(S, L.Context) &&
         !facts::isSeenToEnd(S, L.Context, [&](const VarDecl &Var) {
           return L.Variables.isShared(Var);
         });
}

void checkEnd(LoopReading &L) {
  const bool Checks = llvm::any_of(L.Result.Actions,
                                   [](const auto &A) { return A.isChecked(); });
  const bool RunsBefore = L.Result.Grids == GridForm::Computed ||
                          L.Result.Waiting == WaitForm::Sometimes;
  if ((isUnconditional(*L.Result.Loop, L.Context) &&
       !breaksOut(bodyOf(*L.Result.Loop))) ||
      (Checks && RunsBefore &&
       holds(L.Result.Loop, [&](const Stmt &S) { return mayRunFor(S, L); })))
    L.refuse(ReasonId::Endless, L.Result.Loop->getBeginLoc());
}

/// It reads variables that live outside, and the loop changes none of them:
/// if it ever fails, then by somebody else.
static bool asksOthers(const Expr &Condition, const LoopReading &L) {
  bool ReadsAny = false, ReadsOwn = false;
  (void)holds(&Condition, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    if (const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr) {
      ReadsAny |= !Var->isUsableInConstantExpressions(L.Context);
      ReadsOwn |= L.Writes.contains(Var) || L.Locals.contains(Var);
    }
    return false;
  });
  return ReadsAny && !ReadsOwn;
}

void checkConditions(LoopReading &L) {
  for (const Expr *Condition : L.Conditions)
    if (asksOthers(*Condition, L))
      L.refuse(ReasonId::FlagNotWritten, Condition->getBeginLoc());
}

} // namespace barricade::grid_barrier::relaunch_loop

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/Invariance.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/grid-barrier/relaunch-loop/Traps.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

bool isInvariant(const Expr &E, const LoopReading &L) {
  return !holds(&E, [&](const Stmt &S) {
    const VarDecl *Var = variableNamedBy(S);
    return Var && (L.Writes.contains(Var) ||
                   (L.Locals.contains(Var) && !isInvariant(*Var, L)));
  });
}

bool isKnownBefore(const Expr &E, const LoopReading &L) {
  return isInvariant(E, L) && !mayTrap(E, L.Context);
}

bool hasValuesBefore(const Stmt &S, const LoopReading &L) {
  if (isa<UnaryExprOrTypeTraitExpr>(S))
    return true;
  const VarDecl *Var = variableNamedBy(S);
  return (!Var || L.Locals.contains(Var) || L.Writes.contains(Var) ||
          L.Variables.isSetBefore(*Var, *L.Result.Loop)) &&
         llvm::all_of(S.children(), [&](const Stmt *Child) {
           return !Child || hasValuesBefore(*Child, L);
         });
}

/// The text of \p Init may stand in place of the variable: it is neither in
/// the declaration's name, as in `dim3 block;`, nor a list in braces, and
/// `(int())` would be a type.
static bool isSpelledAlone(const Expr &Init) {
  const Expr *Spelled = Init.IgnoreUnlessSpelledInSource();
  const auto *Construct = dyn_cast<CXXConstructExpr>(Spelled);
  return !isa<InitListExpr, CXXScalarValueInitExpr, ImplicitValueInitExpr>(
             Spelled) &&
         !(Construct && Construct->getParenOrBraceRange().isInvalid());
}

bool isInvariant(const VarDecl &Var, const LoopReading &L) {
  return !L.Writes.contains(&Var) && !L.Variables.isShared(Var) &&
         Var.getInit() && countUses(Var, *Var.getInit()) == 0 &&
         isSpelledAlone(*Var.getInit()) && isKnownBefore(*Var.getInit(), L);
}

bool repeats(const LoopReading &L) {
  return llvm::all_of(L.Result.Actions, [&](const LoopAction &A) {
    return A.Kind == LoopAction::Synchronise || A.Kind == LoopAction::Query ||
           (A.Kind == LoopAction::Launch &&
            llvm::all_of(
                L.Result.Launches[A.Index].Call->arguments(),
                [&](const Expr *Arg) { return isInvariant(*Arg, L); }));
  });
}

} // namespace barricade::grid_barrier::relaunch_loop

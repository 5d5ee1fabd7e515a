// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/Entry.h"
#include "matchers/facts/Constants.h"
#include "matchers/grid-barrier/relaunch-loop/Reading.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

/// Compares constants, of which none is negative.
static bool holdsAtFirst(const Expr &Condition, const LoopEntry &Entry,
                         const ASTContext &Context) {
  const auto Constant = [&](const Expr &E) {
    const Expr *Plain = E.IgnoreParenImpCasts();
    for (const auto &[Var, Value] : Entry.First)
      if (const auto *Ref = dyn_cast<DeclRefExpr>(Plain);
          Ref && Ref->getDecl() == Var)
        Plain = Value;
    const auto Result = facts::integerOf(*Plain, Context);
    return Result && !Result->isNegative() ? Result : std::nullopt;
  };
  const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
  if (!Op || !Op->isRelationalOp())
    return false;
  const auto Left = Constant(*Op->getLHS()), Right = Constant(*Op->getRHS());
  if (!Left || !Right)
    return false;
  const int Order = llvm::APSInt::compareValues(*Left, *Right);
  switch (Op->getOpcode()) {
  case BO_LT:
    return Order < 0;
  case BO_LE:
    return Order <= 0;
  case BO_GT:
    return Order > 0;
  default:
    return Order >= 0;
  }
}

/// The values that \p Init, of a for loop, gives to variables.
static bool addFirstValues(const Stmt &Init, LoopEntry &Entry,
                           const ASTContext &Context) {
  const auto Add = [&](const VarDecl *Var, const Expr *Value) {
    // `int i = 0, j = i`: outside of the loop there is no i.
    const bool Refers = Value && isa<DeclStmt>(Init) &&
                        llvm::any_of(Entry.First, [&](const auto &Earlier) {
                          return countUses(*Earlier.first, *Value) > 0;
                        });
    if (!Var || !Value || Refers || Value->HasSideEffects(Context) ||
        !Var->getType()->isScalarType())
      return false;
    Entry.First.push_back({Var, Value});
    return true;
  };
  if (const auto *Declaration = dyn_cast<DeclStmt>(&Init))
    return llvm::all_of(Declaration->decls(), [&](const Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      return Add(Var, Var ? Var->getInit() : nullptr);
    });
  const auto *Op = dyn_cast<BinaryOperator>(&Init);
  const auto *Ref = Op && Op->getOpcode() == BO_Assign
                        ? dyn_cast<DeclRefExpr>(Op->getLHS())
                        : nullptr;
  return Ref && Add(dyn_cast<VarDecl>(Ref->getDecl()), Op->getRHS());
}

LoopEntry entryOf(const Stmt &Loop, const ASTContext &Context) {
  LoopEntry Entry;
  const Expr *Condition = conditionOf(Loop);
  const auto *For = dyn_cast<ForStmt>(&Loop);
  Entry.Always = isa<DoStmt>(Loop) || !Condition;
  if (Entry.Always || Condition->HasSideEffects(Context) ||
      (For && For->getInit() &&
       !addFirstValues(*For->getInit(), Entry, Context)))
    return Entry;
  Entry.Condition = Condition;
  Entry.Always = holdsAtFirst(*Condition, Entry, Context);
  return Entry;
}

bool isUnconditional(const Stmt &Loop, const ASTContext &Context) {
  const Expr *Condition = conditionOf(Loop);
  return !isa<CXXForRangeStmt>(Loop) &&
         (!Condition || constantCondition(Condition, Context) == true);
}

} // namespace barricade::grid_barrier::relaunch_loop

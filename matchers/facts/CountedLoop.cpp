// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/CountedLoop.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::facts {
namespace {

/// Reads `++v`, `v -= step` and their likes into \p Loop.
bool readIncrement(const Expr *Increment, const ASTContext &Context,
                   CountedLoop &Loop) {
  if (const auto *Unary = dyn_cast_or_null<UnaryOperator>(Increment);
      Unary && Unary->isIncrementDecrementOp()) {
    Loop.Counter = variableOf(*Unary->getSubExpr());
    Loop.CountsUp = Unary->isIncrementOp();
    return Loop.Counter;
  }
  const auto *Sum = dyn_cast_or_null<CompoundAssignOperator>(Increment);
  if (!Sum ||
      (Sum->getOpcode() != BO_AddAssign && Sum->getOpcode() != BO_SubAssign) ||
      Sum->getRHS()->HasSideEffects(Context) ||
      isa<BinaryOperator>(Sum->getRHS()->IgnoreImpCasts()))
    return false;
  Loop.Counter = variableOf(*Sum->getLHS());
  Loop.CountsUp = Sum->getOpcode() == BO_AddAssign;
  Loop.Step = Sum->getRHS();
  return Loop.Counter;
}

bool readCondition(const Expr *Condition, CountedLoop &Loop) {
  const auto *Comparison = dyn_cast_or_null<BinaryOperator>(
      Condition ? Condition->IgnoreParenImpCasts() : nullptr);
  if (!Comparison || !Comparison->isComparisonOp() ||
      Comparison->getOpcode() == BO_EQ)
    return false;
  const Expr *Left = Comparison->getLHS(), *Right = Comparison->getRHS();
  const bool IsLeft = variableOf(*Left) == Loop.Counter;
  if (IsLeft == (variableOf(*Right) == Loop.Counter))
    return false;
  Loop.Most = IsLeft == Loop.CountsUp ? Right : Left;
  Loop.Least = Loop.Most == Left ? Right : Left;
  // `i < n - i`: the end moves.
  return !holds(Loop.limit(), [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    return Ref && Ref->getDecl() == Loop.Counter;
  });
}

/// What \p Init gives \p Var; null where it does not say.
const Expr *firstValue(const VarDecl &Var, const Stmt *Init) {
  if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(Init)) {
    for (const Decl *D : Declaration->decls())
      if (D == &Var)
        return Var.getInit();
    return nullptr;
  }
  const auto *E = dyn_cast_or_null<Expr>(Init);
  const auto *Op = E ? dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
  if (!Op)
    return nullptr;
  if (Op->getOpcode() == BO_Comma) {
    const Expr *Last = firstValue(Var, Op->getRHS());
    return Last ? Last : firstValue(Var, Op->getLHS());
  }
  return Op->getOpcode() == BO_Assign && variableOf(*Op->getLHS()) == &Var
             ? Op->getRHS()
             : nullptr;
}

} // namespace

std::optional<CountedLoop> readCountedLoop(const ForStmt &For,
                                           const ASTContext &Context) {
  CountedLoop Loop;
  if (!readIncrement(For.getInc(), Context, Loop) ||
      !readCondition(For.getCond(), Loop))
    return std::nullopt;
  Loop.First = firstValue(*Loop.Counter, For.getInit());
  return Loop;
}

bool haveOneType(const Expr &A, const Expr &B, const ASTContext &Context) {
  const Expr *PlainA = A.IgnoreParenImpCasts(),
             *PlainB = B.IgnoreParenImpCasts();
  return PlainA->getType()->isIntegerType() &&
         PlainB->getType()->isIntegerType() &&
         (isa<IntegerLiteral>(PlainA) || isa<IntegerLiteral>(PlainB) ||
          Context.hasSameUnqualifiedType(PlainA->getType(), PlainB->getType()));
}

} // namespace barricade::facts

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-region/LaunchCount.h"
#include "matchers/Statements.h"
#include "matchers/facts/CountedLoop.h"
#include "matchers/launch-fusion/HostExpressions.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::launch_region {
namespace {

/// Leaves \p S before its condition says so.
bool endsEarly(const Stmt &S) {
  return holds(&S, [](const Stmt &Part) {
    return isa<BreakStmt, ReturnStmt, GotoStmt>(Part);
  });
}

/// Nothing but the counter gets a value when \p For begins.
bool beginsAlone(const ForStmt &For) {
  if (const auto *Declared = dyn_cast_or_null<DeclStmt>(For.getInit()))
    return Declared->isSingleDecl();
  const auto *E = dyn_cast_or_null<Expr>(For.getInit());
  const auto *Op = E ? dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
  return Op && Op->getOpcode() == BO_Assign;
}

/// \p E can be computed before \p For, and is the same there.
bool isKnownBefore(const Expr &E, const ForStmt &For, const SourceText &Source,
                   ASTContext &Context) {
  const auto IsDeclaredHere = [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Declared = dyn_cast_or_null<DeclStmt>(For.getInit());
    return Ref && Declared &&
           llvm::is_contained(Declared->decls(), Ref->getDecl());
  };
  return launch_fusion::isPureValue(E, Context) && Source.fileRange(E) &&
         !holds(&E, IsDeclaredHere);
}

std::string textOf(const Expr &E, const SourceText &Source) {
  return Source.text(*Source.fileRange(E)).str();
}

/// Of a difference.
std::string termOf(const Expr &E, const SourceText &Source) {
  return isa<DeclRefExpr, IntegerLiteral>(E.IgnoreImpCasts())
             ? textOf(E, Source)
             : "(" + textOf(E, Source) + ")";
}

} // namespace

LaunchCount countLaunches(const Stmt &Loop, const SourceText &Source,
                          ASTContext &Context) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto Counted = For && !endsEarly(*For)
                           ? facts::readCountedLoop(*For, Context)
                           : std::nullopt;
  if (!Counted || Counted->Step || !Counted->First || !beginsAlone(*For) ||
      !isKnownBefore(*Counted->First, *For, Source, Context) ||
      !isKnownBefore(*Counted->limit(), *For, Source, Context) ||
      !facts::haveOneType(*Counted->First, *Counted->limit(), Context))
    return {};
  LaunchCount Result;
  const Expr &Most = *(Counted->CountsUp ? Counted->Most : Counted->First);
  const Expr &Least = *(Counted->CountsUp ? Counted->First : Counted->Least);
  Expr::EvalResult From, To;
  const bool HasFrom = Least.EvaluateAsInt(From, Context);
  if (HasFrom && Most.EvaluateAsInt(To, Context))
    Result.Known =
        To.Val.getInt().getExtValue() - From.Val.getInt().getExtValue();
  // A loop that does not run may have any distance to go.
  const QualType Type = Counted->Counter->getType();
  if (HasFrom && From.Val.getInt().isZero() &&
      isa<IntegerLiteral>(Least.IgnoreParenImpCasts()))
    Result.Text = termOf(Most, Source);
  else if (Type->isUnsignedIntegerType())
    Result.Text = termOf(Most, Source) + " - " + termOf(Least, Source);
  else if (Context.getIntWidth(Type) < Context.getIntWidth(Context.LongLongTy))
    Result.Text = "static_cast<long long>(" + textOf(Most, Source) + ") - " +
                  termOf(Least, Source);
  return Result;
}

std::string declareReplay(const std::string &Object, const LaunchCount &Count) {
  return "barricade::ReplayedLaunches " + Object +
         (Count.Text.empty() ? "" : "(" + Count.Text + ")") + ";";
}

} // namespace barricade::launch_region

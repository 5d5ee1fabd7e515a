// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-region/LaunchCount.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/CountedLoop.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/Purity.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/Support/MathExtras.h"

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

/// What has a value before \p Counter gets its first, and keeps it then: plain
/// variables, their parts, and arithmetic on them. `i < a[i]`, `i < n / r` with
/// `int &r = i`, and what functions return may look at the counter.
bool isApartFrom(const VarDecl &Counter, const Expr &E) {
  const auto IsOther = [&](const Expr &Part) -> std::optional<bool> {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    if (!Ref)
      return std::nullopt;
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return isa<EnumConstantDecl>(Ref->getDecl()) ||
           (Var && Var != &Counter && !Var->getType()->isReferenceType());
  };
  return !Counter.getType()->isReferenceType() &&
         facts::isPure(E, {facts::PureReach::Parts, IsOther});
}

/// \p E, which the head of \p For computes before anything else, is the same
/// right before the loop.
bool isKnownBefore(const Expr &E, const ForStmt &For, const VarDecl &Counter,
                   const SourceText &Source, ASTContext &Context) {
  const auto IsCounter = [&](const Stmt &S) {
    return variableNamedBy(S) == &Counter;
  };
  // Nobody else knows a counter that is declared there.
  return facts::isPure(E, Context) && Source.fileRange(E) &&
         !facts::dependsOnPlace(E, Context.getSourceManager()) &&
         !holds(&E, IsCounter) &&
         (isa<DeclStmt>(For.getInit()) || isApartFrom(Counter, E));
}

std::string textOf(const Expr &E, const SourceText &Source) {
  return Source.text(*Source.fileRange(E)).str();
}

/// Of a difference.
std::string termOf(const Expr &E, const SourceText &Source) {
  return isa<DeclRefExpr, IntegerLiteral, SubstNonTypeTemplateParmExpr>(
             E.IgnoreImpCasts())
             ? textOf(E, Source)
             : "(" + textOf(E, Source) + ")";
}

std::optional<int64_t> difference(const llvm::APSInt &To,
                                  const llvm::APSInt &From) {
  const std::optional<int64_t> High = To.tryExtValue(),
                               Low = From.tryExtValue();
  int64_t Result;
  return High && Low && !llvm::SubOverflow(*High, *Low, Result)
             ? std::optional(Result)
             : std::nullopt;
}

/// As written: what it is compared with, or becomes, is of no account for a
/// difference.
QualType writtenType(const Expr &E) {
  return E.IgnoreParenImpCasts()->getType();
}

/// What the text of \p E is: of a class or an enumeration, operators and
/// conversions may be the user's.
bool isBuiltin(const Expr &E) {
  const QualType Type = E.IgnoreUnlessSpelledInSource()->getType();
  return Type->isIntegerType() && Type->isBuiltinType();
}

bool isUnsigned(const Expr &E) {
  return writtenType(E)->isUnsignedIntegerType();
}

bool isNarrow(const Expr &E, const ASTContext &Context) {
  return Context.getIntWidth(writtenType(E)) <
         Context.getIntWidth(Context.LongLongTy);
}

} // namespace

LaunchCount countLaunches(const Stmt &Loop, const SourceText &Source,
                          ASTContext &Context) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto Counted = For && !endsEarly(*For)
                           ? facts::readCountedLoop(*For, Context)
                           : std::nullopt;
  if (!Counted || Counted->Step || !Counted->First || !beginsAlone(*For))
    return {};
  const auto IsKnown = [&](const Expr &E) {
    return isKnownBefore(E, *For, *Counted->Counter, Source, Context);
  };
  if (!IsKnown(*Counted->First) || !IsKnown(*Counted->limit()) ||
      !facts::haveOneType(*Counted->First, *Counted->limit(), Context))
    return {};
  LaunchCount Result;
  const Expr &Most = *(Counted->CountsUp ? Counted->Most : Counted->First);
  const Expr &Least = *(Counted->CountsUp ? Counted->First : Counted->Least);
  const auto From = facts::integerOf(Least, Context);
  const auto To = facts::integerOf(Most, Context);
  if (From && To)
    Result.Known = difference(*To, *From);
  if (!isBuiltin(Least) || !isBuiltin(Most))
    return Result;
  // A loop that does not run may have any distance to go.
  if (From && From->isZero() &&
      isa<IntegerLiteral>(Least.IgnoreParenImpCasts()))
    Result.Text = termOf(Most, Source);
  else if (isUnsigned(Most) || isUnsigned(Least))
    Result.Text = termOf(Most, Source) + " - " + termOf(Least, Source);
  else if (isNarrow(Most, Context) && isNarrow(Least, Context))
    Result.Text = "static_cast<long long>(" + textOf(Most, Source) + ") - " +
                  termOf(Least, Source);
  return Result;
}

std::string declareReplay(const std::string &Object, const LaunchCount &Count,
                          bool OfCallees) {
  std::string Given = Count.Text.empty() ? "" : "(" + Count.Text + ")";
  if (OfCallees)
    // In parentheses alone that would declare a function.
    Given = Count.Text.empty() ? "{barricade::OfCallees()}"
                               : "(" + Count.Text + ", barricade::OfCallees())";
  return "barricade::ReplayedLaunches " + Object + Given + ";";
}

std::string replayedBy(const std::string &Object, bool Overlaps) {
  return Object + (Overlaps ? ".launch_overlapped" : ".launch");
}

} // namespace barricade::launch_region

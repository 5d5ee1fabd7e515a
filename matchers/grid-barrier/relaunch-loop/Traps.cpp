// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/Traps.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/grid-barrier/relaunch-loop/HostFunctions.h"
#include "matchers/host/HostCalls.h"
#include "matchers/host/HostVariables.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

namespace {

class TrapFinder {
public:
  explicit TrapFinder(ASTContext &Context) : Context(Context) {}

  bool mayTrap(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&S))
        return !isWithinArray(*Element);
      if (const auto *Call = dyn_cast<CallExpr>(&S))
        return mayTrapWithin(*Call);
      if (const auto *Cast = dyn_cast<CastExpr>(&S))
        return Cast->getCastKind() == CK_FloatingToIntegral &&
               mayBeNoNumber(*Cast->getSubExpr());
      if (const auto *Op = dyn_cast<BinaryOperator>(&S);
          Op && (Op->isShiftOp() || mayOverflow(*Op)))
        return !Op->isShiftOp() || !isShift(*Op);
      const Expr *Divisor = divisorOf(S);
      return Divisor && !isNonZero(*Divisor);
    });
  }

private:
  /// `v[i]` of an array that is a variable, with a constant for i.
  bool isWithinArray(const ArraySubscriptExpr &Element) const {
    const ConstantArrayType *Array = Context.getAsConstantArrayType(
        Element.getBase()->IgnoreParenImpCasts()->getType());
    const auto Index = constantExtents(*Element.getIdx(), Context)[0];
    return host::variableOf(Element) && Array && Index &&
           *Index < Array->getSize().getZExtValue();
  }

  /// A product of numbers none of which is known; a constant's fits for what
  /// sizes there are.
  bool mayOverflow(const BinaryOperator &Op) const {
    const auto IsKnown = [&](const Expr &E) {
      return constantExtents(E, Context)[0].has_value();
    };
    return Op.getOpcode() == BO_Mul &&
           Op.getType()->isSignedIntegerOrEnumerationType() &&
           !IsKnown(*Op.getLHS()) && !IsKnown(*Op.getRHS());
  }

  /// By a constant that the type has bits for.
  bool isShift(const BinaryOperator &Op) const {
    const auto Amount = constantExtents(*Op.getRHS(), Context)[0];
    return Amount && *Amount < Context.getIntWidth(Op.getType());
  }

  /// An infinity, for instance: of a quotient whose divisor may be zero.
  bool mayBeNoNumber(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      const Expr *Divisor = divisorOf(S);
      if (!Divisor || !Divisor->getType()->isFloatingType())
        return false;
      const Expr &Plain = *Divisor->IgnoreParenCasts();
      if (!Plain.getType()->isFloatingType())
        return !isNonZero(Plain);
      const auto Float = facts::floatOf(*Divisor, Context);
      return !Float || Float->isZero();
    });
  }

  bool mayTrapWithin(const CallExpr &Call) const {
    const host::HostCallKind Kind =
        host::classifyHostCall(Call, Context.getSourceManager());
    if (Kind == host::HostCallKind::Rounding ||
        Kind == host::HostCallKind::Extremum)
      return false;
    const Expr *Value = returnedValue(Call, Context);
    return !Value || holds(Value, [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      const auto *Cast = dyn_cast<CastExpr>(&S);
      if (isa<ArraySubscriptExpr>(S) ||
          (Op && Op->isShiftOp() && !isShift(*Op)) ||
          (Cast && Cast->getCastKind() == CK_FloatingToIntegral &&
           mayBeNoNumber(*Cast->getSubExpr())))
        return true;
      const Expr *Divisor = divisorOf(S);
      if (!Divisor || isNonZero(*Divisor))
        return false;
      const auto *Ref = dyn_cast<DeclRefExpr>(Divisor->IgnoreParenImpCasts());
      const auto *Param = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
      return !Param || !isNonZero(*Call.getArg(Param->getFunctionScopeIndex()));
    });
  }

  static const Expr *divisorOf(const Stmt &S) {
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    return Op && (Op->getOpcode() == BO_Div || Op->getOpcode() == BO_Rem)
               ? Op->getRHS()
               : nullptr;
  }

  /// Or a divisor of another kind than whole numbers.
  bool isNonZero(const Expr &E) const {
    return E.getType()->isFloatingType() ||
           constantExtents(E, Context)[0].value_or(0) != 0;
  }

  ASTContext &Context;
};

} // namespace

bool mayTrap(const Expr &E, ASTContext &Context) {
  return TrapFinder(Context).mayTrap(E);
}

} // namespace barricade::grid_barrier::relaunch_loop

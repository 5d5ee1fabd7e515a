// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the device compute the same value as the host: operators and
// conversions.

#include "matchers/grid-barrier/relaunch-loop/Data.h"
#include "matchers/grid-barrier/relaunch-loop/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

bool ValueReader::readCast(const CastExpr &Cast) {
  switch (Cast.getCastKind()) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_BitCast:
  case CK_NullToPointer:
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_PointerToBoolean:
  case CK_ConstructorConversion:
  case CK_FloatingCast:
  case CK_FloatingToBoolean:
    return isPlainData(Cast.getType(), L.Context)
               ? readValue(*Cast.getSubExpr()) && checkConversion(Cast)
               : L.refuse(ReasonId::HostVariable, Cast.getBeginLoc());
  default:
    return L.refuse(ReasonId::HostStatement, Cast.getBeginLoc());
  }
}

/// Denormal numbers come out of these, or go in.
bool ValueReader::checkConversion(const CastExpr &Cast) {
  if (Cast.getCastKind() == CK_FloatingCast)
    return checkFloating(Cast, Cast.getType()) &&
           checkFloating(Cast, Cast.getSubExpr()->getType());
  return Cast.getCastKind() != CK_FloatingToBoolean ||
         checkFloating(Cast, Cast.getSubExpr()->getType());
}

bool ValueReader::readUnary(const UnaryOperator &Op) {
  switch (Op.getOpcode()) {
  case UO_Plus:
  case UO_Minus:
  case UO_Not:
  case UO_LNot:
    return readValue(*Op.getSubExpr());
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec:
    return readValue(*Op.getSubExpr()) && checkFloating(Op, Op.getType()) &&
           readWrite(*Op.getSubExpr());
  case UO_AddrOf:
    // `&p[i]` is `p + i`.
    if (const auto *Element =
            dyn_cast<ArraySubscriptExpr>(Op.getSubExpr()->IgnoreParens()))
      return readValue(*Element->getBase()) && readValue(*Element->getIdx());
    return L.refuse(ReasonId::HostMemory, Op.getBeginLoc());
  case UO_Deref:
    return L.refuse(ReasonId::HostMemory, Op.getBeginLoc());
  default:
    return L.refuse(ReasonId::HostStatement, Op.getBeginLoc());
  }
}

static QualType computedType(const BinaryOperator &Op) {
  const auto *Compound = dyn_cast<CompoundAssignOperator>(&Op);
  return Compound ? Compound->getComputationLHSType() : Op.getLHS()->getType();
}

static bool isMultiplication(const BinaryOperator &Op) {
  return Op.getOpcode() == BO_Mul || Op.getOpcode() == BO_MulAssign;
}

bool ValueReader::readBinary(const BinaryOperator &Op) {
  if (Op.isPtrMemOp())
    return L.refuse(ReasonId::HostMemory, Op.getBeginLoc());
  const bool Computes = Op.isMultiplicativeOp() || Op.isAdditiveOp() ||
                        Op.isComparisonOp() || Op.isCompoundAssignmentOp();
  return readValue(*Op.getLHS()) && readValue(*Op.getRHS()) &&
         (!Computes || checkFloating(Op, computedType(Op))) &&
         (!isMultiplication(Op) || checkNoProduct(Op)) &&
         (!Op.isAssignmentOp() || readWrite(*Op.getLHS()));
}

/// Host and device do the same to numbers of \p Type: IEEE 754's operations,
/// but where either build may flush, approximate or reorder.
bool ValueReader::checkFloating(const Expr &Whole, QualType Type) {
  const bool IsSingle = Type->isSpecificBuiltinType(BuiltinType::Float);
  return !Capturing || !Type->isFloatingType() ||
         !(L.Context.getLangOpts().FastMath || (IsSingle && L.Unit.FastMath) ||
           !L.Unit.HostFloatOption.empty() ||
           L.unitUses().setsFloatingEnvironment()) ||
         L.refuse(ReasonId::FloatArithmetic, Whole.getBeginLoc());
}

/// Whatever adds a product may be contracted, the kernel's statements too.
bool ValueReader::checkNoProduct(const BinaryOperator &Op) {
  return !Capturing || !computedType(Op)->isFloatingType() ||
         L.refuse(ReasonId::FloatArithmetic, Op.getBeginLoc());
}

} // namespace barricade::grid_barrier::relaunch_loop

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/SmallValues.h"
#include "matchers/facts/Constants.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace barricade::grid_barrier {

/// More buffers than that no loop takes in turn.
static constexpr size_t MostConstants = 8;

SmallValues SmallValues::one(int64_t Value) {
  SmallValues Result;
  Result.Set.push_back(Value);
  return Result;
}

SmallValues SmallValues::nonNegative() {
  SmallValues Result;
  Result.Kind = NonNegative;
  return Result;
}

SmallValues SmallValues::any() {
  SmallValues Result;
  Result.Kind = Any;
  return Result;
}

bool SmallValues::isNonNegative() const {
  return Kind == NonNegative ||
         (Kind == Constants && (Set.empty() || Set.front() >= 0));
}

void SmallValues::include(const SmallValues &Others) {
  const bool AllNonNegative = isNonNegative() && Others.isNonNegative();
  const bool AreConstants = Kind == Constants && Others.Kind == Constants;
  Set.append(Others.Set.begin(), Others.Set.end());
  llvm::sort(Set);
  Set.erase(llvm::unique(Set), Set.end());
  if (AreConstants && Set.size() <= MostConstants)
    return;
  Set.clear();
  Kind = AllNonNegative ? NonNegative : Any;
}

const llvm::SmallVectorImpl<int64_t> *SmallValues::constants() const {
  return Kind == Constants ? &Set : nullptr;
}

std::optional<int64_t> SmallValues::constant() const {
  return Kind == Constants && Set.size() == 1 ? std::optional(Set.front())
                                              : std::nullopt;
}

namespace {

bool isWholeNumber(QualType Type, const ASTContext &Context) {
  return Type->isIntegralOrEnumerationType() && Context.getIntWidth(Type) <= 64;
}

/// \p Value as \p Type has it, modulo the type's size.
std::optional<int64_t> wrapped(int64_t Value, QualType Type,
                               const ASTContext &Context) {
  if (Type->isBooleanType())
    return Value != 0;
  const llvm::APSInt Bits(
      llvm::APInt(64, uint64_t(Value)).trunc(Context.getIntWidth(Type)),
      Type->isUnsignedIntegerOrEnumerationType());
  return Bits.tryExtValue();
}

/// A number that is not negative is none in type \p To, too.
bool staysNonNegative(QualType From, QualType To, const ASTContext &Context) {
  const bool WasSigned = From->isSignedIntegerOrEnumerationType();
  const unsigned Bits = Context.getIntWidth(From) - WasSigned;
  return Context.getIntWidth(To) - To->isSignedIntegerOrEnumerationType() >=
         Bits;
}

SmallValues converted(const SmallValues &Values, QualType From, QualType To,
                      const ASTContext &Context) {
  if (!isWholeNumber(From, Context) || !isWholeNumber(To, Context))
    return SmallValues::any();
  const auto *Constants = Values.constants();
  if (!Constants)
    return Values.isNonNegative() && staysNonNegative(From, To, Context) &&
                   !To->isBooleanType()
               ? SmallValues::nonNegative()
               : valuesOf(To, Context);
  SmallValues Result;
  for (int64_t Value : *Constants)
    if (const auto New = wrapped(Value, To, Context))
      Result.include(SmallValues::one(*New));
    else
      Result.include(valuesOf(To, Context));
  return Result;
}

/// Null where that is undefined, or does not fit.
std::optional<int64_t> compute(int64_t A, BinaryOperatorKind Op, int64_t B,
                               unsigned Width) {
  int64_t Result = 0;
  switch (Op) {
  case BO_Add:
    return llvm::AddOverflow(A, B, Result) ? std::nullopt
                                           : std::optional(Result);
  case BO_Sub:
    return llvm::SubOverflow(A, B, Result) ? std::nullopt
                                           : std::optional(Result);
  case BO_Mul:
    return llvm::MulOverflow(A, B, Result) ? std::nullopt
                                           : std::optional(Result);
  case BO_Div:
    return B == 0 || B == -1 ? std::nullopt : std::optional(A / B);
  case BO_Rem:
    return B == 0 || B == -1 ? std::nullopt : std::optional(A % B);
  case BO_And:
    return A & B;
  case BO_Or:
    return A | B;
  case BO_Xor:
    return A ^ B;
  case BO_Shr:
    return A < 0 || B < 0 || B >= Width ? std::nullopt : std::optional(A >> B);
  case BO_LT:
    return A < B;
  case BO_GT:
    return A > B;
  case BO_LE:
    return A <= B;
  case BO_GE:
    return A >= B;
  case BO_EQ:
    return A == B;
  case BO_NE:
    return A != B;
  case BO_LAnd:
    return A && B;
  case BO_LOr:
    return A || B;
  default:
    return std::nullopt;
  }
}

/// \p Value is one of \p Type. Beyond it signed arithmetic is undefined,
/// unsigned wraps around.
bool isOf(QualType Type, int64_t Value, const ASTContext &Context) {
  return wrapped(Value, Type, Context) == Value;
}

/// `Left % Right` of constants that are positive, or `Left & Right` of those
/// that are not negative: less than the largest of them, or not more.
SmallValues bounded(const SmallValues &Left, BinaryOperatorKind Op,
                    const SmallValues &Right) {
  const auto *Constants = Right.constants();
  if (!Constants || Constants->empty() || !Right.isNonNegative())
    return SmallValues::any();
  const int64_t Most = Constants->back() - (Op == BO_Rem);
  const bool IsRemainder = Op == BO_Rem;
  if (IsRemainder && (Constants->front() == 0 || !Left.isNonNegative()))
    return SmallValues::any();
  if (Most >= int64_t(MostConstants))
    return SmallValues::nonNegative();
  SmallValues Result;
  for (int64_t Value = 0; Value <= Most; ++Value)
    Result.include(SmallValues::one(Value));
  return Result;
}

/// Of values of which not all are known.
SmallValues computeUnknown(const SmallValues &Left, BinaryOperatorKind Op,
                           const SmallValues &Right, QualType Type,
                           const ASTContext &Context) {
  SmallValues Result = SmallValues::any();
  if (Op == BO_Rem)
    Result = bounded(Left, Op, Right);
  else if (Op == BO_And)
    Result =
        Right.constants() ? bounded(Left, Op, Right) : bounded(Right, Op, Left);
  else if (Left.isNonNegative() && Right.isNonNegative() &&
           llvm::is_contained({BO_Add, BO_Mul, BO_Div, BO_Shr, BO_Or, BO_Xor},
                              Op))
    // Signed numbers would overflow before they became negative.
    Result = SmallValues::nonNegative();
  return Result == SmallValues::any() ? valuesOf(Type, Context) : Result;
}

/// \p Type: of the result.
SmallValues compute(const SmallValues &Left, BinaryOperatorKind Op,
                    const SmallValues &Right, QualType Type,
                    const ASTContext &Context) {
  const auto *Lefts = Left.constants(), *Rights = Right.constants();
  if (!Lefts || !Rights)
    return computeUnknown(Left, Op, Right, Type, Context);
  SmallValues Result;
  for (int64_t A : *Lefts)
    for (int64_t B : *Rights) {
      const auto Value = compute(A, Op, B, Context.getIntWidth(Type));
      const auto Fitting =
          Value && (Type->isUnsignedIntegerOrEnumerationType() ||
                    isOf(Type, *Value, Context))
              ? wrapped(*Value, Type, Context)
              : std::nullopt;
      Result.include(Fitting ? SmallValues::one(*Fitting)
                             : valuesOf(Type, Context));
    }
  return Result;
}

class Evaluator {
public:
  Evaluator(ValuesOfVariable OfVariable, const ASTContext &Context)
      : OfVariable(OfVariable), Context(Context) {}

  SmallValues of(const Expr &Whole) const {
    const Expr &E = *Whole.IgnoreParens();
    if (!isWholeNumber(E.getType(), Context))
      return SmallValues::any();
    if (const auto Constant = facts::integerOf(E, Context))
      if (const auto Value = Constant->tryExtValue())
        return SmallValues::one(*Value);
    if (const auto *Cast = dyn_cast<CastExpr>(&E))
      return ofCast(*Cast);
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return ofUnary(*Op);
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return ofBinary(*Op);
    if (const auto *Op = dyn_cast<ConditionalOperator>(&E)) {
      SmallValues Result = of(*Op->getTrueExpr());
      Result.include(of(*Op->getFalseExpr()));
      return Result;
    }
    return valuesOf(E.getType(), Context);
  }

private:
  SmallValues ofCast(const CastExpr &Cast) const {
    const Expr &Inner = *Cast.getSubExpr();
    switch (Cast.getCastKind()) {
    case CK_LValueToRValue: {
      const auto *Ref = dyn_cast<DeclRefExpr>(Inner.IgnoreParens());
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      return Var ? OfVariable(*Var) : valuesOf(Cast.getType(), Context);
    }
    case CK_NoOp:
    case CK_IntegralCast:
    case CK_IntegralToBoolean:
      return converted(of(Inner), Inner.getType(), Cast.getType(), Context);
    default:
      return valuesOf(Cast.getType(), Context);
    }
  }

  SmallValues ofUnary(const UnaryOperator &Op) const {
    switch (Op.getOpcode()) {
    case UO_Plus:
      return of(*Op.getSubExpr());
    case UO_Minus:
      return compute(SmallValues::one(0), BO_Sub, of(*Op.getSubExpr()),
                     Op.getType(), Context);
    case UO_Not:
      return compute(of(*Op.getSubExpr()), BO_Xor, SmallValues::one(-1),
                     Op.getType(), Context);
    case UO_LNot:
      return compute(of(*Op.getSubExpr()), BO_EQ, SmallValues::one(0),
                     Op.getType(), Context);
    default:
      return valuesOf(Op.getType(), Context);
    }
  }

  SmallValues ofBinary(const BinaryOperator &Op) const {
    // What is left of a comma, or of `x = 1`, is not looked at.
    if (Op.isAssignmentOp() || Op.isCommaOp())
      return valuesOf(Op.getType(), Context);
    return compute(of(*Op.getLHS()), Op.getOpcode(), of(*Op.getRHS()),
                   Op.getType(), Context);
  }

  ValuesOfVariable OfVariable;
  const ASTContext &Context;
};

} // namespace

SmallValues valuesOf(const Expr &E, ValuesOfVariable OfVariable,
                     const ASTContext &Context) {
  return Evaluator(OfVariable, Context).of(E);
}

SmallValues valuesOf(QualType Type, const ASTContext &Context) {
  if (Type->isBooleanType()) {
    SmallValues Both = SmallValues::one(0);
    Both.include(SmallValues::one(1));
    return Both;
  }
  return Type->isUnsignedIntegerOrEnumerationType() ? SmallValues::nonNegative()
                                                    : SmallValues::any();
}

SmallValues valuesAfter(const SmallValues &Old, BinaryOperatorKind Op,
                        const SmallValues &Right, QualType Type,
                        QualType Computed, const ASTContext &Context) {
  if (!isWholeNumber(Type, Context) || !isWholeNumber(Computed, Context))
    return valuesOf(Type, Context);
  return converted(compute(converted(Old, Type, Computed, Context), Op, Right,
                           Computed, Context),
                   Computed, Type, Context);
}

} // namespace barricade::grid_barrier

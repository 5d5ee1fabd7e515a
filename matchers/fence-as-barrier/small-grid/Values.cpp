// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/fence-as-barrier/small-grid/Values.h"
#include "matchers/facts/Constants.h"
#include "clang/AST/ASTContext.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace barricade::fence_as_barrier::small_grid {

Value mix(const Value &A, const Value &B) {
  return Value::unknown(A.Foreign || B.Foreign);
}

int64_t Arithmetic::sizeOf(QualType T) const {
  return T->isIncompleteType() || T->isFunctionType()
             ? 1
             : Context.getTypeSizeInChars(T).getQuantity();
}

Value Arithmetic::normalized(Value V, QualType T) const {
  if (!V.isInt() || !T->isIntegralOrEnumerationType())
    return V;
  if (T->isBooleanType())
    return Value::integer(V.Int != 0);
  unsigned Bits = Context.getIntWidth(T);
  if (Bits >= 64)
    return V;
  uint64_t Low = uint64_t(V.Int) & ((uint64_t(1) << Bits) - 1);
  return Value::integer(T->isSignedIntegerOrEnumerationType()
                            ? llvm::SignExtend64(Low, Bits)
                            : int64_t(Low));
}

Value Arithmetic::constant(const Expr &E) const {
  const auto Known = facts::integerOf(E, Context);
  return Known ? normalized(Value::integer(Known->getExtValue()), E.getType())
               : Value();
}

Value Arithmetic::compute(BinaryOperatorKind Opcode, const Value &L,
                          const Value &R, QualType Operands,
                          QualType Result) const {
  if (!L.isInt() || !R.isInt() || !Operands->isIntegralOrEnumerationType())
    return mix(L, R);
  bool Signed = Operands->isSignedIntegerOrEnumerationType();
  int64_t A = L.Int, B = R.Int;
  uint64_t UA = A, UB = B;
  auto Finish = [&](uint64_t V) {
    return normalized(Value::integer(int64_t(V)), Result);
  };
  switch (Opcode) {
  case BO_Add:
    return Finish(UA + UB);
  case BO_Sub:
    return Finish(UA - UB);
  case BO_Mul:
    return Finish(UA * UB);
  case BO_Div:
  case BO_Rem:
    if (B == 0 || (Signed && A == INT64_MIN && B == -1))
      return {};
    if (Opcode == BO_Div)
      return Finish(Signed ? uint64_t(A / B) : UA / UB);
    return Finish(Signed ? uint64_t(A % B) : UA % UB);
  case BO_Shl:
    return B >= 0 && B < 64 ? Finish(UA << B) : Value();
  case BO_Shr:
    if (B < 0 || B >= 64)
      return {};
    return Finish(Signed ? uint64_t(A >> B) : UA >> B);
  case BO_And:
    return Finish(UA & UB);
  case BO_Or:
    return Finish(UA | UB);
  case BO_Xor:
    return Finish(UA ^ UB);
  case BO_LT:
    return Value::integer(Signed ? A < B : UA < UB);
  case BO_GT:
    return Value::integer(Signed ? A > B : UA > UB);
  case BO_LE:
    return Value::integer(Signed ? A <= B : UA <= UB);
  case BO_GE:
    return Value::integer(Signed ? A >= B : UA >= UB);
  case BO_EQ:
    return Value::integer(A == B);
  case BO_NE:
    return Value::integer(A != B);
  default:
    return {};
  }
}

Value Arithmetic::computePointer(BinaryOperatorKind Opcode, const Value &L,
                                 const Value &R,
                                 const BinaryOperator &Op) const {
  bool Left = L.Kind == Value::Pointer;
  const Value &Base = Left ? L : R, &Other = Left ? R : L;
  QualType Type = (Left ? Op.getLHS() : Op.getRHS())->getType();
  if (Op.isAdditiveOp() || Op.isCompoundAssignmentOp()) {
    if (Other.Kind == Value::Pointer || !Type->isPointerType())
      return mix(L, R);
    std::optional<int64_t> Bytes;
    if (Other.isInt())
      Bytes = (Opcode == BO_Sub ? -1 : 1) * Other.Int *
              sizeOf(Type->getPointeeType());
    return Value::pointer(Base.Target.plus(Bytes));
  }
  if (L.Kind == R.Kind && L.Target.In == R.Target.In && L.Target.Offset &&
      R.Target.Offset && Op.isComparisonOp())
    return compute(Opcode, Value::integer(*L.Target.Offset),
                   Value::integer(*R.Target.Offset), Context.LongLongTy,
                   Context.BoolTy);
  return mix(L, R);
}

} // namespace barricade::fence_as_barrier::small_grid

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the value of an expression is, as far as it comes from indices,
// constants and the host's scalars.

#include "matchers/facts/DeviceCalls.h"
#include "matchers/fence-as-barrier/small-grid/ThreadRun.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::fence_as_barrier::small_grid {

/// Evaluates the parts of what is not modelled.
Value ThreadRun::childrenOf(const Stmt &S) {
  Value V;
  for (const Stmt *Child : S.children())
    if (const auto *E = dyn_cast_or_null<Expr>(Child))
      V = mix(V,
              E->isGLValue() ? (place(E), Value::unknown(true)) : evaluate(E));
  return V;
}

Value ThreadRun::index(llvm::StringRef Variable, char Member) const {
  if (Variable == "warpSize")
    return Value::integer(WarpLanes);
  if (Member < 'x' || Member > 'z')
    return {};
  unsigned Dim = Member - 'x';
  const LaunchShape &Shape = R.Grid.shape();
  return Value::integer(llvm::StringSwitch<unsigned>(Variable)
                            .Case("threadIdx", ThreadIndex[Dim])
                            .Case("blockIdx", BlockIndex[Dim])
                            .Case("blockDim", Shape.Block[Dim])
                            .Default(Shape.Grid[Dim]));
}

Value ThreadRun::evaluate(const Expr *E) {
  if (++R.Steps > MaxSteps)
    giveUp();
  if (Ended)
    return {};
  E = E->IgnoreParens();
  char Member = 0;
  if (isa<PseudoObjectExpr, MSPropertyRefExpr>(E))
    if (llvm::StringRef Variable = builtinIndexVariable(*E, Member);
        !Variable.empty())
      return index(Variable, Member);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(*Cast);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(*Op);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(*Op);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return evaluateChoice(*Choice);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(*Call, {});
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(Subst->getReplacement());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(Default->getExpr());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() ? evaluate(Opaque->getSourceExpr())
                                   : Value();
  if (isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr, DeclRefExpr,
          UnaryExprOrTypeTraitExpr, TypeTraitExpr, ImplicitValueInitExpr,
          CXXScalarValueInitExpr>(E))
    return Math.constant(*E);
  if (isa<CXXThisExpr>(E))
    return Value::pointer(Top->This);
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (!E->getType()->isRecordType() && !E->getType()->isArrayType())
      return List->getNumInits() == 1 ? evaluate(List->getInit(0))
                                      : childrenOf(*List);
    initialize({newObject(), 0}, E->getType(), List);
    return {};
  }
  if (isa<AtomicExpr>(E)) {
    (void)childrenOf(*E);
    return Value::unknown(true);
  }
  if (isa<StmtExpr, LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXDefaultInitExpr,
          CXXInheritedCtorInitExpr>(E)) {
    wait();
    return {};
  }
  if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(E)) {
    initialize({newObject(), 0}, E->getType(), Temporary);
    return {};
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    construct({newObject(), 0}, *Construct);
    return {};
  }
  return childrenOf(*E);
}

Value ThreadRun::evaluateCast(const CastExpr &Cast) {
  const Expr *Sub = Cast.getSubExpr();
  char Member = 0;
  switch (Cast.getCastKind()) {
  case CK_LValueToRValue: {
    if (llvm::StringRef Variable = builtinIndexVariable(*Sub, Member);
        !Variable.empty())
      return index(Variable, Member);
    const auto *Ref = dyn_cast<DeclRefExpr>(Sub->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && (Var->isConstexpr() || Var->hasGlobalStorage()) &&
        Var->getType().isConstQualified())
      if (Value V = Math.constant(*Sub); V.isInt())
        return V;
    PlaceInObject P = place(Sub);
    return load(P, Sub->getType(), *Sub->IgnoreParenImpCasts());
  }
  case CK_IntegralCast:
    return Math.normalized(evaluate(Sub), Cast.getType());
  case CK_IntegralToBoolean: {
    Value V = evaluate(Sub);
    return V.isInt() ? Value::integer(V.Int != 0) : Value::unknown(V.Foreign);
  }
  case CK_ArrayToPointerDecay: {
    PlaceInObject P = place(Sub);
    LocalsExposed |= P.In && P.In->Space == Object::Local;
    return P.In ? Value::pointer(P) : Value::unknown(true);
  }
  case CK_NoOp:
  case CK_BitCast:
  case CK_AddressSpaceConversion:
    return evaluate(Sub);
  case CK_UncheckedDerivedToBase:
  case CK_DerivedToBase: {
    // Only a first base lies where the whole object does.
    Value V = evaluate(Sub);
    return Cast.path_size() == 1 ? Value::unknown(V.Foreign) : V;
  }
  default:
    return Sub->isGLValue() ? childrenOf(Cast) : mix(evaluate(Sub), {});
  }
}

Value ThreadRun::evaluateUnary(const UnaryOperator &Op) {
  const Expr *Sub = Op.getSubExpr();
  if (Op.getOpcode() == UO_AddrOf) {
    PlaceInObject P = place(Sub);
    LocalsExposed |= P.In && P.In->Space == Object::Local;
    return P.In ? Value::pointer(P) : Value::unknown(true);
  }
  if (Op.isIncrementDecrementOp()) {
    PlaceInObject P = place(Sub);
    QualType T = Sub->getType();
    Value Old = load(P, T, *Sub->IgnoreParens());
    int64_t Step = Op.isIncrementOp() ? 1 : -1;
    Value New = mix(Old, {});
    if (Old.isInt())
      New = Math.normalized(Value::integer(Old.Int + Step), T);
    else if (Old.Kind == Value::Pointer)
      New = Value::pointer(
          Old.Target.plus(Step * Math.sizeOf(T->getPointeeType())));
    store(P, T, Sub->IgnoreParens(), New);
    return Op.isPrefix() ? New : Old;
  }
  Value V = evaluate(Sub);
  if (!V.isInt())
    return mix(V, {});
  switch (Op.getOpcode()) {
  case UO_Plus:
    return V;
  case UO_Minus:
    return Math.normalized(Value::integer(int64_t(0 - uint64_t(V.Int))),
                           Op.getType());
  case UO_Not:
    return Math.normalized(Value::integer(~V.Int), Op.getType());
  case UO_LNot:
    return Value::integer(V.Int == 0);
  default:
    return {};
  }
}

Value ThreadRun::evaluateBinary(const BinaryOperator &Op) {
  const Expr *Left = Op.getLHS(), *Right = Op.getRHS();
  if (Op.isLogicalOp())
    return evaluateLogical(Op);
  if (Op.isCommaOp()) {
    (void)(Left->isGLValue() ? (place(Left), Value()) : evaluate(Left));
    return evaluate(Right);
  }
  if (Op.isPtrMemOp())
    return childrenOf(Op);
  if (Op.getOpcode() == BO_Assign) {
    Value V = evaluate(Right);
    store(place(Left), Left->getType(), Left->IgnoreParens(), V);
    return V;
  }
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(&Op)) {
    BinaryOperatorKind Opcode =
        BinaryOperator::getOpForCompoundAssignment(Op.getOpcode());
    Value V = evaluate(Right);
    PlaceInObject P = place(Left);
    Value Old = load(P, Left->getType(), *Left->IgnoreParens());
    QualType Type = Compound->getComputationLHSType();
    Value New = Old.Kind == Value::Pointer
                    ? Math.computePointer(Opcode, Old, V, Op)
                    : Math.compute(Opcode, Math.normalized(Old, Type), V, Type,
                                   Compound->getComputationResultType());
    New = Math.normalized(New, Left->getType());
    store(P, Left->getType(), Left->IgnoreParens(), New);
    return New;
  }
  Value L = evaluate(Left), V = evaluate(Right);
  if (L.Kind == Value::Pointer || V.Kind == Value::Pointer)
    return Math.computePointer(Op.getOpcode(), L, V, Op);
  return Math.compute(Op.getOpcode(), L, V, Left->getType(), Op.getType());
}

Value ThreadRun::evaluateLogical(const BinaryOperator &Op) {
  bool IsAnd = Op.getOpcode() == BO_LAnd;
  Value L = evaluate(Op.getLHS());
  if (L.isInt()) {
    if ((L.Int != 0) != IsAnd)
      return Value::integer(!IsAnd);
    Value V = evaluate(Op.getRHS());
    return V.isInt() ? Value::integer(V.Int != 0) : V;
  }
  unsurely(L, {Op.getRHS()});
  return L;
}

Value ThreadRun::evaluateChoice(const ConditionalOperator &Choice) {
  Value C = evaluate(Choice.getCond());
  if (C.isInt())
    return evaluate(C.Int ? Choice.getTrueExpr() : Choice.getFalseExpr());
  unsurely(C, {Choice.getTrueExpr(), Choice.getFalseExpr()});
  return Value::unknown(true);
}

} // namespace barricade::fence_as_barrier::small_grid

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operator, a cast or a constructed value costs.

#include "matchers/cost/Execution.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

/// Something that is done whether or not its result is used.
Id Execution::effect(unsigned Cost, llvm::ArrayRef<Id> Args) {
  Id Value = Graph.fresh(Level, Args, Cost);
  Graph.require(Value);
  ++SideEffects;
  return Value;
}

Id Execution::record(llvm::ArrayRef<Id> Fields) {
  Id Value = Graph.fresh(nullptr, Fields, 0);
  Records[Value].assign(Fields.begin(), Fields.end());
  return Value;
}

Id Execution::fieldOf(Id Record, const FieldDecl *Field) {
  if (auto It = Records.find(Record);
      It != Records.end() && Field->getFieldIndex() < It->second.size())
    return It->second[Field->getFieldIndex()];
  if (auto It = Deferred.find(Record); It != Deferred.end()) {
    Location Part = fieldIn(It->second, Field);
    return load(Part);
  }
  return Graph.value("field", {Record}, 0, Field);
}

Id Execution::withField(Id Record, llvm::ArrayRef<const FieldDecl *> Path,
                        Id Value) {
  Ids Fields;
  for (const FieldDecl *Field : Path.front()->getParent()->fields())
    Fields.push_back(fieldOf(Record, Field));
  Id &Part = Fields[Path.front()->getFieldIndex()];
  Part = Path.size() == 1 ? Value : withField(Part, Path.drop_front(), Value);
  return record(Fields);
}

/// `/` and `%`, as nvcc 13.0 compiles them for sm_90.
Id Execution::division(BinaryOperatorKind Op, QualType T, Id L, Id R,
                       const Expr *Right) {
  bool IsRemainder = Op == BO_Rem;
  unsigned Cost = 1;
  bool IsShift = false;
  if (T->isIntegerType()) {
    bool IsWide = Ctx.getTypeSize(T) > 32;
    std::optional<int64_t> C;
    if (Right && Right->getType()->isIntegerType())
      C = Current->Values->evaluate(*Right).asConstant();
    IsShift = C && *C > 0 && llvm::isPowerOf2_64(*C);
    if (IsShift)
      Cost = T->isUnsignedIntegerType() ? 1 : IsRemainder ? 5 : 4;
    else if (C)
      Cost = (T->isUnsignedIntegerType() ? 3 : 4) + (IsRemainder ? 2 : 0);
    else
      Cost = IsWide ? 12 : 1;
  }
  Id Value = Graph.value(IsRemainder ? "%" : "/", {L, R}, Cost,
                         T.getCanonicalType().getTypePtr());
  if (const LoopLevel *At = Graph.level(Value); At && !IsShift)
    Counts.Divisions += At->Times;
  return Value;
}

Id Execution::arithmetic(BinaryOperatorKind Op, QualType T, Id L, Id R,
                         const Expr *Right) {
  if (Op == BO_Div || Op == BO_Rem)
    return division(Op, T, L, R, Right);
  Id Value = Graph.value(BinaryOperator::getOpcodeStr(Op), {L, R}, 1,
                         T.getCanonicalType().getTypePtr());
  if (Op == BO_Mul)
    Products.insert(Value);
  if (Op == BO_Add || Op == BO_Sub) {
    if (Products.contains(L))
      Graph.mayFuse(Value, L);
    else if (Products.contains(R))
      Graph.mayFuse(Value, R);
  }
  return Value;
}

Id Execution::evaluateCast(const CastExpr &Cast) {
  const Expr *Sub = Cast.getSubExpr();
  switch (Cast.getCastKind()) {
  case CK_LValueToRValue:
    return load(locate(Sub));
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingCast: {
    Id Value = evaluate(Sub);
    return Graph.value("convert", {Value}, 1,
                       Cast.getType().getCanonicalType().getTypePtr());
  }
  case CK_IntegralCast: {
    // A narrow load extends for free, a narrow store drops for free.
    Id Value = evaluate(Sub);
    bool Widens = Ctx.getTypeSize(Cast.getType()) > 32 &&
                  Ctx.getTypeSize(Sub->getType()) <= 32;
    return Widens ? Graph.value("widen", {Value}, 1) : Value;
  }
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
  case CK_PointerToBoolean:
    return condition(Sub);
  default:
    return evaluate(Sub);
  }
}

Id Execution::evaluateBinary(const BinaryOperator &Op) {
  if (Op.isLogicalOp() || Op.isComparisonOp())
    return condition(&Op);
  if (Op.isCommaOp()) {
    evaluate(Op.getLHS());
    return evaluate(Op.getRHS());
  }
  if (Op.getOpcode() == BO_Assign) {
    Id Value = evaluate(Op.getRHS());
    store(locate(Op.getLHS()), Value);
    return Value;
  }
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(&Op)) {
    Id R = evaluate(Op.getRHS());
    Location To = locate(Op.getLHS());
    Id L = load(To);
    QualType Computed = Compound->getComputationResultType();
    bool Converts =
        Computed->isRealFloatingType() != Op.getType()->isRealFloatingType() ||
        (Computed->isRealFloatingType() &&
         Ctx.getTypeSize(Computed) != Ctx.getTypeSize(Op.getType()));
    if (Converts)
      L = Graph.value("convert", {L}, 1, Computed.getTypePtr());
    Id Value =
        arithmetic(BinaryOperator::getOpForCompoundAssignment(Op.getOpcode()),
                   Computed, L, R, Op.getRHS());
    if (Converts)
      Value = Graph.value("convert", {Value}, 1, Op.getType().getTypePtr());
    store(To, Value);
    return Value;
  }
  Id L = evaluate(Op.getLHS());
  Id R = evaluate(Op.getRHS());
  return arithmetic(Op.getOpcode(), Op.getType(), L, R, Op.getRHS());
}

Id Execution::evaluateUnary(const UnaryOperator &Op) {
  const Expr *Sub = Op.getSubExpr();
  if (Op.isIncrementDecrementOp()) {
    Location Target = locate(Sub);
    Id Old = load(Target);
    Id New = Graph.value(Op.isIncrementOp() ? "++" : "--", {Old}, 1);
    store(Target, New);
    return Op.isPostfix() ? Old : New;
  }
  switch (Op.getOpcode()) {
  case UO_LNot:
    return condition(&Op);
  case UO_AddrOf:
    return addressByParts(Sub).Value;
  case UO_Deref:
    return load(locate(&Op));
  case UO_Minus:
  case UO_Not:
    return Graph.value(UnaryOperator::getOpcodeStr(Op.getOpcode()),
                       {evaluate(Sub)}, 1);
  default:
    return evaluate(Sub);
  }
}

/// A predicate: the comparison that \p E is, or one with zero.
Id Execution::condition(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getCastKind() != CK_LValueToRValue)
    return condition(Cast->getSubExpr());
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return condition(Full->getSubExpr());
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_LNot)
    return condition(Op->getSubExpr());
  Id Value;
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isLogicalOp()) {
    Id L = condition(Op->getLHS());
    llvm::SaveAndRestore Saved(ConditionDepth, ConditionDepth + 1);
    Id R = condition(Op->getRHS());
    Value = Graph.value(Op->getOpcodeStr(), {L, R}, 1);
  } else if (Op && Op->isComparisonOp()) {
    Id L = evaluate(Op->getLHS()), R = evaluate(Op->getRHS());
    Value = Graph.value(Op->getOpcodeStr(), {L, R}, 1);
  } else {
    Id Whole = evaluate(E);
    if (Predicates.contains(Whole))
      return Whole;
    Value = Graph.value("nonzero", {Whole}, 1);
  }
  Predicates.insert(Value);
  return Value;
}

/// A value that is put together: an initialiser list or a constructor call.
Id Execution::evaluateConstruction(const Expr &E,
                                   llvm::ArrayRef<const Expr *> Args) {
  Ids Values;
  for (const Expr *Arg : Args)
    Values.push_back(evaluate(Arg));
  const auto *Record = E.getType()->getAsRecordDecl();
  size_t Fields =
      Record ? std::distance(Record->field_begin(), Record->field_end()) : 0;
  if (Fields && Values.size() <= Fields) {
    while (Values.size() < Fields)
      Values.push_back(Graph.value("zero", {}, 0));
    return record(Values);
  }
  return Values.size() == 1 ? Values.front() : Graph.fresh(Level, Values, 0);
}

Id Execution::evaluate(const Expr *E) {
  if (!E)
    return Graph.value("nothing", {}, 0);
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || !Op->isAssignmentOp())
    if (std::optional<AffineForm> Form = affine(E))
      return affineValue(*Form);
  if (Op)
    return evaluateBinary(*Op);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(*Cast);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(*Unary);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(*Call);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return evaluate(Temporary->getSubExpr());
  if (const auto *Param = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(Param->getReplacement());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(Default->getExpr());
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return Graph.value("index", {}, 0, Pseudo->getSyntacticForm());
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Id Condition = condition(Choice->getCond());
    llvm::SaveAndRestore Saved(ConditionDepth, ConditionDepth + 1);
    Id Then = evaluate(Choice->getTrueExpr());
    Id Else = evaluate(Choice->getFalseExpr());
    return Graph.value("select", {Condition, Then, Else}, 1);
  }
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (List->isTransparent() || List->getNumInits() == 0)
      return List->getNumInits() ? evaluate(List->getInit(0))
                                 : evaluate(nullptr);
    return evaluateConstruction(*E, List->inits());
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    llvm::ArrayRef<const Expr *> Args(
        const_cast<const Expr *const *>(Construct->getArgs()),
        Construct->getNumArgs());
    if (Construct->getConstructor()->isCopyOrMoveConstructor())
      return evaluate(Args.front());
    return evaluateConstruction(*E, Args);
  }
  if (E->isLValue() && !E->getType()->isArrayType() &&
      !E->getType()->isFunctionType())
    return load(locate(E));
  if (const auto *Literal = dyn_cast<FloatingLiteral>(E))
    return Graph.value(
        "literal " + std::to_string(Literal->getValueAsApproximateDouble()), {},
        0);
  return Graph.value("constant", {}, 0, E);
}

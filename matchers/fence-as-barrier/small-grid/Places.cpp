// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object an lvalue names, and where in it.

#include "matchers/fence-as-barrier/small-grid/ThreadRun.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace barricade::fence_as_barrier::small_grid {

PlaceInObject ThreadRun::placeOfVariable(const VarDecl &Var) {
  if (Var.hasGlobalStorage()) {
    HostValue Root{Var.getCanonicalDecl(), 0};
    if (Var.hasAttr<CUDASharedAttr>())
      return {&SharedMemory, std::nullopt};
    if (Var.hasAttr<CUDAConstantAttr>())
      return {newObject(Root), 0};
    return {R.global(Root, true), 0};
  }
  Object *&O = Top->Variables[&Var];
  if (!O)
    O = newObject();
  return {O, 0};
}

PlaceInObject ThreadRun::place(const Expr *E) {
  if (++R.Steps > MaxSteps)
    giveUp();
  if (Ended)
    return {};
  E = E->IgnoreParens();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return {};
    PlaceInObject P = placeOfVariable(*Var);
    if (!Var->getType()->isReferenceType())
      return P;
    Value V = load(P, Context.VoidPtrTy, *E);
    return V.Kind == Value::Pointer ? V.Target : PlaceInObject();
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    Value Base = evaluate(Subscript->getBase());
    Value Index = evaluate(Subscript->getIdx());
    if (Base.Kind != Value::Pointer)
      return {};
    std::optional<int64_t> Bytes;
    if (Index.isInt())
      Bytes = Index.Int * Math.sizeOf(Subscript->getType());
    return Base.Target.plus(Bytes);
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl()))
      return placeOfVariable(*Static);
    PlaceInObject P;
    if (!Member->isArrow())
      P = place(Member->getBase());
    else if (Value V = evaluate(Member->getBase()); V.Kind == Value::Pointer)
      P = V.Target;
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->isBitField() || !P.In)
      return {};
    P = P.plus(Context.getFieldOffset(Field) / 8);
    if (!Field->getType()->isReferenceType())
      return P;
    Value V = load(P, Context.VoidPtrTy, *E);
    return V.Kind == Value::Pointer ? V.Target : PlaceInObject();
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref) {
      Value V = evaluate(Op->getSubExpr());
      return V.Kind == Value::Pointer ? V.Target : PlaceInObject();
    }
    (void)evaluate(Op);
    return place(Op->getSubExpr());
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    (void)evaluate(Op->isCommaOp() ? Op->getLHS() : Op);
    return place(Op->isCommaOp() ? Op->getRHS() : Op->getLHS());
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getSubExpr()->isGLValue() && Cast->path_empty())
      return place(Cast->getSubExpr());
    (void)childrenOf(*Cast);
    return {};
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return place(Full->getSubExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
    PlaceInObject P{newObject(), 0};
    initialize(P, Temporary->getType(), Temporary->getSubExpr());
    return P;
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Value C = evaluate(Choice->getCond());
    if (C.isInt())
      return place(C.Int ? Choice->getTrueExpr() : Choice->getFalseExpr());
    unsurely(C, {Choice->getTrueExpr(), Choice->getFalseExpr()});
    return {};
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Value V = evaluateCall(*Call, {});
    return V.Kind == Value::Pointer ? V.Target : PlaceInObject();
  }
  (void)childrenOf(*E);
  return {};
}

} // namespace barricade::fence_as_barrier::small_grid

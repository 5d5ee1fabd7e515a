// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are affine, and what do they and addresses cost: an affine value
// is bumped, an address that is none is computed from its parts.

#include "matchers/cost/Execution.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

/// Puts the arguments of calls for their parameters.
AffineForm Execution::resolved(AffineForm Form) const {
  if (Current->Caller)
    for (const Symbol &S : Form.symbols())
      if (auto It = Current->Arguments.find(S.Key);
          It != Current->Arguments.end())
        Form = Form.substitute(S, It->second);
  return Form;
}

const LoopLevel *Execution::levelOf(const Symbol &S) const {
  for (const Frame *F = Current; F; F = F->Caller)
    if (const Stmt *Loop = F->Values->loopOf(S))
      return LevelOfLoop.lookup(Loop);
  return nullptr;
}

const LoopLevel *Execution::levelOf(const AffineForm &Form) const {
  const LoopLevel *Deepest = nullptr;
  for (const Symbol &S : Form.symbols())
    Deepest = ValueGraph::deeper(Deepest, levelOf(S));
  return Deepest;
}

/// The form of \p E if all of it is arithmetic on inductions and values that do
/// not change in the loop. Values that the iteration computes are not: they
/// have a place in the graph.
std::optional<AffineForm> Execution::affine(const Expr *E) {
  QualType T = E->getType();
  if (E->isLValue() || T->isDependentType() || T->isBooleanType() ||
      !(T->isIntegralOrEnumerationType() || T->isPointerType()))
    return std::nullopt;
  AffineForm Form = resolved(Current->Values->evaluate(*E));
  if (!Form.isKnown() ||
      Form.any([&](const Symbol &S) { return dependsOnLoop(S); }))
    return std::nullopt;
  return Form;
}

/// Whether \p S stands for something that the iteration computes.
bool Execution::dependsOnLoop(const Symbol &S) const {
  bool IsTop = Current == &Top;
  if (Current->Values->isExpressionIn(S, IsTop ? Counted : nullptr))
    return true;
  if (S.Kind == Symbol::Opaque && levelOf(S))
    return true;
  if (S.Kind != Symbol::Uniform && S.Kind != Symbol::Pointer)
    return false;
  if (S.Kind == Symbol::Pointer && levelOf(S))
    return true;
  // A parameter of a called function that got a value of the iteration.
  auto It = Env.find(static_cast<const VarDecl *>(S.Key));
  return !IsTop && It != Env.end() && Graph.level(It->second);
}

/// \p Form without what counts written-out iterations: a constant in each.
AffineForm Execution::withoutUnrolled(const AffineForm &Form) const {
  return Form.without([&](const Symbol &S) {
    const LoopLevel *L = levelOf(S);
    return L && L->Unrolled;
  });
}

/// An affine value takes one instruction per iteration in which it changes: its
/// own increment in an innermost loop, and about that where it is computed from
/// the loop's variable.
Id Execution::affineValue(const AffineForm &Form) {
  AffineForm Rolled = withoutUnrolled(Form);
  const LoopLevel *L = levelOf(Rolled);
  if (!L)
    return Graph.value("invariant", {}, 0, intern(Rolled));
  auto [It, IsNew] = AffineIds.try_emplace({Rolled, L}, 0);
  if (IsNew) {
    // Entering a nested loop sets the value up.
    Ids Start;
    if (L->Parent)
      Start.push_back(Graph.fresh(L->Parent, {}, 1));
    It->second = Graph.fresh(L, Start, 1);
  }
  return It->second;
}

/// The address \p Form. In an innermost loop that cannot wrap, each distinct
/// address is a pointer that is bumped; otherwise the index is scaled (once)
/// and added to each base.
Address Execution::addressOf(const AffineForm &Form, QualType Element) {
  Address A;
  A.Exact = Form;
  AffineForm Rolled = withoutUnrolled(Form);
  A.Offset = Rolled.constantTerm();
  Rolled = Rolled - AffineForm(A.Offset);
  const LoopLevel *L = levelOf(Rolled);
  if (!L) {
    A.Value = affineValue(Rolled);
    return A;
  }
  bool MayWrap =
      Rolled.any([&](const Symbol &S) { return S.MayWrap && levelOf(S) == L; });
  if (!MayWrap && !L->HasInnerLoop) {
    A.Value = affineValue(Rolled);
    return A;
  }
  auto IsPointer = [](const Symbol &S) { return S.Kind == Symbol::Pointer; };
  AffineForm Index = Rolled.without(IsPointer), Base = Rolled - Index;
  if (!Element->isDependentType() && !Element->isIncompleteType())
    if (auto Elements =
            Index.dividedBy(Ctx.getTypeSizeInChars(Element).getQuantity()))
      Index = *Elements;
  Id Scaled = Graph.value("scale", {affineValue(Index)}, 1, intern(Index));
  A.Value = Graph.value("base", {Scaled}, 1, intern(Base));
  return A;
}

/// The value of a field of `*this`, which is no part of the object's address.
static bool isPointerOfObject(const Expr &E) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(E.IgnoreParens());
  const auto *Access =
      Cast && Cast->getCastKind() == CK_LValueToRValue
          ? dyn_cast<MemberExpr>(Cast->getSubExpr()->IgnoreParens())
          : nullptr;
  return Access && isa<CXXThisExpr>(Access->getBase()->IgnoreParenImpCasts());
}

/// The address that a pointer, or an lvalue, holds and that is no affine form:
/// `a + idx[i]` is computed from its parts.
Address Execution::addressByParts(const Expr *E) {
  Address A;
  if (isPointerOfObject(*E)) {
    A.Value = evaluate(E);
    return A;
  }
  E = E->IgnoreParenImpCasts();
  const Expr *Base = nullptr, *Index = nullptr;
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    Base = Subscript->getBase();
    Index = Subscript->getIdx();
  } else if (const auto *Op = dyn_cast<BinaryOperator>(E);
             Op && Op->isAdditiveOp() && Op->getType()->isPointerType()) {
    Base = Op->getLHS();
    Index = Op->getRHS();
    if (!Base->getType()->isPointerType())
      std::swap(Base, Index);
  } else if (const auto *Access = dyn_cast<MemberExpr>(E)) {
    A = addressByParts(Access->getBase());
    const auto *Field = dyn_cast<FieldDecl>(Access->getMemberDecl());
    if (Field && !Field->getParent()->isDependentType())
      A.Offset += Ctx.getFieldOffset(Field) / 8;
    return A;
  } else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op &&
             (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf)) {
    return addressByParts(Op->getSubExpr());
  }
  if (!Index) {
    if (E->isLValue() && !E->getType()->isPointerType())
      A.Value = affineValue(resolved(Current->Values->addressOf(*E)));
    else
      A.Value = evaluate(E);
    return A;
  }
  // `a[j - 1]`: the instruction's offset.
  if (const auto *Sum = dyn_cast<BinaryOperator>(Index->IgnoreParenImpCasts());
      Sum && Sum->isAdditiveOp())
    if (auto C = Current->Values->evaluate(*Sum->getRHS()).asConstant()) {
      A.Offset = Sum->getOpcode() == BO_Add ? *C : -*C;
      Index = Sum->getLHS();
    }
  QualType Element = Base->getType()->getPointeeType();
  if (Element.isNull())
    Element = E->getType();
  int64_t Size = Element->isDependentType() || Element->isIncompleteType()
                     ? 1
                     : Ctx.getTypeSizeInChars(Element).getQuantity();
  A.Offset *= Size;
  Address From = addressByParts(Base);
  A.Offset += From.Offset;
  Id Scaled = Graph.value("scale" + std::to_string(Size), {evaluate(Index)}, 1);
  A.Value = Graph.value("base", {From.Value, Scaled}, 1);
  return A;
}

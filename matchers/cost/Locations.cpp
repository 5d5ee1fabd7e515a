// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the value of an lvalue lives: in a variable, in memory and then at
// which address, or in a register.

#include "matchers/cost/Execution.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

/// The memory that the lvalue or the pointer \p E names.
Location Execution::memoryAt(const Expr *E, QualType T, const Expr *Where) {
  Location L;
  L.Kind = Location::Memory;
  L.Type = T;
  L.Where = Where;
  L.Root = rootOf(E);
  AffineForm Form = resolved(E->isLValue() ? Current->Values->addressOf(*E)
                                           : Current->Values->evaluate(*E));
  if (!Form.isKnown() ||
      Form.any([&](const Symbol &S) { return dependsOnLoop(S); })) {
    L.At = addressByParts(E);
    L.Printed = Form;
  } else {
    L.At = addressOf(Form, T);
    L.Printed = Form;
  }
  return L;
}

/// The root of \p E in the counted loop's function: parameters of functions
/// that are called in the loop stand for their arguments.
MemoryRoot Execution::rootOf(const Expr *E) {
  const Frame *F = Current;
  MemoryRoot Root = rootIn(E, *F->Function);
  while (const Expr *Argument = F->argument(Root.Object)) {
    F = F->Caller;
    Root = rootIn(Argument, *F->Function);
  }
  return Root;
}

/// \p Arg is a pointer or a reference to what may be global memory.
bool Execution::leadsToGlobal(const Expr &Arg) {
  const QualType T = Arg.getType();
  if (T->isFunctionPointerType() || T->isFunctionType() ||
      !(T->isPointerType() || Arg.isGLValue()))
    return false;
  const MemorySpace Space = rootOf(&Arg).Space;
  return Space == MemorySpace::Global || Space == MemorySpace::Unknown;
}

MemoryRoot Execution::rootIn(const Expr *E, const FunctionDecl &F) {
  return Roots.try_emplace(&F, F).first->second.of(*E);
}

Location Execution::locate(const Expr *E) {
  E = E->IgnoreParens();
  Location L;
  L.Type = E->getType();
  L.Where = E;
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getSubExpr()->isLValue() &&
      Cast->getCastKind() != CK_LValueToRValue) {
    L = locate(Cast->getSubExpr());
    L.Type = E->getType();
    return L;
  }
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
    L.Known = evaluate(Temporary->getSubExpr());
    return L;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    if (!V)
      return L;
    if (V->getType()->isReferenceType()) {
      if (const Expr *Argument = Current->argument(V)) {
        llvm::SaveAndRestore Saved(Current, Current->Caller);
        return locate(Argument);
      }
      if (V->getInit() && !isa<ParmVarDecl>(V))
        return locate(V->getInit());
      return memoryAt(E, L.Type, E);
    }
    if (V->hasGlobalStorage() && !V->isUsableInConstantExpressions(Ctx))
      return memoryAt(E, L.Type, E);
    if (V->getType()->isArrayType())
      return L;
    L.Kind = Location::Variable;
    L.Var = V;
    return L;
  }
  if (const auto *Access = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Access->getMemberDecl());
    if (!Field)
      return L;
    if (isa<CXXThisExpr>(Access->getBase()->IgnoreParenImpCasts()))
      return fieldOfObject(*Field).value_or(L);
    if (Access->isArrow() && !Field->isBitField())
      return memoryAt(E, L.Type, E);
    Location Base = Access->isArrow() ? memoryAt(Access->getBase(), L.Type, E)
                                      : locate(Access->getBase());
    if (Base.Kind == Location::Variable) {
      Base.Path.push_back(Field);
      Base.Type = L.Type;
      return Base;
    }
    if (Base.Kind == Location::Memory) {
      // What a parameter refers to is known where the call is.
      const auto *Ref =
          dyn_cast<DeclRefExpr>(Access->getBase()->IgnoreParenImpCasts());
      if (Field->isBitField())
        return Base;
      return Ref && Ref->getDecl()->getType()->isReferenceType() &&
                     Current->argument(Ref->getDecl())
                 ? fieldIn(Base, Field)
                 : memoryAt(E, L.Type, E);
    }
    if (Base.Known)
      L.Known = fieldOf(*Base.Known, Field);
    return L;
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&arrayOf(*Subscript));
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (V && V->hasLocalStorage() && V->getType()->isArrayType() &&
        InRegisters.contain(*V, *Current->Function, *Current->Values))
      return L;
    return memoryAt(E, L.Type, E);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Current->Object && Op->getOpcode() == UO_Deref &&
        isa<CXXThisExpr>(Op->getSubExpr()->IgnoreParenImpCasts()))
      return *Current->Object;
    if (Op->getOpcode() == UO_Deref)
      return memoryAt(E, L.Type, E);
    if (Op->isIncrementDecrementOp()) {
      evaluate(E);
      return locate(Op->getSubExpr());
    }
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E);
      Op && Op->isAssignmentOp()) {
    evaluate(E);
    return locate(Op->getLHS());
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Id Condition = condition(Choice->getCond());
    Id Then = load(locate(Choice->getTrueExpr()));
    Id Else = load(locate(Choice->getFalseExpr()));
    L.Known = Graph.value("select", {Condition, Then, Else}, 1);
    return L;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    AffineForm Form = Current->Values->addressOf(*E);
    if (!Form.any([&](const Symbol &S) {
          return Current->Values->isExpressionIn(S, nullptr);
        }))
      return memoryAt(E, L.Type, E);
    std::optional<Location> Returned;
    L.Known = evaluateCall(*Call, &Returned);
    if (Returned)
      return *Returned;
  }
  return L;
}

/// What a method is called for: \p Object, or what that points at. Nothing
/// where it is the object of a function that nobody is seen to call.
std::optional<Location> Execution::locateObject(const Expr &Object) {
  if (isa<CXXThisExpr>(Object.IgnoreParenImpCasts()))
    return Current->Object;
  if (const QualType Pointee = Object.getType()->getPointeeType();
      !Object.isLValue() && !Pointee.isNull())
    return memoryAt(&Object, Pointee, &Object);
  return locate(&Object);
}

/// A field of the object that the called function is a member of.
std::optional<Location> Execution::fieldOfObject(const FieldDecl &Field) {
  if (!Current->Object)
    return std::nullopt;
  Location L = *Current->Object;
  if (L.Kind == Location::Memory)
    return Field.isBitField() ? L : fieldIn(L, &Field);
  if (L.Kind == Location::Variable)
    L.Path.push_back(&Field);
  else if (L.Known)
    L.Known = fieldOf(*L.Known, &Field);
  L.Type = Field.getType();
  return L;
}

Location Execution::fieldIn(const Location &Record,
                            const FieldDecl *Field) const {
  Location L = Record;
  int64_t Offset = Ctx.getFieldOffset(Field) / 8;
  L.Type = Field->getType();
  L.At.Offset += Offset;
  if (L.At.Exact)
    L.At.Exact = *L.At.Exact + AffineForm(Offset);
  L.Printed = L.Printed + AffineForm(Offset);
  return L;
}

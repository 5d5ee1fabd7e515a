// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the device compute the same value as the host: expressions of all kinds,
// and parts of variables.

#include "matchers/grid-barrier/relaunch-loop/Values.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/grid-barrier/relaunch-loop/Data.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

/// A call of a `consteval` function: the same number wherever it stands. A
/// constant of this function's would be a parameter of the kernel.
static bool isComputedByCompiler(const ConstantExpr &E) {
  const auto *Call = E.isImmediateInvocation()
                         ? dyn_cast<CallExpr>(E.getSubExpr()->IgnoreParens())
                         : nullptr;
  return Call && Call->getType()->isArithmeticType() &&
         !isa_and_nonnull<CXXMethodDecl>(Call->getDirectCallee()) &&
         !holds(Call, [](const Stmt &S) {
           const auto *Ref = dyn_cast<DeclRefExpr>(&S);
           // A default argument may ask where the call stands.
           return isa<CXXDefaultArgExpr, SourceLocExpr>(S) ||
                  (Ref && isa<VarDecl>(Ref->getDecl()));
         });
}

/// The innermost part of \p S that depends on its place.
static const Stmt &dependentPart(const Stmt &S, const SourceManager &SM) {
  const auto Inner = llvm::find_if(S.children(), [&](const Stmt *Child) {
    return Child && Child->getBeginLoc().isValid() &&
           facts::dependsOnPlace(*Child, SM);
  });
  return Inner != S.child_end() ? dependentPart(**Inner, SM) : S;
}

bool ValueReader::readValue(const Expr &Whole) {
  const Expr &E = *Whole.IgnoreParens();
  // A call of a lambda is refused for what it is, with what is around it.
  const bool CallsLambda =
      isa<CallExpr, ExprWithCleanups, MaterializeTemporaryExpr>(E) &&
      holds(&E, [](const Stmt &S) { return isa<LambdaExpr>(S); });
  if (!CallsLambda && facts::dependsOnPlace(E, L.SM))
    return L.refuse(ReasonId::PlaceDependent,
                    dependentPart(E, L.SM).getBeginLoc());
  if (isa<IntegerLiteral, CXXBoolLiteralExpr, CharacterLiteral, FloatingLiteral,
          CXXNullPtrLiteralExpr, GNUNullExpr, ImplicitValueInitExpr,
          CXXScalarValueInitExpr>(E))
    return true;
  if (const auto *Constant = dyn_cast<ConstantExpr>(&E);
      Constant && isComputedByCompiler(*Constant))
    return true;
  if (const auto *Full = dyn_cast<FullExpr>(&E))
    return readValue(*Full->getSubExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&E))
    return readValue(*Temporary->getSubExpr());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
    return readValue(*Default->getExpr());
  if (const auto *Argument = dyn_cast<SubstNonTypeTemplateParmExpr>(&E))
    return readValue(*Argument->getReplacement());
  if (const auto *Braces = dyn_cast<CXXFunctionalCastExpr>(&E);
      Braces && Braces->isListInitialization() &&
      !readBraced(*Braces->getSubExpr()))
    return false;
  if (const auto *Cast = dyn_cast<CastExpr>(&E))
    return readCast(*Cast);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
    return readReference(*Ref);
  if (const auto *Member = dyn_cast<MemberExpr>(&E))
    return readMember(*Member);
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(&E))
    return readElement(*Element);
  if (const auto *Op = dyn_cast<UnaryOperator>(&E))
    return readUnary(*Op);
  if (const auto *Op = dyn_cast<BinaryOperator>(&E))
    return readBinary(*Op);
  if (const auto *Op = dyn_cast<ConditionalOperator>(&E))
    return readValue(*Op->getCond()) && readValue(*Op->getTrueExpr()) &&
           readValue(*Op->getFalseExpr());
  if (const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(&E))
    return readSize(*Trait);
  if (const auto *List = dyn_cast<InitListExpr>(&E))
    return isPlainData(List->getType(), L.Context)
               ? llvm::all_of(List->inits(),
                              [&](const Expr *I) { return readBraced(*I); })
               : L.refuse(ReasonId::HostVariable, E.getBeginLoc());
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&E))
    return readConstruction(*Construct);
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(&E);
      Call && isTrivialCopy(*Call))
    return readValue(*Call->getArg(1)) && readValue(*Call->getArg(0)) &&
           readWrite(*Call->getArg(0));
  if (const auto *Call = dyn_cast<CallExpr>(&E))
    return readCall(*Call);
  return L.refuse(ReasonId::HostStatement, E.getBeginLoc());
}

bool ValueReader::readBraced(const Expr &E) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(E.IgnoreParens());
  const bool Converts =
      Cast && !llvm::is_contained({CK_LValueToRValue, CK_NoOp,
                                   CK_ArrayToPointerDecay, CK_NullToPointer},
                                  Cast->getCastKind());
  if (Capturing && Converts && holds(Cast, [&](const Stmt &S) {
        const VarDecl *Var = variableNamedBy(S);
        return Var && !L.Locals.contains(Var) &&
               Var->getType().isConstQualified() && !isNamedDirectly(*Var);
      }))
    return L.refuse(ReasonId::LocalName, E.getBeginLoc());
  return readValue(E);
}

bool ValueReader::readArgument(const Expr &E) {
  const SaveAndRestore NoWrites(InArguments, true);
  return readValue(E);
}

void ValueReader::readControl(const Expr &E) {
  const SaveAndRestore Decides(InControl, true);
  readValue(E);
}

void ValueReader::readOutside(const Expr &E) {
  const SaveAndRestore OnHost(Capturing, false);
  const SaveAndRestore NoWrites(InArguments, true);
  readValue(E);
  L.Outside.push_back(&E);
}

/// `v.x`, which is a part of v and no reference to something else. A friend's
/// rights stay where it is.
bool ValueReader::readMember(const MemberExpr &Member) {
  const auto *Field = dyn_cast<FieldDecl>(Member.getMemberDecl());
  if (!Field || Member.isArrow() || Field->getType()->isReferenceType())
    return L.refuse(ReasonId::HostMemory, Member.getBeginLoc());
  if (Field->getAccess() == AS_private || Field->getAccess() == AS_protected)
    return L.refuse(ReasonId::LocalName, Member.getBeginLoc());
  return readValue(*Member.getBase());
}

/// `p` of `p[i]`, where it is a local variable from outside of the loop.
static const DeclRefExpr *pointerOf(const ArraySubscriptExpr &Element,
                                    const LoopReading &L) {
  const auto *Read = dyn_cast<ImplicitCastExpr>(Element.getBase());
  const auto *Ref =
      Read && Read->getCastKind() == CK_LValueToRValue &&
              Element.getBase() == Element.getLHS()
          ? dyn_cast<DeclRefExpr>(Read->getSubExpr()->IgnoreParens())
          : nullptr;
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && Var->getType()->isPointerType() &&
                 !L.Locals.contains(Var)
             ? Ref
             : nullptr;
}

/// `v[i]` of an array that is a variable, or a part of one. What a pointer
/// reaches is the host's, but a few elements can be copied.
bool ValueReader::readElement(const ArraySubscriptExpr &Element) {
  if (const DeclRefExpr *Pointer = pointerOf(Element, L);
      Pointer && Capturing && !InControl) {
    const auto *Var = cast<VarDecl>(Pointer->getDecl());
    if (!Element.getType()->isScalarType() ||
        !isPlainData(Element.getType(), L.Context))
      return L.refuse(ReasonId::HostVariable, Element.getBeginLoc());
    L.ElementReads[Var].push_back(&Element);
    return readReference(*Pointer) && readValue(*Element.getIdx());
  }
  const auto *Decay =
      dyn_cast<ImplicitCastExpr>(Element.getBase()->IgnoreParens());
  if (!host::variableOf(Element) || !Decay ||
      Element.getBase() != Element.getLHS())
    return L.refuse(ReasonId::HostMemory, Element.getBeginLoc());
  return readValue(*Decay->getSubExpr()) && readValue(*Element.getIdx());
}

/// Of a variable's size, too, the device has to know the variable.
bool ValueReader::readSize(const UnaryExprOrTypeTraitExpr &Trait) {
  const QualType Type = Trait.getTypeOfArgument();
  if (Type->isVariableArrayType() || (Capturing && holdsLongDouble(Type)))
    return L.refuse(ReasonId::HostStatement, Trait.getBeginLoc());
  return Trait.isArgumentType() ||
         !holds(Trait.getArgumentExpr(), [&](const Stmt &S) {
           // The kernel's array has elements, and is no pointer.
           const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
           if (Cast && Cast->getCastKind() == CK_ArrayToPointerDecay &&
               !isa_and_nonnull<ArraySubscriptExpr>(parentOf(*Cast, L.Context)))
             return !L.refuse(ReasonId::HostMemory, Cast->getBeginLoc());
           const auto *Ref = dyn_cast<DeclRefExpr>(&S);
           return Ref && isa<VarDecl>(Ref->getDecl()) && !readReference(*Ref);
         });
}

} // namespace barricade::grid_barrier::relaunch_loop

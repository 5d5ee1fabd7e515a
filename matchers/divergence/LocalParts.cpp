// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/divergence/LocalParts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::divergence {

bool isTemporary(const Expr &Init) {
  const Expr *Plain = Init.IgnoreParens();
  if (isa<MaterializeTemporaryExpr>(Plain))
    return true;
  if (const auto *Full = dyn_cast<FullExpr>(Plain))
    return isTemporary(*Full->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(Plain))
    return isTemporary(*Cast->getSubExpr());
  if (const auto *Member = dyn_cast<MemberExpr>(Plain))
    return isPartOfBase(*Member) && isTemporary(*Member->getBase());
  const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Plain);
  return Subscript && isTemporary(*Subscript->getBase());
}

bool isOverlaid(const Expr &E) {
  const Expr *Plain = E.IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(Plain))
    return Cast->getCastKind() == CK_LValueBitCast ||
           Cast->getCastKind() == CK_BaseToDerived ||
           isOverlaid(*Cast->getSubExpr());
  const auto *Member = dyn_cast<MemberExpr>(Plain);
  if (!Member || Member->isArrow())
    return false;
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  return (Field && Field->getParent()->isUnion()) ||
         isOverlaid(*Member->getBase());
}

const FieldDecl &knownAs(const FieldDecl &Field) {
  if (!Field.isBitField())
    return Field;
  return **llvm::find_if(Field.getParent()->fields(),
                         [](const FieldDecl *F) { return F->isBitField(); });
}

const VarDecl *localUnder(const Expr &E) {
  const Expr *Plain = E.IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(Plain))
    return Cast->isGLValue() || Cast->getCastKind() == CK_ArrayToPointerDecay
               ? localUnder(*Cast->getSubExpr())
               : nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(Plain))
    return isPartOfBase(*Member) ? localUnder(*Member->getBase()) : nullptr;
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Plain))
    return localUnder(*Subscript->getBase());
  const VarDecl *Var = variableNamedBy(*Plain);
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType() &&
                 !Var->getType()->isPointerType()
             ? Var
             : nullptr;
}

bool isName(const Expr &E) {
  const Expr *Plain = E.IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Plain))
    return isPartOfBase(*Member) && isName(*Member->getBase());
  const auto *Ref = dyn_cast<DeclRefExpr>(Plain);
  return Ref && isa<VarDecl>(Ref->getDecl());
}

} // namespace barricade::divergence

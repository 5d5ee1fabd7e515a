// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/SpelledTypes.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// A declaration of the program's that \p E names has a type that a macro
/// spells.
bool takesTypeFromMacro(const Expr &E, const SourceManager &SM) {
  return holds(&E, [&](const Stmt &S) {
    const ValueDecl *D = nullptr;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
      D = Ref->getDecl();
    else if (const auto *Member = dyn_cast<MemberExpr>(&S))
      D = Member->getMemberDecl();
    const auto *Declarator = dyn_cast_or_null<DeclaratorDecl>(D);
    return Declarator && Declarator->getTypeSpecStartLoc().isMacroID() &&
           !SM.isInSystemHeader(Declarator->getLocation());
  });
}

} // namespace

QualType plainDeducedType(const VarDecl &Var, ASTContext &Context) {
  const DeducedType *Deduced = Var.getType()->getContainedDeducedType();
  QualType Found = Deduced ? Deduced->getDeducedType() : QualType();
  if (Found.isNull() || !Var.getInit() ||
      takesTypeFromMacro(*Var.getInit(), Context.getSourceManager()))
    return {};
  if (const auto *Pointer = dyn_cast<PointerType>(Found.getTypePtr()))
    Found = Pointer->getPointeeType();
  return isa<BuiltinType>(Found.getTypePtr())
             ? Var.getType().getCanonicalType().getUnqualifiedType()
             : QualType();
}

} // namespace barricade::artificial_barrier

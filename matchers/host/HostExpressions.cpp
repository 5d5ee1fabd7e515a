// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/HostExpressions.h"
#include "matchers/facts/Purity.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::host {
namespace {

/// Copies of it run no code.
bool isPlain(QualType Type, const ASTContext &Context) {
  return !Type->isReferenceType() && !Type.isVolatileQualified() &&
         Type.isTriviallyCopyableType(Context) && !Type.isDestructedType();
}

} // namespace

bool isPureStatement(const Stmt &S, const ASTContext &Context,
                     llvm::SmallPtrSetImpl<const VarDecl *> &Changed) {
  if (isa<NullStmt>(S))
    return true;
  if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
    return llvm::all_of(Declaration->decls(), [&](const Decl *D) {
      const auto *Var = dyn_cast<VarDecl>(D);
      return facts::isSilentDeclaration(*D) ||
             isa<UsingDecl, UsingDirectiveDecl>(D) ||
             (Var && facts::isPlainVariable(*Var) &&
              isPlain(Var->getType(), Context) &&
              (!Var->getInit() || facts::isPure(*Var->getInit(), Context)));
    });
  const Expr *Target = nullptr;
  if (const auto *E = dyn_cast<Expr>(&S)) {
    E = E->IgnoreParens();
    if (const auto *Full = dyn_cast<ExprWithCleanups>(E))
      E = Full->getSubExpr()->IgnoreParens();
    if (const auto *Op = dyn_cast<BinaryOperator>(E);
        Op && Op->isAssignmentOp() && facts::isPure(*Op->getRHS(), Context))
      Target = Op->getLHS();
    else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op && Op->isIncrementDecrementOp())
      Target = Op->getSubExpr();
  }
  const auto *Ref =
      Target ? dyn_cast<DeclRefExpr>(Target->IgnoreParens()) : nullptr;
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || !Var->hasLocalStorage() || !isPlain(Var->getType(), Context))
    return false;
  Changed.insert(Var);
  return true;
}

} // namespace barricade::host

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/AssignedVariables.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

const Expr *cost::objectOf(const CallExpr &Call, bool IsOperator) {
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    return Member->getImplicitObjectArgument();
  return IsOperator ? Call.getArg(0) : nullptr;
}

/// What \p Call is made for, if it may change that.
static const Expr *changedObject(const CallExpr &Call) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call);
  if (Operator && Operator->isAssignmentOp())
    return Call.getArg(0);
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  const Expr *Object = Method && Method->isInstance() && !Method->isConst()
                           ? objectOf(Call, Operator)
                           : nullptr;
  return Object && !Object->getType()->isPointerType() ? Object : nullptr;
}

void cost::collectAssigned(const Stmt *S,
                           llvm::SmallSetVector<const VarDecl *, 8> &Out) {
  if (!S)
    return;
  const Expr *Target = nullptr;
  if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp())
    Target = Op->getLHS();
  else if (const auto *Op = dyn_cast<UnaryOperator>(S);
           Op && Op->isIncrementDecrementOp())
    Target = Op->getSubExpr();
  else if (const auto *Call = dyn_cast<CallExpr>(S))
    Target = changedObject(*Call);
  while (Target) {
    Target = Target->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Target))
      if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
        Out.insert(V);
    const auto *Access = dyn_cast<MemberExpr>(Target);
    Target = Access && !Access->isArrow() ? Access->getBase() : nullptr;
  }
  for (const Stmt *Child : S->children())
    collectAssigned(Child, Out);
}

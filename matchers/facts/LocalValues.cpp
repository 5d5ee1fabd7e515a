// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/LocalValues.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade {

LocalValues::LocalValues(const FunctionDecl &Function) : Facts(Function) {}

bool LocalValues::isConstant(const VarDecl &Var) const {
  return Var.hasLocalStorage() && !Var.getType()->isReferenceType() &&
         Facts.isOnlyRead(Var) && (isa<ParmVarDecl>(Var) || Var.getInit());
}

const CompoundAssignOperator *LocalValues::onlyStep(const VarDecl &Var) const {
  const CompoundAssignOperator *By = nullptr;
  if (!Var.hasLocalStorage() || Var.getType()->isReferenceType())
    return nullptr;
  for (const facts::VariableUse &U : Facts.of(Var)) {
    if (!Facts.mayChange(U))
      continue;
    const auto *Op = dyn_cast_or_null<CompoundAssignOperator>(U.By);
    if (By || U.Kind != facts::UseKind::Step || U.IsPart || U.In || !Op ||
        Op->getOpcode() != BO_AddAssign)
      return nullptr;
    By = Op;
  }
  return By;
}

} // namespace barricade

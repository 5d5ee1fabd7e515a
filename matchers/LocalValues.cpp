// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/LocalValues.h"
#include "matchers/VariableUses.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade {
namespace {

/// Notes what variables grow by, too.
class StepVisitor : public VariableUses {
public:
  llvm::DenseMap<const VarDecl *, const Expr *> Steps;

  bool VisitCompoundAssignOperator(const CompoundAssignOperator *Op) override {
    const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && Op->getOpcode() == BO_AddAssign)
      Steps[Var] = Op->getRHS();
    return true;
  }
};

} // namespace

LocalValues::LocalValues(const FunctionDecl &Function) {
  StepVisitor Visitor;
  Visitor.TraverseStmt(Function.getBody());
  Visitor.forEach([&](const DeclRefExpr &, const VarDecl &Var, bool IsRead) {
    if (!IsRead)
      ++Others[&Var];
  });
  Steps = std::move(Visitor.Steps);
}

bool LocalValues::isConstant(const VarDecl &Var) const {
  return Var.hasLocalStorage() && !Var.getType()->isReferenceType() &&
         !Others.contains(&Var) && (isa<ParmVarDecl>(Var) || Var.getInit());
}

const Expr *LocalValues::onlyStep(const VarDecl &Var) const {
  auto Found = Steps.find(&Var);
  auto Changes = Others.find(&Var);
  return Var.hasLocalStorage() && Found != Steps.end() &&
                 Changes != Others.end() && Changes->second == 1
             ? Found->second
             : nullptr;
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/LocalValues.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

using namespace clang;

namespace barricade {
namespace {

class UseVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  UseVisitor() { ShouldVisitImplicitCode = true; }

  std::vector<const DeclRefExpr *> All;
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Read;
  llvm::DenseMap<const VarDecl *, const Expr *> Steps;

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (isa<VarDecl>(Ref->getDecl()))
      All.push_back(Ref);
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      if (const auto *Ref =
              dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens()))
        Read.insert(Ref);
    return true;
  }
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
  UseVisitor Visitor;
  Visitor.TraverseStmt(Function.getBody());
  for (const DeclRefExpr *Ref : Visitor.All)
    if (!Visitor.Read.contains(Ref))
      ++Others[cast<VarDecl>(Ref->getDecl())];
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

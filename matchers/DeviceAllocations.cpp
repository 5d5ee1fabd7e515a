// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/DeviceAllocations.h"
#include "matchers/VariableUses.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {
namespace {

/// Tells reads of variables, allocations for them and plain assignments from
/// other uses.
class PointerVisitor : public VariableUses {
public:
  explicit PointerVisitor(const SourceManager &SM) : SM(SM) {}

  llvm::SmallVector<const VarDecl *, 8> Allocated;
  llvm::SmallVector<std::pair<const VarDecl *, const Expr *>, 8> Given;

  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->getInit())
      Given.push_back({Var, Var->getInit()});
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    // `p += n` leads where `p` led.
    if (Op->isAssignmentOp())
      give(*Op->getLHS(),
           Op->isCompoundAssignmentOp() ? *Op->getLHS() : *Op->getRHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      give(*Op->getSubExpr(), *Op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (grid_barrier::isAllocation(*Call, SM)) {
      const auto *Address =
          dyn_cast<UnaryOperator>(Call->getArg(0)->IgnoreParenCasts());
      if (Address && Address->getOpcode() == UO_AddrOf)
        if (const VarDecl *Var = setPlainVariable(*Address->getSubExpr()))
          Allocated.push_back(Var);
    } else if (grid_barrier::classifyHostCall(*Call, SM) ==
               grid_barrier::HostCallKind::Swap) {
      give(*Call->getArg(0), *Call->getArg(1));
      give(*Call->getArg(1), *Call->getArg(0));
    }
    return true;
  }

private:
  const VarDecl *setPlainVariable(const Expr &E) {
    const DeclRefExpr *Ref = setPlain(E);
    return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  }
  void give(const Expr &To, const Expr &What) {
    if (const VarDecl *Var = setPlainVariable(To))
      Given.push_back({Var, &What});
  }

  const SourceManager &SM;
};

bool isLocalPointer(const VarDecl &Var) {
  return Var.hasLocalStorage() && !isa<ParmVarDecl>(Var) &&
         Var.getType()->isPointerType();
}

} // namespace

DeviceAllocations::DeviceAllocations(const FunctionDecl &Function)
    : Context(Function.getASTContext()) {
  PointerVisitor Visitor(Context.getSourceManager());
  Visitor.TraverseStmt(Function.getBody());
  Allocated.insert_range(Visitor.Allocated);
  for (const VarDecl *Var : Visitor.Allocated)
    if (isLocalPointer(*Var))
      Given[Var];
  for (const auto &[Var, What] : Visitor.Given)
    if (isLocalPointer(*Var) && !What->isNullPointerConstant(
                                    Context, Expr::NPC_ValueDependentIsNotNull))
      Given[Var].push_back(What);
  Visitor.forEach([&](const DeclRefExpr &, const VarDecl &Var, bool IsPlain) {
    if (!IsPlain)
      Given.erase(&Var);
  });
  for (const VarDecl *Var : Visitor.capturedByReference())
    Given.erase(Var);
  dropWhatIsGivenOthers();
}

/// What is left is closed: all that its variables are given are values of its
/// variables.
void DeviceAllocations::dropWhatIsGivenOthers() {
  const auto IsGivenOthers = [&](const auto &Each) {
    return !llvm::all_of(
        Each.second, [&](const Expr *What) { return reachesOnlyOwn(*What); });
  };
  for (auto Found = Given.begin();
       (Found = llvm::find_if(Given, IsGivenOthers)) != Given.end();)
    Given.erase(Found);
}

bool DeviceAllocations::isOwner(const VarDecl &Var) const {
  const auto Found = Given.find(&Var);
  return Found != Given.end() && Found->second.empty() &&
         Allocated.contains(&Var);
}

bool DeviceAllocations::reachesOnlyOwn(const Expr &Whole) const {
  const Expr &E = *Whole.IgnoreParenImpCasts();
  if (E.isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull))
    return true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var && Given.contains(Var);
  }
  // Of integers, too, but those name no variable of the map.
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(&E))
    return reachesOnlyOwn(*Cast->getSubExpr());
  if (const auto *Choice = dyn_cast<ConditionalOperator>(&E))
    return reachesOnlyOwn(*Choice->getTrueExpr()) &&
           reachesOnlyOwn(*Choice->getFalseExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(&E);
      Op && Op->isAdditiveOp() && Op->getType()->isPointerType())
    return reachesOnlyOwn(Op->getLHS()->getType()->isPointerType()
                              ? *Op->getLHS()
                              : *Op->getRHS());
  // `&p[i]` is `p + i`.
  if (const auto *Op = dyn_cast<UnaryOperator>(&E);
      Op && Op->getOpcode() == UO_AddrOf)
    if (const auto *Element =
            dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens()))
      return reachesOnlyOwn(*Element->getBase());
  return false;
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/HostVariables.h"
#include "matchers/Statements.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::grid_barrier {

const DeclRefExpr *variableOf(const Expr &E) {
  const Expr *Part = E.IgnoreParens();
  while (true) {
    if (const auto *Member = dyn_cast<MemberExpr>(Part);
        Member && !Member->isArrow())
      Part = Member->getBase()->IgnoreParens();
    else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Part)) {
      const auto *Decay =
          dyn_cast<ImplicitCastExpr>(Element->getBase()->IgnoreParens());
      if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      Part = Decay->getSubExpr()->IgnoreParens();
    } else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Part);
               Cast && Cast->getCastKind() == CK_NoOp)
      Part = Cast->getSubExpr()->IgnoreParens();
    else
      return dyn_cast<DeclRefExpr>(Part);
  }
}

namespace {

/// Every reference is taken for one that shares its variable, unless what
/// stands around it shows that it reads or writes the value at once.
class UseVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  explicit UseVisitor(const ASTContext &Context)
      : SM(Context.getSourceManager()) {
    ShouldVisitImplicitCode = true;
  }

  std::vector<const DeclRefExpr *> All;
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Plain;

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (isa<VarDecl>(Ref->getDecl()))
      All.push_back(Ref);
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      plain(*Cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      plain(*Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      plain(*Op->getSubExpr());
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(
      const UnaryExprOrTypeTraitExpr *Trait) override {
    if (!Trait->isArgumentType())
      plain(*Trait->getArgumentExpr());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *Construct) override {
    const CXXConstructorDecl *Constructor = Construct->getConstructor();
    if (Constructor->isCopyOrMoveConstructor() && Constructor->isTrivial())
      plain(*Construct->getArg(0));
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call) override {
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getCalleeDecl());
    if (Method && Method->isTrivial())
      for (const Expr *Arg : Call->arguments())
        plain(*Arg);
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (classifyHostCall(*Call, SM) == HostCallKind::Swap)
      for (const Expr *Arg : Call->arguments())
        plain(*Arg);
    if (!forgetsAddresses(*Call, SM))
      return true;
    for (const Expr *Arg : Call->arguments()) {
      const auto *Address = dyn_cast<UnaryOperator>(Arg->IgnoreParenCasts());
      if (Address && Address->getOpcode() == UO_AddrOf)
        plain(*Address->getSubExpr());
    }
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    // What runs in it, and when, is not followed.
    for (const LambdaCapture &Capture : Lambda->captures())
      if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef)
        Captured.insert(dyn_cast<VarDecl>(Capture.getCapturedVar()));
    return true;
  }

  llvm::SmallPtrSet<const VarDecl *, 4> Captured;

private:
  void plain(const Expr &E) {
    if (const DeclRefExpr *Ref = variableOf(E))
      Plain.insert(Ref);
  }

  const SourceManager &SM;
};

} // namespace

HostVariables::HostVariables(const FunctionDecl &Function)
    : Function(Function), HasGoto(holds(Function.getBody(), [](const Stmt &S) {
        return isa<GotoStmt, IndirectGotoStmt>(S);
      })) {
  UseVisitor Visitor(Function.getASTContext());
  Visitor.TraverseStmt(Function.getBody());
  for (const DeclRefExpr *Ref : Visitor.All) {
    const auto *Var = cast<VarDecl>(Ref->getDecl());
    Uses[Var].push_back(Ref);
    if (!Visitor.Plain.contains(Ref))
      Shared.insert(Var);
  }
  Shared.insert_range(Visitor.Captured);
}

bool HostVariables::livesOn(const VarDecl &V, const Stmt &Loop) const {
  return HasGoto || isShared(V) || V.getType()->isReferenceType() ||
         anyUse(V, Loop, /*After=*/true);
}

bool HostVariables::hasValueBefore(const VarDecl &V, const Stmt &Loop) const {
  return HasGoto || isShared(V) || isa<ParmVarDecl>(V) || V.getInit() ||
         anyUse(V, Loop, /*After=*/false);
}

/// Whether \p V is named outside of \p Loop where control may be before it, or
/// after it.
bool HostVariables::anyUse(const VarDecl &V, const Stmt &Loop,
                           bool After) const {
  // Around a loop, control comes back to what stands before it.
  const Stmt *Again = &Loop;
  ASTContext &Context = Function.getASTContext();
  for (const Stmt *S = &Loop; S; S = parentOf(*S, Context))
    if (isLoop(*S))
      Again = S;
  const auto In = [](const Stmt &Outer, const DeclRefExpr &Ref) {
    return holds(&Outer, [&](const Stmt &S) { return &S == &Ref; });
  };
  const SourceManager &SM = Context.getSourceManager();
  auto Found = Uses.find(&V);
  return Found != Uses.end() &&
         llvm::any_of(Found->second, [&](const DeclRefExpr *Ref) {
           return !In(Loop, *Ref) &&
                  (In(*Again, *Ref) ||
                   SM.isBeforeInTranslationUnit(Loop.getEndLoc(),
                                                Ref->getBeginLoc()) == After);
         });
}

} // namespace barricade::grid_barrier

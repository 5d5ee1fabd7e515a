// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/EnclosingLoop.h"
#include "matchers/DeviceCalls.h"
#include "matchers/VariableUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// The reference by which \p E names a variable, itself or one of its fields.
const DeclRefExpr *referenceIn(const Expr &E) {
  const Expr *Base = E.IgnoreParens();
  while (const auto *Member = dyn_cast<MemberExpr>(Base)) {
    if (Member->isArrow())
      return nullptr;
    Base = Member->getBase()->IgnoreParens();
  }
  return dyn_cast<DeclRefExpr>(Base);
}

const VarDecl *namedVariable(const Expr &E) {
  const DeclRefExpr *Ref = referenceIn(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// Which variables some code declares, and which it does anything with but
/// read.
class GuardedVariables : public VariableUses {
public:
  explicit GuardedVariables(const Stmt &S) {
    // What a lambda captures counts where the user names it.
    ShouldVisitImplicitCode = false;
    TraverseStmt(&S);
    forEach([&](const DeclRefExpr &, const VarDecl &Var, bool IsPlain) {
      if (!IsPlain)
        Touched.insert(&Var);
    });
  }

  bool declares(const VarDecl &Var) const { return Declared.contains(&Var); }
  bool onlyReads(const VarDecl &Var) const { return !Touched.contains(&Var); }

  bool VisitVarDecl(const VarDecl *Var) override {
    Declared.insert(Var);
    return true;
  }

private:
  const DeclRefExpr *variableIn(const Expr &E) const override {
    return referenceIn(E);
  }

  llvm::SmallPtrSet<const VarDecl *, 16> Declared, Touched;
};

class HeaderCheck {
public:
  HeaderCheck(const ForStmt &Loop, const Stmt &Guard, const Stmt &Innermost,
              llvm::function_ref<bool(const Expr &)> IsUniform,
              ASTContext &Context)
      : Loop(Loop), UnderGuard(Guard), InInnermost(Innermost),
        InBody(*Loop.getBody()), IsUniform(IsUniform), Context(Context) {}

  bool run() {
    return !Loop.getConditionVariable() && startsOwnVariables() &&
           Loop.getCond() && computes(*Loop.getCond()) &&
           (!Loop.getInc() || steps(*Loop.getInc())) &&
           llvm::all_of(
               Own, [&](const VarDecl *Var) { return InBody.onlyReads(*Var); });
  }

private:
  bool startsOwnVariables() {
    const Stmt *Init = Loop.getInit();
    if (const auto *Decl = dyn_cast_or_null<DeclStmt>(Init))
      return llvm::all_of(Decl->decls(), [&](const clang::Decl *D) {
        const auto *Var = dyn_cast<VarDecl>(D);
        if (!Var || !isNumber(*Var) || !Var->getInit() ||
            !computes(*Var->getInit()))
          return false;
        Own.insert(Var);
        return true;
      });
    // The others' variable must not be lost, so it is one of the guard's own.
    const auto *Assign = dyn_cast_or_null<BinaryOperator>(Init);
    const VarDecl *Var = Assign ? namedVariable(*Assign->getLHS()) : nullptr;
    if (!Var || Assign->getOpcode() != BO_Assign || !isNumber(*Var) ||
        !InInnermost.declares(*Var) || !computes(*Assign->getRHS()))
      return false;
    Own.insert(Var);
    return true;
  }

  /// `++j`, `j += 2`, and such joined by commas.
  bool steps(const Expr &E) const {
    const Expr *Plain = E.IgnoreParens();
    if (const auto *Unary = dyn_cast<UnaryOperator>(Plain))
      return Unary->isIncrementDecrementOp() && isOwn(*Unary->getSubExpr());
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    if (Op && Op->isCommaOp())
      return steps(*Op->getLHS()) && steps(*Op->getRHS());
    return Op && Op->isAssignmentOp() && isOwn(*Op->getLHS()) &&
           computes(*Op->getRHS());
  }

  bool isOwn(const Expr &E) const {
    const VarDecl *Var = namedVariable(E);
    return Var && Own.contains(Var);
  }

  static bool isNumber(const VarDecl &Var) {
    return Var.getType()->isArithmeticType() &&
           !Var.getType().isVolatileQualified();
  }

  /// Only arithmetic on what every thread has.
  bool computes(const Expr &E) const {
    char Member = 0;
    Expr::EvalResult Constant;
    if (!E.isValueDependent() && E.EvaluateAsRValue(Constant, Context) &&
        !Constant.HasSideEffects)
      return true;
    if (!builtinIndexVariable(E, Member).empty())
      return IsUniform(E);
    const Expr *Plain = E.IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(Plain))
      return Cast->getType()->isArithmeticType() &&
             computes(*Cast->getSubExpr());
    if (const auto *Unary = dyn_cast<UnaryOperator>(Plain))
      return Unary->isArithmeticOp() && computes(*Unary->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
      return !Op->isAssignmentOp() && !Op->isPtrMemOp() &&
             computes(*Op->getLHS()) && computes(*Op->getRHS());
    if (const auto *Select = dyn_cast<ConditionalOperator>(Plain))
      return computes(*Select->getCond()) && computes(*Select->getTrueExpr()) &&
             computes(*Select->getFalseExpr());
    return isShared(*Plain);
  }

  /// A variable that all threads have, and that nothing under the guard sets.
  bool isShared(const Expr &E) const {
    const VarDecl *Var = namedVariable(E);
    if (!Var || !E.getType()->isArithmeticType() ||
        E.getType().isVolatileQualified() ||
        Var->getType().isVolatileQualified() ||
        Var->getType()->isReferenceType())
      return false;
    return Own.contains(Var) || (!UnderGuard.declares(*Var) &&
                                 UnderGuard.onlyReads(*Var) && IsUniform(E));
  }

  const ForStmt &Loop;
  const GuardedVariables UnderGuard, InInnermost, InBody;
  llvm::function_ref<bool(const Expr &)> IsUniform;
  ASTContext &Context;
  llvm::SmallPtrSet<const VarDecl *, 2> Own;
};

} // namespace

bool allThreadsMayCount(const ForStmt &Loop, const Stmt &Guard,
                        const Stmt &Innermost,
                        llvm::function_ref<bool(const Expr &)> IsUniform,
                        ASTContext &Context) {
  return HeaderCheck(Loop, Guard, Innermost, IsUniform, Context).run();
}

} // namespace barricade::artificial_barrier

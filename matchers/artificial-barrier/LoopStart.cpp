// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/LoopStart.h"
#include "matchers/artificial-barrier/GuardedRun.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::artificial_barrier {

/// `k = 0`, where \p Guard declares `k`: nothing is lost where a thread
/// outside of it does so, too.
static bool startsOwnVariable(const Expr &E, const Stmt &Guard,
                              const ASTContext &Context) {
  const auto *Assign = dyn_cast<BinaryOperator>(&E);
  if (!Assign || Assign->getOpcode() != BO_Assign ||
      !Assign->getRHS()->isCXX11ConstantExpr(Context))
    return false;
  const VarDecl *Var = variableNamedBy(*Assign->getLHS()->IgnoreParens());
  return Var && isPlainScalar(*Var) && declares(&Guard, *Var);
}

static bool mayStartAnywhere(const VarDecl &Var, const ASTContext &Context) {
  const Expr *Init = Var.getInit();
  return isPlainScalar(Var) && (!Init || Init->isCXX11ConstantExpr(Context));
}

/// `T t = value` may become `T t = flag ? (value) : 0`. The other arm is an
/// int: neither an enumeration nor `auto` takes it, and a class converts to it
/// in its own way.
static bool mayBeZero(const VarDecl &Var) {
  const Expr *Init = Var.getInit();
  return Init && isPlainScalar(Var) && !Var.getType()->isEnumeralType() &&
         !Var.getType()->getContainedDeducedType() &&
         !Init->IgnoreUnlessSpelledInSource()->getType()->isRecordType() &&
         Var.getInitStyle() == VarDecl::CInit;
}

static LoopStart planDeclaration(const DeclStmt &Declaration,
                                 const ASTContext &Context) {
  LoopStart Start;
  for (const Decl *D : Declaration.decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (Var && mayStartAnywhere(*Var, Context))
      continue;
    if (!Var || !mayBeZero(*Var)) {
      Start.Obstacle = Declaration.getBeginLoc();
      return Start;
    }
    Start.Zeroed.push_back(Var);
  }
  return Start;
}

LoopStart planLoopStart(const Stmt &Loop, const Stmt &Guard,
                        ASTContext &Context) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const Stmt *Init = For ? For->getInit() : nullptr;
  if (!Init)
    return {};
  if (const auto *Declaration = dyn_cast<DeclStmt>(Init))
    return planDeclaration(*Declaration, Context);
  LoopStart Start;
  const auto &E = *cast<Expr>(Init);
  if (!startsOwnVariable(E, Guard, Context))
    Start.Guarded = &E;
  return Start;
}

} // namespace barricade::artificial_barrier

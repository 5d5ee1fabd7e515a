// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dependence/PointerCopies.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::dependence {

using grid_barrier::LoopAction;

static bool isPointer(const VarDecl &Var) {
  return Var.getType()->isPointerType();
}

/// The pointer whose value \p E is, to elements of the type of those of \p Var.
static const VarDecl *copiedBy(const Expr &E, const VarDecl &Var) {
  const VarDecl *From = variableOf(E);
  return From && isPointer(*From) &&
                 Var.getASTContext().hasSameUnqualifiedType(
                     From->getType()->getPointeeType(),
                     Var.getType()->getPointeeType())
             ? From
             : nullptr;
}

PointerCopies::PointerCopies(const grid_barrier::RelaunchLoop &L) : L(L) {
  const facts::VariableFacts Uses(L.Loop);
  for (const auto &[Var, All] : Uses)
    if (isPointer(*Var))
      for (const facts::VariableUse &U : All)
        if (Uses.mayChange(U))
          addUse(*Var, U.In ? nullptr : U.By,
                 U.Kind == facts::UseKind::Assign && !U.IsPart);
  (void)holds(L.Loop, [&](const Stmt &S) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      for (const Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D);
            Var && isPointer(*Var) && Var->getInit())
          addCopy(*Var, Var->getInit());
    const auto *Catch = dyn_cast<CXXCatchStmt>(&S);
    if (const VarDecl *Caught = Catch ? Catch->getExceptionDecl() : nullptr)
      addCopy(*Caught, nullptr);
    return false;
  });
}

void PointerCopies::addUse(const VarDecl &Var, const Stmt *By,
                           bool IsAssignment) {
  const auto *Op = dyn_cast_or_null<BinaryOperator>(By);
  if (IsAssignment && Op && Op->getOpcode() == BO_Assign)
    return addCopy(Var, Op->getRHS());
  for (const LoopAction &A : L.Actions)
    if (A.Kind == LoopAction::Swap && A.Call == By && By) {
      for (const Expr *Argument : A.Call->arguments())
        addCopy(Var, Argument);
      return;
    }
  addCopy(Var, nullptr);
}

void PointerCopies::addCopy(const VarDecl &To, const Expr *From) {
  if (const auto *Choice =
          From ? dyn_cast<ConditionalOperator>(From->IgnoreParenImpCasts())
               : nullptr) {
    addCopy(To, Choice->getTrueExpr());
    return addCopy(To, Choice->getFalseExpr());
  }
  const VarDecl *Source = From ? copiedBy(*From, To) : nullptr;
  if (Source)
    Related.unionSets(&To, Source);
  else
    Others.insert(&To);
}

llvm::SmallVector<const VarDecl *, 4>
PointerCopies::relatives(const VarDecl &Var) const {
  if (!Related.contains(&Var))
    return {&Var};
  llvm::SmallVector<const VarDecl *, 4> Result;
  for (auto It = Related.findLeader(&Var); It != Related.member_end(); ++It)
    Result.push_back(*It);
  sortByPlace(Result);
  return Result;
}

bool PointerCopies::isKnown(const VarDecl &Var) const {
  return isPointer(Var) &&
         llvm::all_of(relatives(Var), [&](const VarDecl *Each) {
           return isPointer(*Each) && !Others.contains(Each);
         });
}

} // namespace barricade::dependence

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/HostFunctions.h"
#include "matchers/facts/LinkedCode.h"
#include "matchers/facts/Purity.h"
#include "matchers/host/HostCalls.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

const Expr *returnedValue(const CallExpr &Call, const ASTContext &Context) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  Callee = Callee ? facts::linkedBody(*Callee) : nullptr;
  const auto *Body =
      Callee ? dyn_cast_or_null<CompoundStmt>(Callee->getBody()) : nullptr;
  const auto *Return = Body && Body->size() == 1
                           ? dyn_cast<ReturnStmt>(Body->body_front())
                           : nullptr;
  const Expr *Value = Return ? Return->getRetValue() : nullptr;
  // Of the arguments alone: what memory holds may change in the loop, or be
  // there only if the loop runs.
  const auto Known = [&](const Expr &Part) -> std::optional<bool> {
    const VarDecl *Var = variableNamedBy(Part);
    if (Var && !isa<ParmVarDecl>(Var) &&
        (Var->getType()->isReferenceType() ||
         !Var->isUsableInConstantExpressions(Context)))
      return false;
    return std::nullopt;
  };
  return Value && !isa<CXXMethodDecl>(Callee) &&
                 facts::isPure(*Value, {facts::PureReach::Parts, Known})
             ? Value
             : nullptr;
}

bool callsHost(const Expr &E, const LoopReading &L) {
  return holds(&E, [&](const Stmt &S) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      return Var && llvm::is_contained(L.OfHost, Var);
    }
    const auto *Call = dyn_cast<CallExpr>(&S);
    return Call &&
           host::classifyHostCall(*Call, L.SM) == host::HostCallKind::Unknown &&
           returnedValue(*Call, L.Context);
  });
}

} // namespace barricade::grid_barrier::relaunch_loop

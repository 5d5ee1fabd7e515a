// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/Guards.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

bool mayVary(const Guard &G, const LoopReading &L) {
  return G.Condition && (constantCondition(G.Condition, L.Context) == G.Is ||
                         holds(G.Condition, [&](const Stmt &S) {
                           const VarDecl *Var = variableNamedBy(S);
                           return Var && L.Writes.contains(Var);
                         }));
}

void Guards::add(const Expr &Condition, bool Is) {
  const Expr &Plain = *Condition.IgnoreParenImpCasts();
  const auto *Op = dyn_cast<BinaryOperator>(&Plain);
  const auto *Not = dyn_cast<UnaryOperator>(&Plain);
  if (Op && Op->getOpcode() == (Is ? BO_LAnd : BO_LOr)) {
    add(*Op->getLHS(), Is);
    add(*Op->getRHS(), Is);
  } else if (Not && Not->getOpcode() == UO_LNot) {
    add(*Not->getSubExpr(), !Is);
  } else {
    All.push_back({&Condition, Is});
  }
}

} // namespace barricade::grid_barrier::relaunch_loop

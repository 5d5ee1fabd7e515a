// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/Reading.h"
#include "matchers/source/NamedElse.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

LoopReading::LoopReading(const HostLoop &L, const Program &Whole,
                         StepsOfKernel StepsOf, host::HostWaits &Waits)
    : Context(*Whole.host()->Context), Unit(Whole),
      SM(Context.getSourceManager()), StepsOf(StepsOf), Waits(Waits),
      Variables(*L.Function) {
  Result.Loop = L.Loop;
  Result.Function = L.Function;
}

bool LoopReading::refuse(ReasonId Id, SourceLocation Where) {
  Result.Blockers.push_back(blocker(Id, Where));
  return false;
}

bool LoopReading::livesOn(const VarDecl &V) const {
  return Variables.livesOn(V, *Result.Loop) ||
         mayBeUsedElse(V, *Result.Function);
}

const host::UnitUses &LoopReading::unitUses() const {
  if (!Uses)
    Uses.emplace(Context);
  return *Uses;
}

unsigned countUses(const VarDecl &Var, const Stmt &In) {
  unsigned Count = 0;
  (void)holds(&In, [&](const Stmt &S) {
    Count += variableNamedBy(S) == &Var;
    return false;
  });
  return Count;
}

} // namespace barricade::grid_barrier::relaunch_loop

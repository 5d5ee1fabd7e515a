// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of arrays does the device need.

#include "matchers/grid-barrier/ElementReads.h"
#include "matchers/grid-barrier/relaunch-loop/HostMemory.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

void checkElements(LoopReading &L) {
  for (const auto &[Var, Reads] : L.ElementReads) {
    const bool IsAsked = L.asksEntry();
    const bool IsKept =
        !L.Writes.contains(Var) && !L.Variables.isShared(*Var) &&
        L.Variables.hasValueBefore(*Var, *L.Result.Loop) &&
        countUses(*Var, *L.Result.Loop) == Reads.size() &&
        (!L.Result.Waits || !mayWriteElements(Reads.front()->getType(), L));
    const unsigned Count = IsAsked && IsKept
                               ? countElementsRead(*Var, Reads, *L.Result.Loop,
                                                   L.Variables, L.Context)
                               : 0;
    if (Count == 0)
      L.refuse(ReasonId::HostMemory, Reads.front()->getBeginLoc());
    else
      L.Result.Elements[Var] = Count;
  }
}

} // namespace barricade::grid_barrier::relaunch_loop

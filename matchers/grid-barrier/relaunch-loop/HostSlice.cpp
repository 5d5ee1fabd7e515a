// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of a loop does the host still evaluate.

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade::grid_barrier {

HostSlice sliceFor(const RelaunchLoop &L,
                   llvm::ArrayRef<const VarDecl *> Wanted) {
  llvm::SmallPtrSet<const VarDecl *, 16> Needed;
  Needed.insert_range(L.Control);
  Needed.insert_range(Wanted);
  HostSlice Slice;
  for (const HostStep &Step : L.Steps)
    Slice.Unneeded.push_back(&Step);
  const auto IsNeeded = [&](const HostStep *Step) {
    return llvm::any_of(
        Step->Writes, [&](const VarDecl *Var) { return Needed.contains(Var); });
  };
  for (auto Found = Slice.Unneeded.begin();
       (Found = llvm::find_if(Slice.Unneeded, IsNeeded)) !=
       Slice.Unneeded.end();) {
    Needed.insert_range((*Found)->Reads);
    Slice.Unneeded.erase(Found);
  }
  Slice.HasEffects = llvm::any_of(
      Needed, [&](const VarDecl *Var) { return L.Changed.contains(Var); });
  return Slice;
}

void addNames(const Stmt *S, NameSet &Into) {
  (void)holds(S, [&](const Stmt &Part) {
    if (isa<DeclRefExpr>(Part))
      Into.insert(&Part);
    return false;
  });
}

NameSet namesForHost(const RelaunchLoop &L) {
  NameSet All;
  for (const LoopLaunch &Launch : L.Launches) {
    addNames(Launch.SharedBytes, All);
    addNames(Launch.Stream, All);
    if (L.Grids == GridForm::Same)
      addNames(Launch.Grid, All);
    if (!Launch.LogicalThreads)
      addNames(Launch.Block, All);
  }
  for (const VarDecl *Var : L.HostOnly)
    addNames(Var->getInit(), All);
  return All;
}

} // namespace barricade::grid_barrier

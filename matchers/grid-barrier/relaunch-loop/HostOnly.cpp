// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the loop's variables does only the host need.

#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/source/Statements.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

void findHostOnly(LoopReading &L) {
  L.Result.HostOnly = L.Result.Invariants;
  const auto CountOnHost = [&](const VarDecl &Var) {
    unsigned Count = 0;
    const auto Add = [&](const Expr *E) {
      Count += E ? countUses(Var, *E) : 0;
    };
    for (const LoopLaunch &Each : L.Result.Launches) {
      Add(Each.SharedBytes);
      Add(Each.Stream);
      if (L.Result.Grids == GridForm::Same || Each.GridFromHost)
        Add(Each.Grid);
      if (!Each.LogicalThreads)
        Add(Each.Block);
    }
    for (const VarDecl *Other : L.Result.HostOnly)
      Add(Other->getInit());
    return Count;
  };
  // Whole statements go, if their text is not to change otherwise.
  const auto GoesWith = [&](const HostStep &Step, const VarDecl *Var) {
    const auto *Declaration = dyn_cast<DeclStmt>(Step.Statement);
    return Declaration && llvm::is_contained(Declaration->decls(), Var) &&
           llvm::all_of(Declaration->decls(),
                        [&](const Decl *D) {
                          return L.Result.HostOnly.contains(
                              dyn_cast<VarDecl>(D));
                        }) &&
           !holds(Declaration, [&](const Stmt &S) {
             return llvm::is_contained(L.Result.StdExtrema, &S);
           });
  };
  const auto IsNeeded = [&](const VarDecl *Var) {
    return CountOnHost(*Var) < countUses(*Var, *L.Result.Loop) ||
           llvm::none_of(
               L.Result.Steps,
               [&](const HostStep &Step) { return GoesWith(Step, Var); });
  };
  for (auto Found = L.Result.HostOnly.begin();
       (Found = llvm::find_if(L.Result.HostOnly, IsNeeded)) !=
       L.Result.HostOnly.end();)
    L.Result.HostOnly.erase(*Found);
  for (const VarDecl *Var : L.OfHost)
    if (!L.Result.HostOnly.contains(Var))
      L.refuse(ReasonId::HostCall, Var->getInit()->getBeginLoc());
}

} // namespace barricade::grid_barrier::relaunch_loop

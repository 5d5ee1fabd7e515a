// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops of launches do on the host, and whether a kernel may run them.

#include "matchers/dependence/StepScopes.h"
#include "matchers/dumps/Dumps.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/grid-barrier/ElementReads.h"
#include "matchers/grid-barrier/Reasons.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/grid-barrier/StepViews.h"
#include "matchers/host/HostVariables.h"
#include "matchers/host/HostWait.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace barricade::dumps {

using namespace grid_barrier;

/// Every loop of launches in a function, of templates the instances.
static void forEachLoop(const PassView &Pass,
                        llvm::function_ref<void(const HostLoop &)> Visit) {
  if (Pass.IsDevice)
    return;
  for (const HostLoop &L : findHostLoops(Pass))
    for (const HostLoop &Each :
         L.Instances.empty() ? llvm::ArrayRef(L) : llvm::ArrayRef(L.Instances))
      if (Each.Function && !Each.Function->isDependentContext())
        Visit(Each);
}

/// Every such loop as a kernel might run it.
static void forEachRead(
    const PassView &Pass, const Program &Whole,
    llvm::function_ref<void(const RelaunchLoop &, StepsOfKernel)> Visit) {
  StepViews Views(Whole);
  host::HostWaits Waits(Whole);
  const auto StepsOf = [&](const FunctionDecl &Kernel) {
    return Views.of(Kernel);
  };
  forEachLoop(Pass, [&](const HostLoop &L) {
    Visit(readRelaunchLoop(L, Whole, StepsOf, Waits), StepsOf);
  });
}

void relaunchLoops(const PassView &Pass, const Program &Whole, Annotate Tell) {
  static constexpr llvm::StringLiteral Grids[] = {
      "one grid for all launches", "several grids, all loop-invariant",
      "grids that iterations compute"};
  forEachRead(Pass, Whole, [&](const RelaunchLoop &L, StepsOfKernel) {
    const SourceLocation Where = L.Loop->getBeginLoc();
    tellAll(L.Blockers, "no kernel may run the loop: ", Tell);
    if (!L.Blockers.empty())
      return;
    Tell(Where, "a kernel may run it, with " + Grids[unsigned(L.Grids)].str());
    if (L.Waits)
      Tell(Where, "the host waits for the device in it");
    for (const VarDecl *Each : L.Captures)
      Tell(Where, "the device gets " + quoted(Each) +
                      (L.LiveOn.contains(Each) ? ", and gives it back" : ""));
    for (const VarDecl *Each : L.Invariants)
      Tell(Each->getLocation(), quoted(Each) + " is loop-invariant");
    for (const LoopAction &Each : L.Actions)
      if (Each.isHoisted())
        Tell(Each.Statement->getBeginLoc(), "moves behind the loop");
  });
}

void stepScopes(const PassView &Pass, const Program &Whole, Annotate Tell) {
  forEachRead(Pass, Whole, [&](const RelaunchLoop &L, StepsOfKernel StepsOf) {
    if (!L.Blockers.empty())
      return;
    const dependence::LoopScopes Scopes =
        dependence::planScopes(L, StepsOf, *Pass.Context);
    for (const auto &[Step, Launch] : llvm::zip_equal(Scopes.Steps, L.Launches))
      Tell(Launch.Call->getBeginLoc(),
           (Step.isAlwaysConfined() ? "confined to its blocks: "
            : Step.Needs < dependence::Scope::Grid
                ? "confined to its blocks for some arguments: "
                : "needs the whole grid: ") +
               Step.Why);
    for (const dependence::PointerPair &Each : Scopes.Apart)
      Tell(L.Loop->getBeginLoc(), quoted(Each.First) + " and " +
                                      quoted(Each.Second) +
                                      " must lead to memory of their own");
  });
}

void hostVariables(const PassView &Pass, const Program &, Annotate Tell) {
  forEachLoop(Pass, [&](const HostLoop &L) {
    const host::HostVariables Variables(*L.Function);
    for (const auto &[Var, Uses] : facts::VariableFacts(L.Loop)) {
      if (declares(L.Loop, *Var))
        continue;
      Tell(Uses.front().Name->getBeginLoc(),
           quoted(Var) + ": " +
               (Variables.isShared(*Var) ? "escapes" : "changes by name only") +
               (Variables.isSetBefore(*Var, *L.Loop)
                    ? ", is set before the loop"
                : Variables.isSetAnew(*Var, *L.Loop,
                                      llvm::SmallPtrSet<const Stmt *, 1>())
                    ? ", is set by each iteration"
                    : ", may have no value before the loop") +
               (Variables.livesOn(*Var, *L.Loop) ? ", live-out"
                                                 : ", dead behind the loop"));
    }
  });
}

void elementReads(const PassView &Pass, const Program &, Annotate Tell) {
  forEachLoop(Pass, [&](const HostLoop &L) {
    llvm::MapVector<const VarDecl *, std::vector<const ArraySubscriptExpr *>>
        Reads;
    (void)holds(L.Loop, [&](const Stmt &S) {
      if (const auto *Read = dyn_cast<ArraySubscriptExpr>(&S))
        if (const VarDecl *Array = barricade::variableOf(*Read->getBase());
            Array && Array->getType()->isPointerType())
          Reads[Array].push_back(Read);
      return false;
    });
    const host::HostVariables Variables(*L.Function);
    for (const auto &[Array, All] : Reads) {
      const unsigned Count =
          countElementsRead(*Array, All, *L.Loop, Variables, *Pass.Context);
      Tell(All.front()->getBeginLoc(),
           Count ? "each iteration surely reads " + std::to_string(Count) +
                       " elements of " + quoted(Array)
                 : "which elements of " + quoted(Array) +
                       " are read is not known");
    }
  });
}

void hostWaits(const PassView &Pass, const Program &Whole, Annotate Tell) {
  host::HostWaits Waits(Whole);
  forEachLoop(Pass, [&](const HostLoop &L) {
    const SourceLocation Where = L.Loop->getBeginLoc();
    if (const auto Wait = Waits.against(blocker(ReasonId::HostWait, Where)))
      tellAll(*Wait, "", Tell);
    else
      Tell(Where, "no kernel is seen to wait for the host");
  });
}

} // namespace barricade::dumps

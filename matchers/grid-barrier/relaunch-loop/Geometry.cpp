// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which grids and blocks do the launches have, and which stream do they share.

#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/grid-barrier/relaunch-loop/HostFunctions.h"
#include "matchers/grid-barrier/relaunch-loop/Invariance.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/grid-barrier/relaunch-loop/Values.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

static bool standsAlone(const FunctionDecl &Kernel, const LoopReading &L) {
  return llvm::all_of(L.StepsOf(Kernel), [](const StepKernel *Step) {
    return Step->ThreadsStandAlone;
  });
}

/// Its threads may run in other blocks, and the launch is no error that is
/// known by its block alone.
static bool maySpread(const LoopLaunch &Launch, const LoopReading &L) {
  if (!standsAlone(*Launch.Kernel, L))
    return false;
  const auto *Bounds = Launch.Kernel->getAttr<CUDALaunchBoundsAttr>();
  if (!Bounds)
    return true;
  const auto Most = facts::integerOf(*Bounds->getMaxThreads(), L.Context);
  const auto Threads = constantExtent(*Launch.Block, L.Context);
  return Threads && Most && *Threads <= Most->getZExtValue();
}

/// Finds the block of the persistent kernel, and the launches whose logical
/// threads it has to run; true where there are none. Threads that meet within
/// their block can do so in a block of their own size only.
static bool chooseBlock(LoopReading &L) {
  const LoopLaunch *Chosen = nullptr;
  const auto Threads = [&](const LoopLaunch &Launch) {
    return constantExtent(*Launch.Block, L.Context).value_or(0);
  };
  const bool SameBlock =
      llvm::all_of(L.Result.Launches, [&](const LoopLaunch &Each) {
        return host::sameExtents(*L.Result.Launches.front().Block, *Each.Block,
                                 L.Context);
      });
  for (const LoopLaunch &Each : L.Result.Launches) {
    if (!isKnownBefore(*Each.Block, L))
      continue;
    if (!SameBlock && !standsAlone(*Each.Kernel, L)) {
      Chosen = &Each;
      break;
    }
    if (!Chosen || Threads(Each) > Threads(*Chosen))
      Chosen = &Each;
  }
  if (!Chosen)
    return L.refuse(ReasonId::VaryingGeometry,
                    L.Result.Launches.front().Block->getBeginLoc());
  L.Result.Block = Chosen->Block;
  for (LoopLaunch &Each : L.Result.Launches) {
    Each.LogicalThreads =
        !host::sameExtents(*L.Result.Block, *Each.Block, L.Context);
    if (Each.LogicalThreads && !maySpread(Each, L))
      L.refuse(ReasonId::SeveralGeometries, Each.Call->getBeginLoc());
  }
  return SameBlock;
}

void checkGeometry(LoopReading &L, ValueReader &Values) {
  for (const LoopLaunch &Each : L.Result.Launches)
    for (const Expr *E : {Each.Grid, Each.Block})
      if (!hasValuesBefore(*E, L))
        L.refuse(ReasonId::UnsetVariable, E->getBeginLoc());
  for (const VarDecl *Var : L.Locals)
    if (isInvariant(*Var, L) && !hasValuesBefore(*Var->getInit(), L))
      L.refuse(ReasonId::UnsetVariable, Var->getLocation());
  for (const Expr *E : L.Outside)
    if (!isKnownBefore(*E, L))
      L.refuse(ReasonId::VaryingGeometry, E->getBeginLoc());
    else if (!hasValuesBefore(*E, L))
      L.refuse(ReasonId::UnsetVariable, E->getBeginLoc());
  const LoopLaunch &First = L.Result.Launches.front();
  for (const auto &[Copy, Stream] : L.Streams)
    if (!host::sameStream(First.Stream, Stream, L.Context))
      L.refuse(ReasonId::OtherStream, Copy->getBeginLoc());
  for (LoopAction &A : L.Result.Actions)
    A.OwnStream = A.Kind == LoopAction::Synchronise &&
                  A.Call->getNumArgs() == 1 &&
                  host::sameStream(First.Stream, A.Call->getArg(0), L.Context);
  for (const VarDecl *Var : L.Locals)
    if (isInvariant(*Var, L))
      L.Result.Invariants.insert(Var);
  bool SameGrid = chooseBlock(L), Varying = false;
  for (const LoopLaunch &Each : L.Result.Launches) {
    if (!host::sameStream(First.Stream, Each.Stream, L.Context))
      L.refuse(ReasonId::SeveralGeometries, Each.Call->getBeginLoc());
    // A kernel may have more than it asks for.
    if (!L.Result.SharedBytes)
      L.Result.SharedBytes = Each.SharedBytes;
    else if (Each.SharedBytes &&
             !host::sameExpression(L.Result.SharedBytes, Each.SharedBytes,
                                   L.Context))
      L.refuse(ReasonId::SeveralGeometries, Each.Call->getBeginLoc());
    SameGrid &= host::sameExtents(*First.Grid, *Each.Grid, L.Context);
    Varying |= !isKnownBefore(*Each.Grid, L) || !isKnownBefore(*Each.Block, L);
  }
  if (SameGrid && !Varying)
    return findHostOnly(L);
  L.Result.Grids = Varying ? GridForm::Computed : GridForm::Several;
  // The device has to know them, too.
  for (LoopLaunch &Each : L.Result.Launches) {
    Each.GridFromHost =
        isKnownBefore(*Each.Grid, L) && callsHost(*Each.Grid, L);
    if ((Each.GridFromHost || Values.readArgument(*Each.Grid)) &&
        (!Each.LogicalThreads || Values.readArgument(*Each.Block)) && Varying &&
        L.Result.ReadsBack)
      L.refuse(ReasonId::VaryingGeometry, Each.Grid->getBeginLoc());
  }
  findHostOnly(L);
}

} // namespace barricade::grid_barrier::relaunch_loop

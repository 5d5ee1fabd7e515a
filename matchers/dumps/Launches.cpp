// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host does around and between launches.

#include "matchers/dumps/Dumps.h"
#include "matchers/facts/DeviceAllocations.h"
#include "matchers/grid-barrier/StepViews.h"
#include "matchers/launch-fusion/FusionPlan.h"
#include "matchers/launch-fusion/LaunchSequence.h"
#include "matchers/launch-region/LaunchRegion.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::dumps {

void launchRegions(const PassView &Pass, const Program &, Annotate Tell) {
  using namespace launch_region;
  if (Pass.IsDevice)
    return;
  for (const LaunchRegion &R : findLaunchRegions(Pass, Between::NoWaits)) {
    Tell(R.First->getBeginLoc(), "a region of launches begins");
    for (const RegionLaunch &L : R.Launches)
      Tell(L.Call->getBeginLoc(), L.IsInLoop ? "may follow itself in the region"
                                             : "is made in the region");
    for (const CallExpr *Transfer : R.Transfers)
      Tell(Transfer->getBeginLoc(), "is made in the region, too");
    if (R.Blocker)
      Tell(R.Blocker->getBeginLoc(), "may give the device other work");
  }
}

/// What stands between the kernels of \p S once they are one, if all builds are
/// as this one.
static void tellPlan(const launch_fusion::LaunchSequence &S,
                     grid_barrier::StepViews &Views, ASTContext &Context,
                     Annotate Tell) {
  static constexpr llvm::StringLiteral Waits[] = {
      "nothing", "a block barrier", "a barrier of neighbouring blocks",
      "a grid barrier"};
  std::vector<launch_fusion::KernelViews> Kernels;
  for (const launch_fusion::SequencedLaunch &Each : S.Launches)
    Kernels.push_back(Views.of(*Each.Kernel));
  const launch_fusion::FusionPlan Plan =
      launch_fusion::planFusion(S, Kernels, Context, /*IsFixed=*/true);
  for (const auto &[Boundary, Next] :
       llvm::zip(Plan.Boundaries, llvm::drop_begin(S.Launches)))
    Tell(Next.Call->getBeginLoc(), "needs " +
                                       Waits[unsigned(Boundary.Between)].str() +
                                       " before it: " + Boundary.Why);
}

void launchSequences(const PassView &Pass, const Program &Whole,
                     Annotate Tell) {
  if (Pass.IsDevice)
    return;
  grid_barrier::StepViews Views(Whole);
  for (const launch_fusion::LaunchSequence &S :
       launch_fusion::findLaunchSequences(Pass)) {
    tellAll(S.Blockers, "cannot be joined: ", Tell);
    if (!S.Blockers.empty())
      continue;
    Tell(S.Launches.front().Call->getBeginLoc(),
         "the first of " + std::to_string(S.Launches.size()) +
             " launches in a row");
    if (llvm::all_of(S.Launches, [&](const launch_fusion::SequencedLaunch &L) {
          return !Views.of(*L.Kernel).empty();
        }))
      tellPlan(S, Views, *Pass.Context, Tell);
  }
}

void deviceAllocations(const PassView &Pass, const Program &, Annotate Tell) {
  forEachHostFunction(Pass, [&](const FunctionDecl &Function) {
    const DeviceAllocations Memory(Function);
    forEachLocal(Function, [&](const VarDecl &Var) {
      if (Var.getType()->isPointerType())
        Tell(Var.getLocation(),
             quoted(&Var) + (Memory.isOwner(Var) ? " owns device memory"
                                                 : " may share memory"));
    });
    forEachStatement(Function, [&](const Stmt &S) {
      if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(&S))
        for (const Expr *Argument : Launch->arguments())
          if (Argument->getType()->isPointerType())
            Tell(Argument->getBeginLoc(),
                 Memory.reachesOnlyOwn(*Argument)
                     ? "reaches nothing but the function's own allocations"
                 : Memory.comesFromUnseen(*Argument)
                     ? "comes from a function that is not seen"
                     : "may reach memory of others");
    });
  });
}

} // namespace barricade::dumps

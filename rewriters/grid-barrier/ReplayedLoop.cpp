// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/ReplayedLoop.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "rewriters/launch-region/LaunchCount.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier {

using launch_region::LaunchRegion;
using launch_region::RegionLaunch;

ReplayedLoops::ReplayedLoops(const Program &P, const RuleOptions &Options)
    : Host(*P.host()), Regions(launch_region::findLaunchRegions(
                           Host, launch_region::Between::NoWaits)),
      Calls(P), SM(P.host()->Context->getSourceManager()),
      Header(Options.Header) {
  if (Options.Overlaps)
    Kernels.emplace(P, Options);
}

std::optional<LaunchRegion> ReplayedLoops::regionOf(const Stmt &Loop) {
  // What holds of a stretch of statements holds of a part of it.
  for (const LaunchRegion &Around : Regions) {
    LaunchRegion Own = Around;
    Own.First = Own.Last = &Loop;
    const auto IsOutside = [&](const CallExpr *Call) {
      return !contains(&Loop, Call);
    };
    llvm::erase_if(Own.Launches,
                   [&](const RegionLaunch &L) { return IsOutside(L.Call); });
    llvm::erase_if(Own.Transfers, IsOutside);
    llvm::erase_if(Own.Waits, IsOutside);
    if (Own.Launches.empty())
      continue;
    // A stretch within the body says nothing of what stands beside it.
    const bool IsWithin =
        &Loop != Around.First && contains(&Loop, Around.First);
    return !IsWithin && canBeWritten(Own) ? std::optional(std::move(Own))
                                          : std::nullopt;
  }
  return std::nullopt;
}

bool ReplayedLoops::isWhole(const Stmt &Loop) {
  return llvm::any_of(Regions,
                      [&](const LaunchRegion &R) {
                        return isOf(R, Loop) && canBeWritten(R);
                      }) ||
         waitingLoopOf(Loop);
}

bool ReplayedLoops::isOf(const LaunchRegion &R, const Stmt &Loop) {
  return R.First == &Loop && R.Last == &Loop;
}

std::optional<LaunchRegion>
ReplayedLoops::findLoop(const Stmt &Loop,
                        llvm::function_ref<bool(const LaunchRegion &)> Is) {
  if (!Calls.putsHostIntoStreams())
    for (const LaunchRegion &R : ofReplay())
      if (isOf(R, Loop) && Is(R) && canBeWritten(R))
        return R;
  return std::nullopt;
}

std::optional<LaunchRegion> ReplayedLoops::readLoopOf(const Stmt &Loop) {
  return findLoop(Loop, [](const LaunchRegion &R) { return bool(R.ReadBack); });
}

std::optional<LaunchRegion> ReplayedLoops::waitingLoopOf(const Stmt &Loop) {
  return findLoop(Loop, [](const LaunchRegion &R) {
    return !R.Waits.empty() && R.Pauses.empty() && !R.ReadBack;
  });
}

llvm::ArrayRef<LaunchRegion> ReplayedLoops::ofReplay() {
  if (!OfReplay)
    OfReplay =
        launch_region::findLaunchRegions(Host, launch_region::Between::Pauses);
  return *OfReplay;
}

bool ReplayedLoops::asksForErrors(const Stmt &Loop) {
  return llvm::any_of(ofReplay(), [&](const LaunchRegion &R) {
    return isOf(R, Loop) && !R.Waits.empty() && !R.Asked.Statements.empty() &&
           canBeWritten(R);
  });
}

bool ReplayedLoops::canBeWritten(const LaunchRegion &Region) {
  Finding Why;
  Calls.checkPlace(Region, Why);
  Calls.checkWaits(Region, Why);
  for (const RegionLaunch &L : Region.Launches)
    if (Why.Reasons.empty())
      Calls.checkLaunch(L, Why);
  return Why.Reasons.empty();
}

std::vector<const FunctionDecl *>
ReplayedLoops::waitingKernels(const LaunchRegion &Region) {
  std::vector<const FunctionDecl *> Result;
  if (Kernels)
    for (const RegionLaunch &L : Region.Launches)
      if (Kernels->canWait(Region, L) && Kernels->keepsLoads(L))
        Result.push_back(L.Kernel);
  return Result;
}

void ReplayedLoops::include(const FunctionDecl &Function,
                            llvm::ArrayRef<const FunctionDecl *> Waiting,
                            Finding &F) const {
  // Where the loop is, the persistent kernel's text includes it.
  const auto FileOf = [&](const FunctionDecl &Each) {
    return SM.getFileID(SM.getExpansionLoc(Each.getLocation()));
  };
  llvm::SmallVector<const FunctionDecl *> Elsewhere;
  for (const FunctionDecl *Kernel : Waiting)
    if (FileOf(spelledFunction(*Kernel)) != FileOf(Function))
      Elsewhere.push_back(&spelledFunction(*Kernel));
  Calls.include(Elsewhere, Header, F);
}

void ReplayedLoops::write(const LaunchRegion &Region, llvm::StringRef Object,
                          const Objects &By,
                          llvm::ArrayRef<const FunctionDecl *> Waiting,
                          Finding &F) const {
  for (const RegionLaunch &L : Region.Launches) {
    F.Parts.push_back(placeOf(L.Call->getBeginLoc(), SM));
    Calls.writeLaunch(L,
                      launch_region::replayedBy(
                          By.at(L.Call), llvm::is_contained(Waiting, L.Kernel)),
                      F);
  }
  Calls.writeTransfers(Region, Object, F);
  if (Region.ReadBack)
    Calls.writeCopies(Region, Object, F);
  Calls.writeWaits(Region, Object, F);
  F.AlsoOf.push_back("launch-replay");
  if (!Waiting.empty())
    F.AlsoOf.push_back("launch-overlap");
}

} // namespace barricade::grid_barrier

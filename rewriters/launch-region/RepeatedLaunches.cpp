// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-region/RepeatedLaunches.h"
#include "matchers/grid-barrier/SharedData.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace clang;

namespace barricade::launch_region {

bool RepeatedLaunches::repeat(const LaunchRegion &R) {
  const auto IsInLoop = [](const RegionLaunch &L) { return L.IsInLoop; };
  if (llvm::none_of(R.Launches, IsInLoop) || !repeatsLaunches(R))
    return false;
  if (!Steps)
    Steps.emplace(Whole, Options.GpuSync);
  std::vector<const CUDAKernelCallExpr *> Calls;
  for (const RegionLaunch &L : R.Launches)
    Calls.push_back(L.Call);
  return grid_barrier::sharesNothing(Calls, [&](const FunctionDecl &Kernel) {
    return Steps->stepsOf(Kernel);
  });
}

} // namespace barricade::launch_region

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All rules. A new one is added here and nowhere else.

#include "rewriters/Rule.h"
#include "rewriters/artificial-barrier/ArtificialBarrier.h"
#include "rewriters/fence-as-barrier/FenceAsBarrier.h"
#include "rewriters/grid-barrier/GridBarrier.h"
#include "rewriters/launch-fusion/LaunchFusion.h"
#include "rewriters/launch-overlap/LaunchOverlap.h"
#include "rewriters/launch-replay/LaunchReplay.h"

namespace barricade {

llvm::ArrayRef<std::unique_ptr<Rule>> allRules() {
  static const std::unique_ptr<Rule> Rules[] = {
      createArtificialBarrierRule(), createFenceAsBarrierRule(),
      createGridBarrierRule(),       createLaunchFusionRule(),
      createLaunchOverlapRule(),     createLaunchReplayRule(),
  };
  return Rules;
}

} // namespace barricade

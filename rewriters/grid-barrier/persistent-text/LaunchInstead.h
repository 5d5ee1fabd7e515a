// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch in front of the loop, which runs where that is refused.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_LAUNCHINSTEAD_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_LAUNCHINSTEAD_H

#include "rewriters/grid-barrier/persistent-text/Launch.h"
#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// Puts a launch in front of the loop, which runs where that is refused.
std::vector<Edit> launchInstead(const Plan &P, const PersistentLaunch &Launch);

} // namespace barricade::grid_barrier::persistent

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch within the loop, which begins as it was until the kernel is due.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_TAKEOVER_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_TAKEOVER_H

#include "rewriters/grid-barrier/persistent-text/Launch.h"
#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// Has the loop ask, when an iteration begins, whether the kernel should do
/// the rest.
std::vector<Edit> takeover(const Plan &P, const PersistentLaunch &Launch);

} // namespace barricade::grid_barrier::persistent

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of a loop that returns where it waits.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_UNTILWAIT_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_UNTILWAIT_H

#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// Removes from \p Patch, the loop's text, what no way leads to once each wait
/// is a return: compilers warn of values that such code reads and nothing sets.
/// Adds the names that are gone to \p Left.
void removeBehindWaits(const Plan &P, TextPatch &Patch, NameSet &Left);

} // namespace barricade::grid_barrier::persistent

#endif

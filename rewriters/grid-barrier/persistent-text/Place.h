// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where do the kernel and its launch stand, and does the loop's text mean the
// same there.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_PLACE_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_PLACE_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// The loop's text and the place of the kernel; refuses what cannot be copied.
void choosePlace(Plan &P);

/// What is written is indented like the loop, where that has tabs and the
/// function around it has none, or the other way round.
void chooseIndentation(Plan &P);

/// Every macro that the loop's text names must mean the same where the kernel
/// will stand.
void checkMacros(const Plan &P);

} // namespace barricade::grid_barrier::persistent

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in the loop does the kernel begin, and which of the loop's variables
// does it take, by which types.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_CAPTURES_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_CAPTURES_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// Whether the kernel takes the loop over once it has begun.
void chooseBeginning(Plan &P);

/// In an instance types are no more what the source calls them.
void readTemplate(Plan &P);

/// What the kernel takes. Names of the loop's own must not hide others.
void chooseCaptures(Plan &P);

/// Types that have names in the program are not written by what those stand
/// for now.
void checkTypes(const Plan &P);

} // namespace barricade::grid_barrier::persistent

#endif

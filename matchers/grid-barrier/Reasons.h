// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Reasons.def as values.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_REASONS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_REASONS_H

#include "matchers/Blocker.h"

namespace barricade::grid_barrier {

#define REASONS "matchers/grid-barrier/Reasons.def"
#include "matchers/ReasonTable.inc"

} // namespace barricade::grid_barrier

#endif

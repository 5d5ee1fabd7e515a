// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Reasons.def as values.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_REASONS_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_REASONS_H

#include "matchers/Blocker.h"

namespace barricade::artificial_barrier {

#define REASONS "matchers/artificial-barrier/Reasons.def"
#include "matchers/ReasonTable.inc"

} // namespace barricade::artificial_barrier

#endif

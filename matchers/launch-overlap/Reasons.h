// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of Reasons.def as values.

#ifndef BARRICADE_MATCHERS_LAUNCHOVERLAP_REASONS_H
#define BARRICADE_MATCHERS_LAUNCHOVERLAP_REASONS_H

#include "matchers/Blocker.h"

namespace barricade::launch_overlap {

#define REASONS "matchers/launch-overlap/Reasons.def"
#include "matchers/ReasonTable.inc"

} // namespace barricade::launch_overlap

#endif

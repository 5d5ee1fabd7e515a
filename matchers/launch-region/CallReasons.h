// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons of CallReasons.def as values.

#ifndef BARRICADE_MATCHERS_LAUNCHREGION_CALLREASONS_H
#define BARRICADE_MATCHERS_LAUNCHREGION_CALLREASONS_H

#include "matchers/Blocker.h"

namespace barricade::launch_region {

#define REASONS "matchers/launch-region/CallReasons.def"
#include "matchers/ReasonTable.inc"

} // namespace barricade::launch_region

#endif

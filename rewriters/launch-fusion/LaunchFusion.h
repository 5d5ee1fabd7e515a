// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_LAUNCHFUSION_LAUNCHFUSION_H
#define BARRICADE_REWRITERS_LAUNCHFUSION_LAUNCHFUSION_H

#include "rewriters/Rule.h"

namespace barricade {

std::unique_ptr<Rule> createLaunchFusionRule();

} // namespace barricade

#endif

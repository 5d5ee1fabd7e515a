// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_LAUNCHOVERLAP_LAUNCHOVERLAP_H
#define BARRICADE_REWRITERS_LAUNCHOVERLAP_LAUNCHOVERLAP_H

#include "rewriters/Rule.h"

namespace barricade {

std::unique_ptr<Rule> createLaunchOverlapRule();

} // namespace barricade

#endif

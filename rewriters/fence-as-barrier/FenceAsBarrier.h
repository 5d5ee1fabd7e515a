// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_FENCEASBARRIER_FENCEASBARRIER_H
#define BARRICADE_REWRITERS_FENCEASBARRIER_FENCEASBARRIER_H

#include "rewriters/Rule.h"

namespace barricade {

std::unique_ptr<Rule> createFenceAsBarrierRule();

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_LAUNCHREPLAY_LAUNCHREPLAY_H
#define BARRICADE_REWRITERS_LAUNCHREPLAY_LAUNCHREPLAY_H

#include "rewriters/Rule.h"

namespace barricade {

std::unique_ptr<Rule> createLaunchReplayRule();

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel does a launch of the loop run, with which arguments.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_LAUNCHES_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_LAUNCHES_H

#include "matchers/grid-barrier/relaunch-loop/Values.h"

namespace barricade::grid_barrier::relaunch_loop {

void readLaunch(const clang::CUDAKernelCallExpr &Call, LoopReading &L,
                ValueReader &Values);

} // namespace barricade::grid_barrier::relaunch_loop

#endif

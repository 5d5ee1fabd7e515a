// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When does a loop run its body, as far as can be asked before it.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_ENTRY_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_ENTRY_H

#include "matchers/grid-barrier/RelaunchLoop.h"

namespace barricade::grid_barrier::relaunch_loop {

/// When \p Loop runs its body.
LoopEntry entryOf(const clang::Stmt &Loop, const clang::ASTContext &Context);

/// No condition ends it.
bool isUnconditional(const clang::Stmt &Loop, const clang::ASTContext &Context);

} // namespace barricade::grid_barrier::relaunch_loop

#endif

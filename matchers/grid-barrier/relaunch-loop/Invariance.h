// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is the same in each iteration, so that the host knows it before the
// loop.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_INVARIANCE_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_INVARIANCE_H

#include "matchers/grid-barrier/relaunch-loop/Reading.h"

namespace barricade::grid_barrier::relaunch_loop {

bool isInvariant(const clang::Expr &E, const LoopReading &L);

/// The host can evaluate it before the loop, even if that does not run.
bool isKnownBefore(const clang::Expr &E, const LoopReading &L);

/// All that \p S names has a value before the loop, even if that does not run.
bool hasValuesBefore(const clang::Stmt &S, const LoopReading &L);

/// The loop's own variable has one value, which is known before the loop.
bool isInvariant(const clang::VarDecl &Var, const LoopReading &L);

} // namespace barricade::grid_barrier::relaunch_loop

#endif

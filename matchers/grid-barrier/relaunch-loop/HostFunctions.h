// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a function of the host's only compute.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_HOSTFUNCTIONS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_HOSTFUNCTIONS_H

#include "matchers/grid-barrier/relaunch-loop/Reading.h"

namespace barricade::grid_barrier::relaunch_loop {

/// What a function returns that does nothing but compute it from its
/// arguments; null for other functions.
const clang::Expr *returnedValue(const clang::CallExpr &Call,
                                 const clang::ASTContext &Context);

/// It calls functions that the device does not have, or names a variable of
/// the loop that begins with what they return.
bool callsHost(const clang::Expr &E, const LoopReading &L);

} // namespace barricade::grid_barrier::relaunch_loop

#endif

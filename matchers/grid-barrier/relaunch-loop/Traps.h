// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May an expression have no value where the loop does not run.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_TRAPS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_TRAPS_H

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace barricade::grid_barrier::relaunch_loop {

/// Divides by what may be zero where the loop does not run at all, reads what
/// may not be there, or has no value.
bool mayTrap(const clang::Expr &E, clang::ASTContext &Context);

} // namespace barricade::grid_barrier::relaunch_loop

#endif

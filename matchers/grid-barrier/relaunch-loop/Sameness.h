// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Are two streams the same. Of expressions in general, RelaunchLoop.h asks.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_SAMENESS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_SAMENESS_H

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace barricade::grid_barrier::relaunch_loop {

/// Each may be left out, which is null.
bool sameStream(const clang::Expr *A, const clang::Expr *B,
                clang::ASTContext &Context);

} // namespace barricade::grid_barrier::relaunch_loop

#endif

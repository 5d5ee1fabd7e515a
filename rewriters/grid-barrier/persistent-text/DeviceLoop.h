// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop in the kernel: what stands for each launch and copy, and between
// which there is a barrier.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_DEVICELOOP_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_DEVICELOOP_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// The template arguments of a launch's kernel, `<...>` as written but for what
/// only the function knows, or nothing where all are deduced.
std::string templateArguments(const Plan &P, const clang::DeclRefExpr &Callee);

/// The loop's text with steps for launches.
std::string deviceLoop(const Plan &P);

} // namespace barricade::grid_barrier::persistent

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By what a thread may hear of other blocks: reads that notice their writes,
// and functions that may wait for them though nobody calls them by name.

#ifndef BARRICADE_MATCHERS_FENCEASBARRIER_SMALLGRID_SIGNALS_H
#define BARRICADE_MATCHERS_FENCEASBARRIER_SMALLGRID_SIGNALS_H

#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/SilentCalls.h"

namespace barricade::fence_as_barrier::small_grid {

/// \p Effects hold an access by which another block's writes can be noticed, or
/// a call that may do so out of sight.
bool hasSignals(const KernelEffects &Effects);

/// Some of \p Calls does more than compute and write in straight-line code.
bool mayWait(const SilentCalls &Calls, unsigned Depth = 0);

} // namespace barricade::fence_as_barrier::small_grid

#endif

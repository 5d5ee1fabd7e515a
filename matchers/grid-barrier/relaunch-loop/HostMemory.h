// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May the loop write memory that the host reads.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_HOSTMEMORY_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_HOSTMEMORY_H

#include "matchers/grid-barrier/relaunch-loop/Reading.h"

namespace clang {
class QualType;
} // namespace clang

namespace barricade::grid_barrier::relaunch_loop {

/// The loop may write other memory than what the function has allocated on
/// the device, variables apart.
bool mayWriteHostMemory(const LoopReading &L);

/// The loop may write elements of \p Type, which the host reads. An object
/// that is a pointer is not written as anything else ([basic.lval]).
bool mayWriteElements(clang::QualType Type, const LoopReading &L);

/// The host may reach what is at \p Pointer, and then waits for a fill: it is
/// not from cudaMalloc in this function, and the unit has memory of that kind,
/// or a function that is not seen may have made it.
bool mayBeShared(const clang::Expr &Pointer, const LoopReading &L);

} // namespace barricade::grid_barrier::relaunch_loop

#endif

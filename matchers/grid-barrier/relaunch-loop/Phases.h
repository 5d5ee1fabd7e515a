// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of the whole loop, one question after the other. Each but the
// first needs that the loop's text has been read.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_PHASES_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_PHASES_H

#include "matchers/grid-barrier/relaunch-loop/Reading.h"

namespace barricade::grid_barrier::relaunch_loop {

class ValueReader;

/// Where \p Loop stands, no rewrite may be at all.
void refuseSurroundings(const HostLoop &Loop, LoopReading &L);

/// Of arrays known by pointers the kernel gets copies of elements. They are
/// made before the loop, if that runs, and stay true: the loop's statements
/// change nothing but variables of which no address is known; what a kernel
/// writes the host may read only after it has waited.
void checkElements(LoopReading &L);

/// How the launches' grids and blocks relate. \p Values are what the loop's
/// text was read by.
void checkGeometry(LoopReading &L, ValueReader &Values);

/// Of the loop-invariant variables those that nothing but launches'
/// configurations name, as far as the host evaluates them, and each other's
/// values.
void findHostOnly(LoopReading &L);

/// The host is to wait once for what it waits for in the loop, and only if it
/// does there.
void checkWaits(LoopReading &L);

/// No error is found that ends the loop before its launches are tried.
void checkEnd(LoopReading &L);

/// Which variables go to the device, and which come back.
void checkVariables(LoopReading &L);

/// No loop is ended by somebody else.
void checkConditions(LoopReading &L);

/// What the loop waits for in other streams the host will wait for before the
/// loop's work is launched: nothing there may be waiting for that. Who waits
/// for one such stream has put something there, perhaps in another file.
void checkForeignWaits(LoopReading &L);

/// No kernel waits for what the host does while the loop runs.
void checkHostWait(LoopReading &L);

/// What ends an iteration, of copies, and begins the next (`OfRoundTrip`).
void findRoundTrip(LoopReading &L);

/// Each iteration launches the same kernels with the same arguments, and does
/// nothing else to memory.
bool repeats(const LoopReading &L);

} // namespace barricade::grid_barrier::relaunch_loop

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that come to an end whatever memory holds.

#ifndef BARRICADE_VERIFY_COUNTEDLOOPS_H
#define BARRICADE_VERIFY_COUNTEDLOOPS_H

namespace llvm {
class Loop;
} // namespace llvm

namespace barricade {

class KernelMemory;

/// \p L is left only where a counter that each round moves by a constant passes
/// a limit. Where that lies may change from round to round.
bool isCounted(const llvm::Loop &L);

/// \p L is left where what it changes itself tells it to, and nothing that any
/// thread of the launch writes: it ends without the others, or never.
bool isLeftByOwnState(const llvm::Loop &L, const KernelMemory &Memory);

} // namespace barricade

#endif

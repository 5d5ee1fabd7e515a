// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that come to an end whatever memory holds.

#ifndef BARRICADE_VERIFY_COUNTEDLOOPS_H
#define BARRICADE_VERIFY_COUNTEDLOOPS_H

namespace llvm {
class Loop;
} // namespace llvm

namespace barricade {

/// \p L is left only where a counter that each round moves by a constant passes
/// a limit. Where that lies may change from round to round.
bool isCounted(const llvm::Loop &L);

} // namespace barricade

#endif

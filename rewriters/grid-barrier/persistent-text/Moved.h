// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the host do once that the loop does in each iteration, before the
// launch or behind it, and on which condition.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_MOVED_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_MOVED_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// \p A waits for more than the launches' stream.
bool waitsElsewhere(const LoopAction &A);

/// Copies make the host wait where it is not asked to.
bool waitsForLaunch(const Plan &P);

/// The statement of \p A as it stands outside of the loop; empty where it
/// cannot be written.
std::string movedStatement(const Plan &P, const LoopAction &A,
                           const std::string &Margin);

/// Waits for the other streams once, as the loop does in each iteration, if it
/// runs at all; empty where it does not. Errors are not looked at: the loop
/// does so behind its first launches only, and those that stay are met there.
std::string waitBefore(const Plan &P, const std::string &Margin);

/// Under which what leaves the loop is done behind the launch; empty: always.
std::string conditionBehind(const Plan &P);

} // namespace barricade::grid_barrier::persistent

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which checks of the loop are made behind the launch, in place of what they
// check there, and when does the loop come to them.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_CHECKS_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_CHECKS_H

#include "rewriters/grid-barrier/persistent-text/AfterLaunch.h"
#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// When the loop comes to \p A behind its last launch, in this iteration or
/// the next one.
size_t rankOf(const Plan &P, const LoopAction &A);

/// The copy to \p Var whose check goes with the result.
const LoopAction *checkedCopyTo(const Plan &P, const clang::VarDecl &Var);

/// \p A's statements without its call, by which checks are told apart; empty
/// where a macro spells the call.
std::string checkForm(const Plan &P, const LoopAction &A);

/// \p Call, with the check that the loop makes of \p A.
std::string checkText(const Plan &P, const LoopAction &A,
                      const std::string &Call, const std::string &Margin);

/// Adds what waits for the launch in place of copies, and what asks for
/// errors in place of those copies and fills that do not wait, by the loop's
/// checks.
void addWaits(const Plan &P, const std::string &Margin,
              std::vector<AfterLaunch> &Into);

} // namespace barricade::grid_barrier::persistent

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop's launches, where they stay launches: those that are confined and
// follow each other become one launch, of a kernel that makes a
// barricade::Stretch.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_STRETCHES_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_STRETCHES_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// Which launches become steps.
void chooseStretches(Plan &P);
bool hasStretches(const Plan &P);

/// The kernel; empty where there are no stretches.
std::string stretchKernel(const Plan &P);

/// The same at its place, where there is no other kernel.
Edit stretchEdit(const Plan &P);

/// Lines before the loop and behind it: the object that makes its launches,
/// what that is told, and its end. Each begins, or ends, at \p Line.
std::string objectBefore(const Plan &P, const std::string &Line);
std::string flushBehind(const Plan &P, const std::string &Line);

/// The object as it is to make the launch number \p Launch.
std::string objectFor(const Plan &P, unsigned Launch);

} // namespace barricade::grid_barrier::persistent

#endif

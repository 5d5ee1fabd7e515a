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

/// What the object that makes the launches is told before the loop.
std::vector<std::string> stretchStatements(const Plan &P);

/// Where there is no other kernel: that one at its place, and the object around
/// the loop.
Edit stretchEdit(const Plan &P);
std::vector<Edit> aroundLaunches(const Plan &P);

/// The object as it is to make the launch number \p Launch.
std::string objectFor(const Plan &P, unsigned Launch);

} // namespace barricade::grid_barrier::persistent

#endif

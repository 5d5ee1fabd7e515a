// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With how many blocks is the kernel launched.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_GRIDS_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_GRIDS_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// Whether the kernel may have fewer blocks than the loop's launches, for which
/// it is asked where the loop begins.
void chooseClamping(Plan &P);

/// The grid as the launch names it.
struct LaunchGrid {
  std::string Text;
  bool IsVariable = false; ///< Which is to be declared (`gridDeclaration`).
};

/// The grid to launch with: as many blocks as the largest of all.
LaunchGrid chooseGrid(const Plan &P);

/// What declares the variable \p Largest for the grid.
std::string gridDeclaration(const Plan &P, const std::string &Largest);

} // namespace barricade::grid_barrier::persistent

#endif

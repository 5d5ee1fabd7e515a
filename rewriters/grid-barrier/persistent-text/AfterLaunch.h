// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the host do behind the launch, and in which order.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_AFTERLAUNCH_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_AFTERLAUNCH_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// A statement behind the launch.
struct AfterLaunch {
  enum KindTy {
    Result, ///< Brings a variable back.
    Check,  ///< Waits or asks in place of a copy or a fill.
    Moved,  ///< The loop's own, which waits or asks.
  };
  KindTy Kind;
  size_t Rank;
  bool Waits; ///< For the launch.
  std::string Text;
  std::string Form; ///< That of its check (`checkForm`).
};

/// A fault is seen by the first that waits for the launch, or behind that. So
/// what the loop comes to before then it comes to in the next iteration. One
/// check of a form is enough, the first.
std::vector<AfterLaunch> inOrder(std::vector<AfterLaunch> Parts);

/// What the host does once the kernel is launched, behind \p Margin.
std::vector<std::string> afterSuccess(const Plan &P, const std::string &Margin);

} // namespace barricade::grid_barrier::persistent

#endif

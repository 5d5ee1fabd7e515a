// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold for a statement of the loop to run.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_GUARDS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_GUARDS_H

#include "matchers/grid-barrier/relaunch-loop/Reading.h"

namespace barricade::grid_barrier::relaunch_loop {

/// What must be, or must not be, for a statement of the loop to run.
struct Guard {
  const clang::Expr *Condition =
      nullptr; ///< Null: a loop within has iterations.
  bool Is = true;
};

/// \p G may hold in one iteration and not in another one, or holds in all.
bool mayVary(const Guard &G, const LoopReading &L);

/// Those of a statement. What stands behind an `if` has some of that's, too.
class Guards {
public:
  /// Adds each part of \p Condition that has to be, or must not be.
  void add(const clang::Expr &Condition, bool Is);
  /// Adds that a loop within has iterations.
  void addLoop() { All.push_back({}); }

  auto begin() const { return All.begin(); }
  auto end() const { return All.end(); }

private:
  std::vector<Guard> All;
};

} // namespace barricade::grid_barrier::relaunch_loop

#endif

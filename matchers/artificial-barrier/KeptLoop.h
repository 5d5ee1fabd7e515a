// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that keeps all threads until the last is done: may it, and how.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_KEPTLOOP_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_KEPTLOOP_H

#include "matchers/artificial-barrier/Reasons.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class Stmt;
} // namespace clang

namespace barricade::artificial_barrier {

/// What the user asks for.
struct BarrierSettings {
  unsigned Interval = 1; ///< Iterations from barrier to barrier.
  bool Barrier = true;   ///< False: the same loops, and nobody waits.
};

/// A loop with a flag that says whether this thread is still in it.
struct KeptLoop {
  const clang::Stmt *Loop = nullptr;
  BarrierSettings Settings;
  /// Threads leave at different times: vote. Otherwise the flag is the same for
  /// all, and a plain barrier does.
  bool Vote = true;
  /// False: all threads run the body, and the flag stands before what only
  /// those do that are still in the loop. With an interval of 1 only.
  bool GuardBody = true;
  /// They end the loop for their thread alone.
  llvm::SmallVector<const clang::Stmt *, 2> Breaks;
  /// Why it may not be.
  std::optional<Blocker> Obstacle;
};

/// The plan for \p Loop, to which all threads come. What leaves it by more than
/// its condition and its breaks would be missed at the barrier, and a variable
/// that the condition declares has no value where the flag decides.
KeptLoop planKeptLoop(const clang::Stmt &Loop, const BarrierSettings &Settings,
                      bool Vote);

} // namespace barricade::artificial_barrier

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How loops get their barrier, or why they cannot. Made from what was found of
// the loops; the rewriters write what it says. It holds no text.
//
//   1. Loops under a guard, or in a loop that threads leave at different times,
//      change together with it (GuardPlan).
//   2. A loop that all threads run equally often gets a barrier at its end, or
//      where a `continue` comes, too. With an interval it keeps all threads.
//   3. A strided loop counts its rounds with the leader's counter; where the
//      text does not allow that, it keeps all threads.
//   4. Any other loop keeps all threads until the last is done (KeptLoop).

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_BARRIERPLAN_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_BARRIERPLAN_H

#include "matchers/artificial-barrier/GuardPlan.h"
#include "matchers/artificial-barrier/KeptLoop.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace barricade::artificial_barrier {

struct BarrierPlan {
  enum class Way {
    AsItIs,      ///< All threads run the loop alike, and none shall wait.
    AtEnd,       ///< A barrier ends the body.
    InIncrement, ///< It ends the increment, where a `continue` comes, too.
    KeepAll,     ///< As `Kept` says.
    Rounds,      ///< By the leader's counter, or else as `Kept` says.
    MoveGuards,  ///< As `Guards` says, for all of the loops.
  };
  Way How = Way::AtEnd;
  llvm::StringRef Form; ///< As findings name it.
  KeptLoop Kept;
  /// Why what the leader evaluates may not be written once more.
  std::optional<Blocker> RoundsObstacle;
  GuardPlan Guards;
  std::vector<Blocker> Blockers;
};

/// The plan for \p Loops: one, or all that share their outermost statement.
BarrierPlan planBarrier(llvm::ArrayRef<const LoopCandidate *> Loops,
                        const BarrierSettings &Settings,
                        const TextQuestions &Text, clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a barrier in a loop is worth a try, by estimates of the loop's cost.
// Nothing here says whether it is legal.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_PROFIT_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_PROFIT_H

#include "matchers/artificial-barrier/Reasons.h"
#include "matchers/cost/LoopFacts.h"
#include <optional>

namespace barricade::artificial_barrier {

/// The only part of the rule that looks at what a loop costs.
struct Profit {
  /// The threads of the loop reach for global memory, as far as can be seen or
  /// not: without that it is no candidate.
  static bool hasTraffic(const CostOnly<LoopFacts> &Facts);

  /// Why the loop does too little to gain by a barrier, if so.
  static std::optional<ReasonId> tooLittle(const CostOnly<LoopFacts> &Facts,
                                           uint64_t MinInstructions,
                                           double MinMemoryRatio);

  /// Adds what people are shown of the loop to \p F.
  static void show(const CostOnly<LoopFacts> &Facts, Finding &F);
};

} // namespace barricade::artificial_barrier

#endif

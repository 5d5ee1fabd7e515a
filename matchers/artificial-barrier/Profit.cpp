// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/Profit.h"

using namespace barricade;
using namespace barricade::artificial_barrier;

bool Profit::hasTraffic(const CostOnly<LoopFacts> &Facts) {
  return Facts.value(ForCostOnly()).hasTraffic();
}

std::optional<ReasonId> Profit::tooLittle(const CostOnly<LoopFacts> &Facts,
                                          uint64_t MinInstructions,
                                          double MinMemoryRatio) {
  const LoopFacts &Loop = Facts.value(ForCostOnly());
  if (Loop.Instructions < MinInstructions)
    return ReasonId::FewInstructions;
  if (Loop.memoryRatio() < MinMemoryRatio)
    return ReasonId::FewMemoryOperations;
  return std::nullopt;
}

void Profit::show(const CostOnly<LoopFacts> &Facts, Finding &F) {
  const LoopFacts &Loop = Facts.value(ForCostOnly());
  F.Facts = Loop.facts();
  F.Accesses = Loop.accessFacts();
}

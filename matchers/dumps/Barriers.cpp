// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops of kernels may get a barrier, and how.

#include "matchers/artificial-barrier/BarrierPlan.h"
#include "matchers/artificial-barrier/Deciders.h"
#include "matchers/artificial-barrier/LoopBarrier.h"
#include "matchers/dumps/Dumps.h"
#include "matchers/source/Statements.h"

using namespace clang;

namespace barricade::dumps {

using namespace artificial_barrier;

/// The plan by default, for a text that stands in no way.
static BarrierPlan planFor(const LoopCandidate &C, ASTContext &Context) {
  return planBarrier(&C, {},
                     {[](const DeclStmt &) { return true; },
                      [](const IfStmt &) { return false; }},
                     Context);
}

static bool isRefused(const LoopCandidate &C) {
  return !C.Blockers.empty() || !C.Divergences.empty();
}

void barrierPlans(const PassView &Pass, const Program &Whole, Annotate Tell) {
  if (!Pass.IsDevice)
    return;
  for (const LoopSearch Search(Pass, Whole);
       const LoopCandidate &C : Search.candidates()) {
    tellAll(C.Blockers, "no barrier: ", Tell);
    tellAll(C.Divergences, "no barrier: ", Tell);
    if (isRefused(C))
      continue;
    const BarrierPlan Plan = planFor(C, *Pass.Context);
    tellAll(Plan.Blockers, "no barrier: ", Tell);
    if (Plan.Blockers.empty())
      Tell(C.Loop->getBeginLoc(),
           "a barrier in the form '" + Plan.Form.str() + "'");
  }
}

void deciders(const PassView &Pass, const Program &Whole, Annotate Tell) {
  if (!Pass.IsDevice)
    return;
  for (const LoopSearch Search(Pass, Whole);
       const LoopCandidate &C : Search.candidates()) {
    if (isRefused(C))
      continue;
    const Deciders Found(C, planFor(C, *Pass.Context).Form, *Pass.Context);
    const std::string Loop = loopAt(*C.Loop, *Pass.Context);
    for (const Deciders::Code &Each : Found.All)
      Tell(Each.Begin, "decides who runs " + Loop + ", and how often");
    for (const auto &[Var, Use] : Found.Globals)
      Tell(Use, quoted(Var) + " decides for " + Loop);
    if (Found.ReadsMemory)
      Tell(C.Loop->getBeginLoc(), "memory decides how often it runs");
  }
}

} // namespace barricade::dumps

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/BarrierPlan.h"
#include "matchers/artificial-barrier/LoopJumps.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::artificial_barrier {

static BarrierPlan planAtEnd(const Stmt &Loop) {
  BarrierPlan Plan;
  Plan.Form = "uniform";
  const LoopJumps Jumps = jumpsOf(Loop);
  if (Jumps.Continues.empty())
    return Plan;
  Plan.How = BarrierPlan::Way::InIncrement;
  if (!isa<ForStmt>(Loop))
    Plan.Blockers.push_back(
        blocker(ReasonId::Continue, Jumps.Continues.front()->getBeginLoc()));
  return Plan;
}

static BarrierPlan planKeeping(const LoopCandidate &C,
                               const BarrierSettings &Settings) {
  BarrierPlan Plan;
  Plan.How = C.Strided ? BarrierPlan::Way::Rounds : BarrierPlan::Way::KeepAll;
  Plan.Form = C.Strided ? "rounds" : C.NeedsVote ? "vote" : "uniform";
  Plan.Kept = planKeptLoop(*C.Loop, Settings, C.NeedsVote);
  if (!C.Strided && Plan.Kept.Obstacle)
    Plan.Blockers.push_back(*Plan.Kept.Obstacle);
  return Plan;
}

static BarrierPlan planAlone(const LoopCandidate &C,
                             const BarrierSettings &Settings) {
  if (C.NeedsVote || Settings.Interval > 1)
    return planKeeping(C, Settings);
  if (Settings.Barrier)
    return planAtEnd(*C.Loop);
  BarrierPlan Plan;
  Plan.How = BarrierPlan::Way::AsItIs;
  Plan.Form = "uniform";
  return Plan;
}

BarrierPlan planBarrier(llvm::ArrayRef<const LoopCandidate *> Loops,
                        const BarrierSettings &Settings,
                        const TextQuestions &Text, ASTContext &Context) {
  const LoopCandidate &First = *Loops.front();
  if (!First.outermost())
    return planAlone(First, Settings);
  BarrierPlan Plan;
  Plan.How = BarrierPlan::Way::MoveGuards;
  Plan.Form = First.OuterLoops.empty() ? "guarded" : "nested-vote";
  Plan.Guards = planGuards(Loops, Settings, Text, Context);
  Plan.Blockers = Plan.Guards.Blockers;
  return Plan;
}

} // namespace barricade::artificial_barrier

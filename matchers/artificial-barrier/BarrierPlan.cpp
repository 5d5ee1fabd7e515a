// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/BarrierPlan.h"
#include "matchers/artificial-barrier/LoopJumps.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

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

/// Something of what the leader evaluates for itself means something else where
/// that is written, or of the increments, which change their line.
static std::optional<Blocker> obstacleToRounds(const LoopCandidate &C,
                                               const ASTContext &Context) {
  const StridedLoop &Strided = *C.Strided;
  llvm::SmallVector<const Stmt *, 8> Parts = {conditionOf(*C.Loop),
                                              Strided.Start, Strided.Amount};
  if (const auto *For = dyn_cast<ForStmt>(C.Loop))
    Parts.push_back(For->getInc());
  llvm::append_range(Parts, llvm::make_second_range(Strided.Initialisers));
  if (llvm::none_of(Parts, [&](const Stmt *Part) {
        return Part && facts::dependsOnPlace(*Part, Context.getSourceManager());
      }))
    return std::nullopt;
  return blocker(ReasonId::PlaceDependent, C.Loop->getBeginLoc());
}

static BarrierPlan planKeeping(const LoopCandidate &C,
                               const BarrierSettings &Settings,
                               const ASTContext &Context) {
  BarrierPlan Plan;
  Plan.How = C.Strided ? BarrierPlan::Way::Rounds : BarrierPlan::Way::KeepAll;
  Plan.Form = C.Strided ? "rounds" : C.NeedsVote ? "vote" : "uniform";
  Plan.Kept = planKeptLoop(*C.Loop, Settings, C.NeedsVote);
  if (C.Strided)
    Plan.RoundsObstacle = obstacleToRounds(C, Context);
  else if (Plan.Kept.Obstacle)
    Plan.Blockers.push_back(*Plan.Kept.Obstacle);
  return Plan;
}

static BarrierPlan planAlone(const LoopCandidate &C,
                             const BarrierSettings &Settings,
                             const ASTContext &Context) {
  if (C.NeedsVote || Settings.Interval > 1)
    return planKeeping(C, Settings, Context);
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
    return planAlone(First, Settings, Context);
  BarrierPlan Plan;
  Plan.How = BarrierPlan::Way::MoveGuards;
  Plan.Form = First.OuterLoops.empty() ? "guarded" : "nested-vote";
  Plan.Guards = planGuards(Loops, Settings, Text, Context);
  Plan.Blockers = Plan.Guards.Blockers;
  return Plan;
}

} // namespace barricade::artificial_barrier

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/KeptLoop.h"
#include "matchers/artificial-barrier/LoopJumps.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::artificial_barrier {

static bool declaresInCondition(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getConditionVariable();
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getConditionVariable();
  return false;
}

static std::optional<Blocker> obstacleOf(const Stmt &Loop,
                                         const LoopJumps &Jumps) {
  if (isa<CXXForRangeStmt>(Loop) || declaresInCondition(Loop))
    return blocker(ReasonId::LoopShape, Loop.getBeginLoc());
  if (!Jumps.Returns.empty())
    return blocker(ReasonId::ReturnInLoop,
                   Jumps.Returns.front()->getBeginLoc());
  if (!Jumps.Gotos.empty())
    return blocker(ReasonId::LoopShape, Jumps.Gotos.front()->getBeginLoc());
  return std::nullopt;
}

KeptLoop planKeptLoop(const Stmt &Loop, const BarrierSettings &Settings,
                      bool Vote) {
  LoopJumps Jumps = jumpsOf(Loop);
  KeptLoop Plan;
  Plan.Loop = &Loop;
  Plan.Settings = Settings;
  Plan.Vote = Vote;
  Plan.Obstacle = obstacleOf(Loop, Jumps);
  Plan.Breaks = std::move(Jumps.Breaks);
  return Plan;
}

} // namespace barricade::artificial_barrier

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/grid-barrier/relaunch-loop/Copies.h"
#include "matchers/grid-barrier/relaunch-loop/Entry.h"
#include "matchers/grid-barrier/relaunch-loop/MovedChecks.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/grid-barrier/relaunch-loop/Reading.h"
#include "matchers/grid-barrier/relaunch-loop/Statements.h"
#include "matchers/grid-barrier/relaunch-loop/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace barricade::grid_barrier {

using namespace relaunch_loop;

/// Reads the text of the loop, and asks of the whole one question after the
/// other until one is answered by a refusal: of elements and of checks in any
/// case.
static void readInto(LoopReading &L) {
  ValueReader Values(L);
  Copies OfDevice(L, Values);
  MovedChecks Checks(L);
  RelaunchLoop &Result = L.Result;
  const std::vector<Blocker> &Blockers = Result.Blockers;

  Result.Entry = entryOf(*Result.Loop, L.Context);
  StatementReader(L, Values, OfDevice, Checks)
      .readStatement(*Result.Loop, /*InBlock=*/true);
  // A launch that is never made, as in an operand of sizeof.
  if (Result.Launches.empty() && Blockers.empty())
    L.refuse(ReasonId::HostStatement, Result.Loop->getBeginLoc());
  checkElements(L);
  Checks.check();
  if (Blockers.empty())
    checkGeometry(L, Values);
  if (Blockers.empty())
    checkWaits(L);
  if (Blockers.empty())
    checkEnd(L);
  if (Blockers.empty())
    OfDevice.checkBuffers();
  if (Blockers.empty())
    checkVariables(L);
  if (Blockers.empty()) {
    OfDevice.checkFills();
    OfDevice.checkRanges();
    checkConditions(L);
    OfDevice.checkFlags();
  }
  if (Blockers.empty())
    checkForeignWaits(L);
  if (Blockers.empty())
    checkHostWait(L);
  if (Blockers.empty())
    findRoundTrip(L);
  Result.Repeats = Blockers.empty() && repeats(L);
}

RelaunchLoop readRelaunchLoop(const HostLoop &L, const Program &Whole,
                              StepsOfKernel StepsOf, host::HostWaits &Waits) {
  if (!L.NoKeyword.empty()) {
    RelaunchLoop Refused;
    Refused.Blockers = L.NoKeyword;
    return Refused;
  }
  LoopReading Reading(L, Whole, StepsOf, Waits);
  refuseSurroundings(L, Reading);
  if (Reading.Result.Blockers.empty())
    readInto(Reading);
  return std::move(Reading.Result);
}

} // namespace barricade::grid_barrier

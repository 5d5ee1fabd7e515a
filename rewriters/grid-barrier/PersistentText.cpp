// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/PersistentText.h"
#include "rewriters/grid-barrier/persistent-text/Captures.h"
#include "rewriters/grid-barrier/persistent-text/Grids.h"
#include "rewriters/grid-barrier/persistent-text/Kernel.h"
#include "rewriters/grid-barrier/persistent-text/Launch.h"
#include "rewriters/grid-barrier/persistent-text/LaunchInstead.h"
#include "rewriters/grid-barrier/persistent-text/Names.h"
#include "rewriters/grid-barrier/persistent-text/Place.h"
#include "rewriters/grid-barrier/persistent-text/Stretches.h"
#include "rewriters/grid-barrier/persistent-text/Takeover.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier {

using namespace persistent;

/// Decides all that the texts have in common; false: there is nothing to write
/// them for. There may be blockers anyhow, for all are to be told.
static bool complete(Plan &P) {
  choosePlace(P);
  if (!P.Blockers.empty())
    return false;
  chooseBeginning(P);
  readTemplate(P);
  if (!P.Blockers.empty())
    return false;
  chooseCaptures(P);
  chooseClamping(P);
  checkTypes(P);
  chooseIndentation(P);
  chooseNames(P);
  checkMacros(P);
  checkNames(P);
  if (P.Continued)
    chooseStretches(P);
  return true;
}

static void addObjects(const Plan &P, PersistentText &Result) {
  Result.Replay = P.Names.Replay;
  for (unsigned I = 0; I < P.L.Launches.size(); ++I)
    Result.Objects.push_back(objectFor(P, I));
}

PersistentText writePersistent(const RelaunchLoop &L,
                               const dependence::LoopScopes &Scopes,
                               const PersistentNames &Names, StepTexts StepOf,
                               const PassView &Host) {
  PersistentText Result;
  Plan P(L, Scopes, Names, StepOf, Host, Result.Blockers);
  if (!complete(P))
    return Result;
  // Where both have one place, the first comes first.
  Result.Edits =
      runtimeInclusions(Names.Strategy, Names.Header, P.Site, P.Source, P.PP);
  Result.Edits.push_back(kernelEdit(P));
  const PersistentLaunch Launch = launchOfKernel(P);
  Result.TakesOver = P.Continued.has_value();
  Result.MayClamp = P.mayClamp();
  llvm::append_range(Result.Edits, Result.TakesOver ? takeover(P, Launch)
                                                    : launchInstead(P, Launch));
  if (Result.TakesOver && !Names.Replay.empty())
    addObjects(P, Result);
  Result.HasStretches = hasStretches(P);
  if (!Result.Blockers.empty())
    Result.Edits.clear();
  return Result;
}

PersistentText writeStretched(const RelaunchLoop &L,
                              const dependence::LoopScopes &Scopes,
                              const PersistentNames &Names, StepTexts StepOf,
                              const PassView &Host) {
  PersistentText Result;
  Plan P(L, Scopes, Names, StepOf, Host, Result.Blockers);
  choosePlace(P);
  if (!Result.Blockers.empty())
    return Result;
  chooseIndentation(P);
  chooseNames(P);
  checkMacros(P);
  chooseStretches(P);
  Result.HasStretches = hasStretches(P);
  if (!Result.HasStretches)
    return Result;
  Result.Edits =
      runtimeInclusions(Names.Strategy, Names.Header, P.Site, P.Source, P.PP);
  Result.Edits.push_back(stretchEdit(P));
  const std::string Line = P.Site.NewLine.str() + P.Indent;
  llvm::append_range(Result.Edits,
                     surround(P, objectBefore(P, Line), flushBehind(P, Line),
                              /*Declares=*/true));
  addObjects(P, Result);
  if (!Result.Blockers.empty())
    Result.Edits.clear();
  return Result;
}

} // namespace barricade::grid_barrier

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May a loop be rewritten where it stands.

#include "matchers/facts/KernelArguments.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/grid-barrier/relaunch-loop/Entry.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/host/HostPlace.h"
#include "matchers/source/Statements.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

void refuseSurroundings(const HostLoop &Loop, LoopReading &L) {
  const SourceLocation Where = Loop.Loop->getBeginLoc();
  const host::HostPlace Place = host::placeOf(*Loop.Loop, *Loop.Function);
  const auto RefuseIf = [&](bool Holds, ReasonId Id) {
    if (Holds)
      L.refuse(Id, Where);
  };
  RefuseIf(Place.IsTemplate || !facts::mayBeKernelOf(*Loop.Function),
           ReasonId::HostTemplate);
  RefuseIf(Loop.InLambda, ReasonId::InLambda);
  RefuseIf(Place.IsMember || (Place.IsInClass && !Loop.InLambda),
           ReasonId::MemberFunction);
  RefuseIf(Place.IsOfDevice, ReasonId::DeviceFunction);
  RefuseIf(Place.IsOutOfLine && !Loop.InLambda, ReasonId::OutOfLine);
  RefuseIf(!Place.MayNameKernels, ReasonId::BeyondAscii);
  RefuseIf(Place.IsFallback, ReasonId::Fallback);
  if (isUnconditional(*Loop.Loop, L.Context) && !leavesEarly(*Loop.Loop))
    L.refuse(ReasonId::Endless, Where);
  if (!L.Unit.HostOption.empty())
    L.refuse(ReasonId::HostOption, Where);
  if (const SourceLocation Name = findLocalName(*Loop.Loop, *Loop.Function);
      Name.isValid())
    L.refuse(ReasonId::LocalName, Name);
}

} // namespace barricade::grid_barrier::relaunch_loop

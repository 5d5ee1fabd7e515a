// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May a loop be rewritten where it stands.

#include "matchers/facts/KernelArguments.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/grid-barrier/relaunch-loop/Entry.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

void refuseSurroundings(const HostLoop &Loop, LoopReading &L) {
  const SourceLocation Where = Loop.Loop->getBeginLoc();
  const auto *Method = dyn_cast<CXXMethodDecl>(Loop.Function);
  if (Loop.Function->isDependentContext() ||
      !facts::mayBeKernelOf(*Loop.Function))
    L.refuse(ReasonId::HostTemplate, Where);
  if (Loop.InLambda)
    L.refuse(ReasonId::InLambda, Where);
  if (Method && !Method->getParent()->isLambda())
    L.refuse(ReasonId::MemberFunction, Where);
  if (Loop.Function->hasAttr<CUDADeviceAttr>())
    L.refuse(ReasonId::DeviceFunction, Where);
  if (!Method &&
      !Loop.Function->getLexicalDeclContext()->getRedeclContext()->Equals(
          Loop.Function->getDeclContext()->getRedeclContext()))
    L.refuse(ReasonId::OutOfLine, Where);
  if (!Method && !facts::mayGiveKernelsItsName(*Loop.Function))
    L.refuse(ReasonId::BeyondAscii, Where);
  if (isFallback(*Loop.Loop, L.Context))
    L.refuse(ReasonId::Fallback, Where);
  if (isUnconditional(*Loop.Loop, L.Context) && !leavesEarly(*Loop.Loop))
    L.refuse(ReasonId::Endless, Where);
  if (!L.Unit.HostOption.empty())
    L.refuse(ReasonId::HostOption, Where);
  if (const SourceLocation Name = findLocalName(*Loop.Loop, *Loop.Function);
      Name.isValid())
    L.refuse(ReasonId::LocalName, Name);
}

} // namespace barricade::grid_barrier::relaunch_loop

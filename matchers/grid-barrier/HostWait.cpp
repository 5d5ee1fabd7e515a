// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/HostWait.h"
#include "matchers/DeviceFunctions.h"
#include "matchers/KernelEffects.h"
#include "matchers/Program.h"
#include "matchers/Statements.h"
#include "matchers/Waiting.h"
#include "matchers/grid-barrier/UnitUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

std::optional<HostWait> findIn(const FunctionDecl &Kernel,
                               const SourceManager &SM) {
  const KernelEffects Effects =
      collectKernelEffects(Kernel, /*RestrictParams=*/false);
  HostWait Found;
  for (const FunctionDecl *Function : Effects.Functions) {
    const bool Waits = codeHolds(*Function, [&](const Stmt &S) {
      if (isLoop(S))
        Found.Read = findWait(S, *Function, SM, Effects);
      Found.Loop = S.getBeginLoc();
      return Found.Read.isValid();
    });
    if (!Waits)
      Found.Loop = Found.Read = findGotoWait(*Function, SM, Effects);
    if (Found.Read.isValid())
      return Found;
  }
  return std::nullopt;
}

std::optional<HostWait> findIn(const PassView &Pass) {
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels)
    if (auto Found = findIn(*Kernel, Pass.Context->getSourceManager()))
      return Found;
  return std::nullopt;
}

} // namespace

std::optional<HostWait> findHostWait(const Program &Whole,
                                     const UnitUses &Uses) {
  if (!Uses.mayWriteBesideKernels())
    return std::nullopt;
  if (const PassView *Host = Whole.host())
    if (auto Found = findIn(*Host))
      return Found;
  for (const PassView &Pass : Whole.Passes)
    if (Pass.IsDevice && findIn(Pass))
      return HostWait();
  return std::nullopt;
}

Blocker blockerOf(const HostWait &Wait, Blocker Why) {
  if (Wait.Loop.isValid()) {
    Why.Where = Wait.Loop;
    Why.Notes.push_back({Wait.Read, "the host may change what this reads"});
  }
  return Why;
}

} // namespace barricade::grid_barrier

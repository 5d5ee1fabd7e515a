// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/HiddenLaunches.h"
#include "matchers/Statements.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier {

std::optional<ReasonId> HiddenLaunches::reasonAgainst(const CallExpr &Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return std::nullopt;
  if (classifyHostCall(Call, SM) == HostCallKind::Launch)
    return ReasonId::RuntimeLaunch;
  const FunctionDecl *Callee = Call.getDirectCallee();
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  return Definition && launches(*Definition)
             ? std::optional(ReasonId::LaunchInCall)
             : std::nullopt;
}

bool HiddenLaunches::isHeldBy(const Stmt &S) {
  return holds(&S, [&](const Stmt &Part) {
    const auto *Call = dyn_cast<CallExpr>(&Part);
    return Call && reasonAgainst(*Call);
  });
}

bool HiddenLaunches::launches(const FunctionDecl &Callee) {
  // A function that calls itself launches what it launches besides.
  const auto [It, New] = Known.try_emplace(&Callee, false);
  if (!New || facts::isLibraryCode(Callee))
    return It->second;
  const Stmt *Body = Callee.getBody();
  const bool Launches =
      holds(Body, [](const Stmt &S) { return isa<CUDAKernelCallExpr>(S); }) ||
      (Body && isHeldBy(*Body));
  return Known[&Callee] = Launches;
}

} // namespace barricade::grid_barrier

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel does a launch run, with which arguments, and what does an action
// of the loop consist of.

#include "matchers/grid-barrier/relaunch-loop/Launches.h"
#include "matchers/facts/PlaceDependence.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::grid_barrier {

bool LoopAction::isChecked() const {
  if (Last)
    return true;
  const auto *E = dyn_cast<Expr>(Statement);
  return Call && !isa<DeclStmt>(Statement) &&
         !(E && E->IgnoreUnlessSpelledInSource()->IgnoreParenCasts() == Call);
}

void relaunch_loop::readLaunch(const CUDAKernelCallExpr &Call, LoopReading &L,
                               ValueReader &Values) {
  LoopLaunch Launch;
  static_cast<host::Launch &>(Launch) = host::launchOf(Call);
  if (!Call.getDirectCallee())
    return void(L.refuse(ReasonId::KernelPointer, Call.getBeginLoc()));
  if (!Launch.Kernel)
    return void(L.refuse(ReasonId::KernelNotVisible, Call.getBeginLoc()));
  if (!Launch.Callee)
    return void(L.refuse(ReasonId::HostStatement, Call.getBeginLoc()));
  if (facts::dependsOnPlace(*Launch.Callee, L.SM))
    L.refuse(ReasonId::PlaceDependent, Call.getBeginLoc());
  const SaveAndRestore NoWrites(Values.InArguments, true);
  for (const Expr *Arg : Call.arguments())
    if (!isa<CXXDefaultArgExpr>(Arg))
      Values.readValue(*Arg);
    else if (!host::defaultInteger(*Arg, L.Context))
      L.refuse(ReasonId::DefaultArgument, Call.getBeginLoc());
    else if (facts::dependsOnPlace(*Arg, L.SM))
      L.refuse(ReasonId::PlaceDependent, Call.getBeginLoc());
  for (const Expr *E : {Launch.SharedBytes, Launch.Stream})
    if (E)
      Values.readOutside(*E);
  const SaveAndRestore OnHost(Values.Capturing, false);
  Values.readValue(*Launch.Grid);
  Values.readValue(*Launch.Block);
  L.Result.Launches.push_back(Launch);
}

} // namespace barricade::grid_barrier

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the device compute the same value as the host: calls and constructors.

#include "matchers/facts/Copies.h"
#include "matchers/grid-barrier/relaunch-loop/Data.h"
#include "matchers/grid-barrier/relaunch-loop/HostFunctions.h"
#include "matchers/grid-barrier/relaunch-loop/Values.h"
#include "matchers/host/HostCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

ReasonId ValueReader::reasonAgainst(const CallExpr &Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return ReasonId::LaunchInExpression;
  const auto Launches = Hidden.launchBy(Call);
  return !Launches                                    ? ReasonId::HostCall
         : *Launches == host::HiddenLaunch::ByRuntime ? ReasonId::RuntimeLaunch
                                                      : ReasonId::LaunchInCall;
}

bool ValueReader::refuseCall(const CallExpr &Call) {
  // Of operators a call's own begin is not where it is written.
  const Stmt &S = Call;
  return L.refuse(reasonAgainst(Call), S.getBeginLoc());
}

/// `a = b` of plain data.
bool ValueReader::isTrivialCopy(const CXXOperatorCallExpr &Call) const {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getCalleeDecl());
  return Call.getOperator() == OO_Equal && Method && Method->isTrivial() &&
         !facts::hasAssignmentTemplate(*Method->getParent()) &&
         isPlainData(Call.getArg(0)->getType(), L.Context);
}

/// The host alone may call whatever only computes.
bool ValueReader::readCall(const CallExpr &Call) {
  if (!readKnownCall(Call) && (Capturing || !returnedValue(Call, L.Context)))
    return refuseCall(Call);
  return llvm::all_of(Call.arguments(),
                      [&](const Expr *Arg) { return readValue(*Arg); });
}

/// A function that the device has, too, with the same results.
bool ValueReader::readKnownCall(const CallExpr &Call) {
  switch (host::classifyHostCall(Call, L.SM)) {
  case host::HostCallKind::Rounding:
    // Of whole numbers, a template of the host's would be called.
    return Call.getNumArgs() == 1 &&
           Call.getArg(0)->getType()->isFloatingType() &&
           isPlainData(Call.getArg(0)->getType(), L.Context) &&
           checkFloating(Call, Call.getArg(0)->getType());
  case host::HostCallKind::Extremum: {
    if (!Call.getDirectCallee()->isInStdNamespace())
      return true;
    const auto *Callee =
        dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
    if (!Callee || Callee->getBeginLoc().isMacroID() ||
        Callee->getLocation().isMacroID())
      return false;
    if (Capturing)
      L.Result.StdExtrema.push_back(Callee);
    return true;
  }
  default:
    return false;
  }
}

bool ValueReader::readConstruction(const CXXConstructExpr &Construct) {
  const CXXConstructorDecl &Constructor = *Construct.getConstructor();
  const bool NeedsNoCode =
      Constructor.isTrivial() && (Constructor.isCopyOrMoveConstructor() ||
                                  Constructor.isDefaultConstructor());
  if (!isPlainData(Construct.getType(), L.Context) ||
      !(NeedsNoCode || isDim3(*Constructor.getParent(), L.SM)))
    return L.refuse(ReasonId::HostVariable, Construct.getBeginLoc());
  return llvm::all_of(Construct.arguments(), [&](const Expr *Arg) {
    return Construct.isListInitialization() ? readBraced(*Arg)
                                            : readValue(*Arg);
  });
}

} // namespace barricade::grid_barrier::relaunch_loop

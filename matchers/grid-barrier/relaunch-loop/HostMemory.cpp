// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/HostMemory.h"
#include "matchers/facts/DeviceAllocations.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

/// What the loop fills and copies is what the function has allocated.
static bool buffersAreOwn(const LoopReading &L) {
  const DeviceAllocations Memory(*L.Result.Function);
  return llvm::all_of(L.Buffers, [&](const Expr *Buffer) {
    return Memory.reachesOnlyOwn(*Buffer);
  });
}

bool mayWriteHostMemory(const LoopReading &L) {
  const DeviceAllocations Memory(*L.Result.Function);
  if (!buffersAreOwn(L))
    return true;
  return llvm::any_of(L.Result.Launches, [&](const LoopLaunch &Launch) {
    return llvm::any_of(L.StepsOf(*Launch.Kernel), [&](const StepKernel *Step) {
      return Step->WritesElsewhere.isValid() ||
             llvm::any_of(Step->Written, [&](const ParmVarDecl *Pointer) {
               return !Memory.reachesOnlyOwn(
                   *Launch.Call->getArg(Pointer->getFunctionScopeIndex()));
             });
    });
  });
}

bool mayWriteElements(QualType Type, const LoopReading &L) {
  const bool MayWriteAddresses =
      !buffersAreOwn(L) ||
      llvm::any_of(L.Result.Launches, [&](const LoopLaunch &Launch) {
        return llvm::any_of(
            L.StepsOf(*Launch.Kernel),
            [](const StepKernel *Step) { return Step->MayWriteAddresses; });
      });
  return (!Type->isPointerType() || MayWriteAddresses) && mayWriteHostMemory(L);
}

bool mayBeShared(const Expr &Pointer, const LoopReading &L) {
  const auto IsManaged = [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && Callee->getIdentifier() &&
           Callee->getName() == "cudaMallocManaged";
  };
  const DeviceAllocations Memory(*L.Result.Function);
  const bool IsOwn = Memory.reachesOnlyOwn(Pointer) &&
                     !holds(L.Result.Function->getBody(), IsManaged);
  return !IsOwn &&
         (L.unitUses().sharesMemory() || Memory.comesFromUnseen(Pointer));
}

} // namespace barricade::grid_barrier::relaunch_loop

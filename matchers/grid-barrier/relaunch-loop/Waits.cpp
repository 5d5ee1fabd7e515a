// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does the host wait for the device, and who may wait for the host.

#include "matchers/facts/DeviceFunctions.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/host/HostWait.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

/// Who waits for \p Wait has waited for \p Other.
static bool covers(const LoopAction &Wait, const LoopAction &Other,
                   const ASTContext &Context) {
  const auto IsOwn = [](const LoopAction &A) {
    return A.Kind == LoopAction::ReadBack || A.Kind == LoopAction::Upload ||
           A.OwnStream;
  };
  return (IsOwn(Wait) && IsOwn(Other)) ||
         host::sameExpression(Wait.Call, Other.Call, Context) ||
         (Wait.Kind == LoopAction::Synchronise && Wait.Call->getNumArgs() == 0);
}

/// What is done in a library's macro may not be done at all in another build.
/// Questions are asked as they were.
static void refuseDroppable(LoopReading &L) {
  for (const LoopAction &A : L.Result.Actions)
    if (A.Call && A.Kind != LoopAction::Query &&
        isInLibraryMacro(A.Call->getBeginLoc(), L.Context.getSourceManager()))
      L.refuse(ReasonId::OtherBuild, A.Call->getBeginLoc());
}

/// Behind the loop a check is told of the last launch, too, of which one that
/// stands before it would not be.
static void refuseEarlyChecks(LoopReading &L) {
  const auto IsCheck = [](const LoopAction &A) {
    return A.Kind == LoopAction::Synchronise && A.isChecked();
  };
  const auto &All = L.Result.Actions;
  const auto First = llvm::find_if(All, IsCheck);
  const auto Last = llvm::find_if(llvm::reverse(All), [&](const auto &A) {
    return A.Kind == LoopAction::Launch || IsCheck(A);
  });
  if (First != All.end() && !IsCheck(*Last))
    L.refuse(ReasonId::HostStatement, First->Call->getBeginLoc());
}

void checkWaits(LoopReading &L) {
  refuseDroppable(L);
  refuseEarlyChecks(L);
  std::vector<const LoopAction *> Sure, Unsure;
  for (const LoopAction &A : L.Result.Actions)
    if (A.waits())
      (A.Certain ? Sure : Unsure).push_back(&A);
  const auto IsCovered = [&](const LoopAction *A) {
    return llvm::any_of(Sure, [&](const LoopAction *Other) {
      return covers(*Other, *A, L.Context);
    });
  };
  llvm::erase_if(Unsure, IsCovered);
  for (const LoopAction *A : Unsure)
    if (!Sure.empty() || !covers(*A, *Unsure.front(), L.Context) ||
        !covers(*Unsure.front(), *A, L.Context))
      L.refuse(ReasonId::HostStatement, A->Call->getBeginLoc());
  if (!Unsure.empty() || (!Sure.empty() && !L.asksEntry()))
    L.Result.Waiting = WaitForm::Sometimes;
}

/// A kernel may wait for another one: it spins, or comes again and again to
/// what nobody can look into.
static bool mayWait(const StepKernel *Step) {
  const auto Has = [&](ReasonId Id) {
    return llvm::any_of(Step->Blockers, [&](const Blocker &H) {
      return H.Why.Id == ReasonTable[unsigned(Id)].Id;
    });
  };
  const auto Repeats = [](const FunctionDecl *Function) {
    return holds(Function->getBody(), [](const Stmt &S) {
      return isLoop(S) || isa<GotoStmt, IndirectGotoStmt>(S);
    });
  };
  return Has(ReasonId::SpinWait) || Has(ReasonId::Unanalysable) ||
         ((Has(ReasonId::InlineAsm) || Has(ReasonId::UnknownCall)) &&
          llvm::any_of(Step->Functions, Repeats));
}

static bool mayHoldUpStreams(const LoopReading &L) {
  return L.unitUses().mayHoldUpStreams() ||
         llvm::any_of(collectUserCode(L.Context).Kernels,
                      [&](const FunctionDecl *Kernel) {
                        return llvm::any_of(L.StepsOf(*Kernel), mayWait);
                      });
}

void checkForeignWaits(LoopReading &L) {
  for (const LoopAction &A : L.Result.Actions)
    if (A.Kind == LoopAction::Synchronise && !A.OwnStream &&
        (A.Call->getNumArgs() == 1 || mayHoldUpStreams(L)))
      return void(L.refuse(ReasonId::WaitMoves, A.Call->getBeginLoc()));
}

void checkHostWait(LoopReading &L) {
  // Of the loop's own kernels that wait more is known.
  if (llvm::any_of(L.Result.Launches, [&](const LoopLaunch &Launch) {
        return llvm::any_of(L.StepsOf(*Launch.Kernel), mayWait);
      }))
    return;
  if (auto Wait = L.Waits.against(
          blocker(ReasonId::HostWait, L.Result.Loop->getBeginLoc())))
    L.Result.Blockers.push_back(std::move(*Wait));
}

} // namespace barricade::grid_barrier::relaunch_loop

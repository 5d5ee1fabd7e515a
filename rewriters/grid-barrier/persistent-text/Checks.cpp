// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Checks.h"
#include "matchers/host/ErrorCheck.h"
#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "rewriters/grid-barrier/persistent-text/Moved.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

size_t rankOf(const Plan &P, const LoopAction &A) {
  const size_t Size = P.L.Actions.size();
  size_t Last = 0;
  for (const auto &[Index, Each] : llvm::enumerate(P.L.Actions))
    if (Each.Kind == LoopAction::Launch)
      Last = Index;
  return (size_t(&A - &P.L.Actions.front()) + Size - Last) % Size;
}

/// The first that waits behind the last launch, in this iteration or the next
/// one; null: none does.
static const LoopAction *firstWait(const Plan &P) {
  const LoopAction *First = nullptr;
  for (const LoopAction &A : P.L.Actions)
    if (A.waits() && (!First || rankOf(P, A) < rankOf(P, *First)))
      First = &A;
  return First;
}

static const ValueDecl *variableAt(const Expr &Address) {
  const auto *Op = cast<UnaryOperator>(Address.IgnoreParenCasts());
  return cast<DeclRefExpr>(Op->getSubExpr()->IgnoreParens())->getDecl();
}

const LoopAction *checkedCopyTo(const Plan &P, const VarDecl &Var) {
  const auto Found = llvm::find_if(P.L.Actions, [&](const LoopAction &A) {
    return A.Kind == LoopAction::ReadBack && A.Statement != A.Call &&
           variableAt(*A.Call->getArg(0)) == &Var;
  });
  return Found != P.L.Actions.end() ? &*Found : nullptr;
}

std::string checkForm(const Plan &P, const LoopAction &A) {
  const auto Inner = P.Source.fileRange(*A.Call);
  const auto [Start, Stop] = extentOf(P, A);
  return Inner && Stop.isValid()
             ? movedText(P, Start, Inner->getBegin(), "") + '\0' +
                   movedText(P, Inner->getEnd(), Stop, "")
             : "";
}

std::string checkText(const Plan &P, const LoopAction &A,
                      const std::string &Call, const std::string &Margin) {
  const auto Inner = P.Source.fileRange(*A.Call);
  const auto [Start, Stop] = extentOf(P, A);
  if (!Inner || Stop.isInvalid() || host::measuresStrings(*A.Statement)) {
    P.refuse(ReasonId::InMacro, A.Call->getBeginLoc());
    return {};
  }
  const auto Moved = [&, Start = Start, Stop = Stop](std::string To) {
    return movedText(P, Start, Inner->getBegin(), To) + Call +
           movedText(P, Inner->getEnd(), Stop, To);
  };
  return isa<DeclStmt>(A.Statement)
             ? inBlock(P, {Moved(Margin + P.Site.Unit)}, Margin)
             : Moved(Margin);
}

void addWaits(const Plan &P, const std::string &Margin,
              std::vector<AfterLaunch> &Into) {
  const std::string Wait =
      "cudaStreamSynchronize(" + textOr0(P, P.L.Launches.front().Stream) + ")";
  // The host has waited for what was launched before its last copy.
  bool Waited = !P.Results.empty();
  for (const LoopAction &A : P.L.Actions) {
    Waited |= A.Kind == LoopAction::Synchronise &&
              (A.OwnStream || A.Call->getNumArgs() == 0);
    // That goes with the result.
    const bool HasResult = llvm::any_of(P.Results, [&](const auto &Result) {
      return checkedCopyTo(P, *Result.first) == &A;
    });
    if (!A.isCopy() || !A.isChecked() || HasResult)
      continue;
    Waited |= A.waits();
    const std::string Call = A.waits() ? Wait : "cudaPeekAtLastError()";
    Into.push_back({AfterLaunch::Check, rankOf(P, A), A.waits(),
                    checkText(P, A, Call, Margin), checkForm(P, A)});
  }
  const LoopAction *First = firstWait(P);
  const bool IsSeenLater =
      First && First->isCopy() && !First->isChecked() &&
      llvm::any_of(P.L.Actions, [](const LoopAction &A) {
        return A.Kind == LoopAction::Query || A.isChecked();
      });
  if ((!Waited || (IsSeenLater && P.Results.empty())) && waitsForLaunch(P))
    Into.push_back({AfterLaunch::Check, First ? rankOf(P, *First) : 0,
                    /*Waits=*/true, Wait + ";", /*Form=*/""});
}

} // namespace barricade::grid_barrier::persistent

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Moved.h"
#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

bool waitsElsewhere(const LoopAction &A) {
  return A.Kind == LoopAction::Synchronise && !A.OwnStream;
}

bool waitsForLaunch(const Plan &P) {
  return P.L.ReadsBack || llvm::any_of(P.L.Actions, [](const LoopAction &A) {
           return A.Kind == LoopAction::Upload;
         });
}

/// Under which what \p IsMoved out of the loop is done; empty: always. The
/// launch may itself be made on condition that the loop waits.
static std::string
movedCondition(const Plan &P, bool BeforeLaunch,
               llvm::function_ref<bool(const LoopAction &)> IsMoved) {
  const bool OnlyOnEntry = llvm::any_of(P.L.Actions, [&](const LoopAction &A) {
    return IsMoved(A) && A.OnlyOnEntry;
  });
  if (!OnlyOnEntry || P.Continued ||
      (!BeforeLaunch && (waitsForLaunch(P) || !P.Waits.empty())))
    return "";
  return P.Waits.empty() ? entryCondition(P) : P.Waits;
}

std::string movedStatement(const Plan &P, const LoopAction &A,
                           const std::string &Margin) {
  const auto [Start, Stop] = extentOf(P, A);
  if (Stop.isInvalid())
    return "";
  // Its variable's name may be another's here.
  return isa<DeclStmt>(A.Statement)
             ? inBlock(P, {movedText(P, Start, Stop, Margin + P.Site.Unit)},
                       Margin)
             : movedText(P, Start, Stop, Margin);
}

std::string waitBefore(const Plan &P, const std::string &Margin) {
  const auto Wait = llvm::find_if(P.L.Actions, waitsElsewhere);
  if (Wait == P.L.Actions.end())
    return "";
  const std::optional<CharSourceRange> Spelled =
      P.Source.fileRange(*Wait->Call);
  const std::string Name = Wait->Call->getDirectCallee()->getNameAsString();
  const std::string Text =
      (Spelled ? P.Source.text(*Spelled).str() : "::" + Name + "()") + ";";
  const std::string Condition =
      movedCondition(P, /*BeforeLaunch=*/true, waitsElsewhere);
  return Condition.empty()
             ? Text
             : "if (" + Condition + ") " + inBlock(P, {Text}, Margin);
}

std::string conditionBehind(const Plan &P) {
  return movedCondition(P, /*BeforeLaunch=*/false,
                        [](const LoopAction &A) { return A.isHoisted(); });
}

} // namespace barricade::grid_barrier::persistent

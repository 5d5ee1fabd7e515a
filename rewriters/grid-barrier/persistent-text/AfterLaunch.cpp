// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/AfterLaunch.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Checks.h"
#include "rewriters/grid-barrier/persistent-text/HostLoop.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "rewriters/grid-barrier/persistent-text/Moved.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace clang;

namespace barricade::grid_barrier::persistent {

std::vector<AfterLaunch> inOrder(std::vector<AfterLaunch> Parts) {
  llvm::stable_sort(Parts, [](const AfterLaunch &A, const AfterLaunch &B) {
    return A.Rank < B.Rank;
  });
  std::rotate(
      Parts.begin(),
      llvm::find_if(Parts, [](const AfterLaunch &A) { return A.Waits; }),
      Parts.end());
  std::vector<AfterLaunch> Result;
  for (AfterLaunch &Part : Parts) {
    const auto IsSame = [&](const AfterLaunch &Before) {
      return Part.Kind == AfterLaunch::Check && !Part.Form.empty()
                 ? Part.Form == Before.Form
                 : Part.Text == Before.Text;
    };
    if (llvm::any_of(Result, IsSame))
      continue;
    // The loop's own does what stands in place of a copy right before it.
    if (!Result.empty() && Result.back().Kind == AfterLaunch::Check &&
        Part.Kind != AfterLaunch::Check && Part.Waits && !Part.Form.empty() &&
        Part.Form == Result.back().Form)
      Result.pop_back();
    Result.push_back(std::move(Part));
  }
  return Result;
}

/// Adds \p Parts, those that bring nothing back on \p Condition, if there is
/// one.
static void addOnCondition(const Plan &P, const std::string &Condition,
                           llvm::ArrayRef<AfterLaunch> Parts,
                           const std::string &Margin,
                           std::vector<std::string> &Into) {
  std::vector<std::string> Group;
  const auto Close = [&] {
    if (!Group.empty())
      Into.push_back("if (" + Condition + ") " + inBlock(P, Group, Margin));
    Group.clear();
  };
  for (const AfterLaunch &Part : Parts) {
    if (Part.Kind != AfterLaunch::Result && !Condition.empty()) {
      Group.push_back(Part.Text);
      continue;
    }
    Close();
    Into.push_back(Part.Text);
  }
  Close();
}

std::vector<std::string> afterSuccess(const Plan &P,
                                      const std::string &Margin) {
  const std::string Condition = conditionBehind(P);
  const std::string Inner = Condition.empty() ? Margin : Margin + P.Site.Unit;
  std::vector<AfterLaunch> Parts;
  // Copies that nobody checks come last, for no check asks what they set.
  for (const auto &[Var, Name] : P.Results) {
    const std::string Call = Name + ".copy_to(" + Var->getNameAsString() + ")";
    const LoopAction *Copy = checkedCopyTo(P, *Var);
    Parts.push_back(
        {AfterLaunch::Result, Copy ? rankOf(P, *Copy) : P.L.Actions.size(),
         /*Waits=*/true, Copy ? checkText(P, *Copy, Call, Margin) : Call + ";",
         Copy ? checkForm(P, *Copy) : ""});
  }
  addWaits(P, Inner, Parts);
  for (const LoopAction &A : P.L.Actions)
    if (A.isHoisted())
      if (std::string Text = movedStatement(P, A, Inner); !Text.empty())
        Parts.push_back({AfterLaunch::Moved, rankOf(P, A), A.waits(),
                         std::move(Text), checkForm(P, A)});
  std::vector<std::string> Statements;
  // Without what it reads back, the loop might not end. What is no result
  // then only the loop's init has changed. Checks may change what it asks.
  if (!P.L.ReadsBack && !P.L.LiveOn.empty())
    Statements.push_back(reindent(
        hostLoop(P, sliceFor(P.L, P.L.LiveOn.getArrayRef()), LoopPart::Rest,
                 [](const LoopAction &) { return std::string(); })
            .Text,
        P.Indent, Margin));
  addOnCondition(P, Condition, inOrder(std::move(Parts)), Margin, Statements);
  return Statements;
}

} // namespace barricade::grid_barrier::persistent

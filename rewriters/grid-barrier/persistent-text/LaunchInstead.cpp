// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/LaunchInstead.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/AfterLaunch.h"
#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "rewriters/grid-barrier/persistent-text/HostLoop.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "rewriters/grid-barrier/persistent-text/Moved.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

/// What must hold for the host to wait; where it would not, the loop does.
static std::string launchCondition(const Plan &P) {
  if (!P.Waits.empty())
    return P.Waits + " && ";
  const std::string Entry = waitsForLaunch(P) ? entryCondition(P) : "";
  if (Entry.empty())
    return "";
  const Expr &Plain = *P.L.Entry.Condition->IgnoreParenImpCasts();
  const auto *Op = dyn_cast<BinaryOperator>(&Plain);
  const bool BindsTighter =
      isPrimary(Plain) || isa<UnaryOperator>(Plain) ||
      (Op && (Op->isComparisonOp() || Op->getOpcode() == BO_LAnd));
  return (BindsTighter ? Entry : "(" + Entry + ")") + " && ";
}

/// Indents the loop, which comes to stand in an `else`.
static std::vector<Edit> indentFallback(const Plan &P) {
  std::vector<Edit> Edits;
  const llvm::StringRef Text = loopText(P);
  const bool HasTabs = llvm::StringRef(P.Site.Unit).contains('\t');
  for (size_t At = Text.find('\n'); At != llvm::StringRef::npos;
       At = Text.find('\n', At + 1)) {
    // No blank comes to stand before a tab.
    const size_t Place =
        HasTabs ? At + 1 : Text.find_first_not_of(" \t", At + 1);
    if (Place < Text.size() && Text[Place] != '\n' && Text[Place] != '\r')
      Edits.push_back(P.Source.insertion(P.Begin.getLocWithOffset(int(Place)),
                                         P.Site.Unit));
  }
  return Edits;
}

/// They are asked for in front of the loop, even if that does not run.
static void checkRanges(const Plan &P) {
  for (const DeviceRange &Each : P.L.Ranges)
    if (Each.MayTrap && !P.L.Entry.Always)
      P.refuse(ReasonId::TransferRange, Each.Bytes->getBeginLoc());
}

std::vector<Edit> launchInstead(const Plan &P, const PersistentLaunch &Launch) {
  checkRanges(P);
  const std::string Line = P.Site.NewLine.str() + P.Indent;
  std::string Text = waitingLoop(P), Condition = launchCondition(P);
  // What the loop waits for in other streams comes before its later launches.
  if (const std::string Wait = waitBefore(P, P.Indent); !Wait.empty())
    Text += Wait + Line;
  if (Launch.Grid.IsVariable)
    Text += gridDeclaration(P, Launch.Grid.Text) + Line;
  for (const auto &[Var, Name] : P.Results) {
    Text += resultDeclaration(P, *Var, Name) + Line;
    Condition += Name + " && ";
  }
  const bool Declares =
      Launch.Grid.IsVariable || !P.Results.empty() || !P.Waits.empty();
  const std::vector<std::string> Success =
      afterSuccess(P, P.Indent + P.Site.Unit);
  std::string Head = "if (" + Condition, Margin = P.Indent;
  // Without anything to do on success the loop stands behind the condition.
  for (const std::string &Each : rangeConditions(P)) {
    Margin = P.Indent + "    ";
    Text += Head + (Success.empty() ? "!" + Each + " ||" : Each + " &&") +
            P.Site.NewLine.str() + Margin;
    Head.clear();
  }
  Text +=
      wrapList(Margin, (Head + launchFunction(P) + "(").str(), Launch.Arguments,
               Success.empty() ? ") != cudaSuccess) {" : ") == cudaSuccess) {",
               P.Site.NewLine);
  for (const std::string &Statement : Success)
    Text += Line + P.Site.Unit + Statement;
  if (!Success.empty())
    Text += Line + "} else {";
  Text += Line + P.Site.Unit;
  std::vector<Edit> Edits = indentFallback(P);
  llvm::append_range(Edits, surround(P, Text, Line + "}", Declares));
  return Edits;
}

} // namespace barricade::grid_barrier::persistent

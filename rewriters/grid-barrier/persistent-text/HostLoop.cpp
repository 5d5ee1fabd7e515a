// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/HostLoop.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "rewriters/grid-barrier/persistent-text/UntilWait.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

HostText hostLoop(const Plan &P, const HostSlice &Slice, LoopPart Part,
                  llvm::function_ref<std::string(const LoopAction &)> TextFor,
                  const NameSet &Staying) {
  TextPatch Patch(loopText(P));
  NameSet Left;
  if (Part == LoopPart::UntilWait)
    removeBehindWaits(P, Patch, Left);
  if (Part == LoopPart::Rest) {
    removeInit(P, Patch);
    Left = namesOfInit(P);
  }
  for (const LoopAction &A : P.L.Actions) {
    if (A.Kind == LoopAction::Swap)
      continue;
    const auto [Start, Stop] = extentOf(P, A);
    addNames(A.Statement, Left);
    if (Patch.replaces(P.offset(Start)))
      continue;
    if (const std::string Text = TextFor(A); !Text.empty() && Stop.isValid())
      Patch.replace(P.offset(Start), P.offset(Stop), Text);
    else
      removeText(P, {Start, Stop}, A.InBlock, Patch);
  }
  for (const Stmt *Name : Staying)
    Left.erase(Name);
  for (const HostStep *Step : Slice.Unneeded) {
    const auto Extent = extentOf(P, *Step->Statement);
    addNames(Step->Statement, Left);
    if (!Patch.replaces(P.offset(Extent.first)))
      removeText(P, Extent, Step->InBlock, Patch);
  }
  markUnused(P, Left, Patch);
  return {Patch.str(), std::move(Left)};
}

std::string onCopies(const Plan &P, llvm::StringRef Type, llvm::StringRef Begin,
                     const HostText &Loop, llvm::StringRef Returned) {
  const std::string Margin = P.Indent + P.Site.Unit;
  const std::string Line = P.Site.NewLine.str() + Margin;
  std::string Text = ("[=]() mutable -> " + Type + " {").str();
  if (!Begin.empty())
    Text += Line + Begin.str();
  llvm::StringSet<> Named;
  forEachWord(Loop.Text, [&](llvm::StringRef Word) { Named.insert(Word); });
  for (const VarDecl *Var : P.L.Captures)
    if ((P.L.Unset.contains(Var) || P.L.NotAsked.contains(Var)) &&
        Named.contains(Var->getName()))
      Text += Line +
              (isOnlySetIn(P, *Var, Loop.Left) ? MaybeUnused.str() : "") +
              copyOf(P, *Var, Var->getNameAsString()) + ";";
  return Text + Line + reindent(Loop.Text, P.Indent, Margin) + Line +
         "return " + Returned.str() + ";" + P.Site.NewLine.str() + P.Indent +
         "}();";
}

std::string waitingLoop(const Plan &P) {
  if (P.Waits.empty())
    return "";
  const HostText Loop = hostLoop(P, sliceFor(P.L, {}), LoopPart::UntilWait,
                                 [](const LoopAction &A) -> std::string {
                                   return A.waits() ? "return true;" : "";
                                 });
  return "const bool " + P.Waits + " = " +
         onCopies(P, "bool", "", Loop, "false") + P.Site.NewLine.str() +
         P.Indent;
}

} // namespace barricade::grid_barrier::persistent

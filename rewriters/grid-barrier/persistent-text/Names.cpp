// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Names.h"
#include "matchers/source/WrittenMacros.h"
#include "rewriters/FirstFree.h"
#include "rewriters/Macros.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "clang/AST/Decl.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

/// The words of the loop's text and of its variables' types.
static void readWords(Plan &P) {
  const auto Add = [&](llvm::StringRef Word) { P.Words.insert(Word); };
  forEachWord(loopText(P), Add);
  for (const VarDecl *Var : P.Captures)
    forEachWord(typeText(P, *Var), Add);
  if (P.OfTemplate)
    forEachWord(P.OfTemplate->Head, Add);
}

std::string localName(const Plan &P, const std::string &Base) {
  return firstFree(Base, [&](const std::string &Name) {
    return !P.Words.contains(Name) && !mayBeMacro(Name, P.Context);
  });
}

/// One name for each grid that the host computes by its functions.
static void nameHostGrids(Plan &P) {
  for (const LoopLaunch &Launch : P.L.Launches) {
    if (!Launch.GridFromHost)
      continue;
    std::string &Name = P.HostGrids[outsideText(P, *Launch.Grid)];
    if (Name.empty())
      Name = localName(P, "grid");
    P.Words.insert(Name);
  }
}

void chooseNames(Plan &P) {
  readWords(P);
  P.Barrier = localName(P, "bar");
  if (P.Scopes.Narrows)
    P.BetweenSteps = localName(P, "barrier");
  if (P.L.Grids == GridForm::Same && P.mayClamp())
    P.WholeGrid = localName(P, "grid");
  nameHostGrids(P);
  if (P.L.Waiting == WaitForm::Sometimes && !P.Continued)
    P.Waits = P.Names.Fresh("waits");
  if (P.L.ReadsBack)
    for (const VarDecl *Var : P.L.LiveOn)
      if (llvm::is_contained(P.Captures, Var))
        P.Results.push_back(
            {Var, P.Names.Fresh("last_" + Var->getNameAsString())});
}

/// Where the kernel stands, \p Type, the text for \p Var's, may be another
/// type. What the user did not spell is said from outside of all namespaces.
static bool mayMeanElse(const Plan &P, const VarDecl &Var,
                        llvm::StringRef Type) {
  if (isOwn(P, Var) || Var.getType()->getContainedDeducedType())
    return isHiddenBeside(*P.L.Function, Type) ||
           spellsMacro(Type, P.Site.Place, P.PP);
  return firstRedefined(P.SM.getExpansionLoc(Var.getTypeSpecStartLoc()),
                        P.SM.getExpansionLoc(Var.getLocation()), P.Site.Place,
                        P.Context, P.PP)
      .isValid();
}

void checkNames(const Plan &P) {
  llvm::StringSet<> Parameters;
  for (const VarDecl *Var : P.Captures)
    Parameters.insert(Var->getName());
  for (const VarDecl *Var : P.Captures) {
    const std::string Type = typeText(P, *Var);
    forEachWord(Type, [&](llvm::StringRef Word) {
      if (Parameters.contains(Word))
        P.refuse(ReasonId::NameClash, Var->getLocation());
    });
    if (mayMeanElse(P, *Var, Type))
      P.refuse(ReasonId::NameClash, Var->getLocation());
  }
}

} // namespace barricade::grid_barrier::persistent

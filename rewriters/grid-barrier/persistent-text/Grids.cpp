// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Grids.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/source/Statements.h"
#include "rewriters/KernelNames.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "rewriters/grid-barrier/persistent-text/HostLoop.h"
#include "rewriters/grid-barrier/persistent-text/Names.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

/// \p Argument names nothing that the loop declares.
static bool isFromOutside(const Plan &P, const TemplateArgumentLoc &Argument) {
  if (Argument.getArgument().getKind() == TemplateArgument::Type)
    return true;
  return Argument.getArgument().getKind() == TemplateArgument::Expression &&
         !holds(Argument.getSourceExpression(), [&](const Stmt &S) {
           const VarDecl *Var = variableNamedBy(S);
           return Var && declares(P.L.Loop, *Var);
         });
}

/// The kernel of \p Launch can be named, as it is there, where the loop
/// begins.
static bool isNamedAtBegin(Plan &P, const LoopLaunch &Launch) {
  return host::isNamedAlone(Launch) &&
         !mayBeOverloaded(*Launch.Callee, P.Others, P.Context) &&
         P.Source.fileRange(*Launch.Callee) &&
         llvm::all_of(Launch.Callee->template_arguments(),
                      [&](const TemplateArgumentLoc &Argument) {
                        return isFromOutside(P, Argument);
                      });
}

/// Other than variables.
static bool declaresNames(const Stmt &S) {
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  return Declaration && !llvm::all_of(Declaration->decls(), [](const Decl *D) {
           return isa<VarDecl>(D);
         });
}

/// Any GPU holds all blocks of the launches at once. Instances of a template
/// become one text, whatever their numbers.
static bool isSmall(const Plan &P) {
  constexpr uint64_t Few = 16;
  return !P.OfTemplate &&
         llvm::all_of(P.L.Launches, [&](const LoopLaunch &Launch) {
           const auto Blocks = constantExtent(*Launch.Grid, P.Context);
           return Blocks && *Blocks <= Few;
         });
}

void chooseClamping(Plan &P) {
  // Where the host waits for kernels anyway, their blocks may as well run in
  // turn.
  if (P.mayClamp() || !P.Continued || !P.L.ReadsBack || isSmall(P) ||
      holds(P.L.Loop, declaresNames) ||
      !llvm::all_of(P.L.Launches, [&](const LoopLaunch &Launch) {
        return isNamedAtBegin(P, Launch);
      }))
    return;
  std::vector<std::string> Kernels;
  for (const LoopLaunch &Launch : P.L.Launches)
    if (std::string Kernel = text(P, *Launch.Callee);
        !llvm::is_contained(Kernels, Kernel))
      Kernels.push_back(std::move(Kernel));
  P.Parts = kernelList(Kernels, *P.L.Launches.front().Kernel);
}

static constexpr const char *LargestOf = "barricade::largest_grid(";
/// Longer calls get a variable: a launch's other arguments are to be seen.
static constexpr size_t MostInLaunch = 60;

static bool runsLogicalThreads(const Plan &P) {
  return llvm::any_of(P.L.Launches, [](const LoopLaunch &Launch) {
    return Launch.LogicalThreads;
  });
}

/// The grid that \p Launch needs of the persistent kernel's blocks.
static std::string neededBlocks(const Plan &P, const LoopLaunch &Launch) {
  // Within the loop its variables are at hand.
  const auto Written = [&](const Expr &E) {
    return P.L.Grids == GridForm::Computed ? text(P, E) : outsideText(P, E);
  };
  const std::string Grid = Written(*Launch.Grid);
  return Launch.LogicalThreads
             ? "barricade::blocks_for(" + Grid + ", " + Written(*Launch.Block) +
                   ", " + outsideText(P, *P.L.Block) + ")"
             : Grid;
}

static std::vector<std::string> neededGrids(const Plan &P) {
  std::vector<std::string> Grids;
  for (const LoopLaunch &Launch : P.L.Launches)
    if (std::string Grid = neededBlocks(P, Launch);
        !llvm::is_contained(Grids, Grid))
      Grids.push_back(std::move(Grid));
  return Grids;
}

LaunchGrid chooseGrid(const Plan &P) {
  switch (P.L.Grids) {
  case GridForm::Same:
    // What a launch would refuse must not become one that is clamped.
    return {P.mayClamp()
                ? LargestOf + outsideText(P, *P.L.Launches.front().Grid) + ")"
                : outsideText(P, *P.L.Launches.front().Grid),
            /*IsVariable=*/false};
  case GridForm::Several: {
    const std::string Call = LargestOf + llvm::join(neededGrids(P), ", ") + ")";
    if (!runsLogicalThreads(P) && Call.size() <= MostInLaunch)
      return {Call, /*IsVariable=*/false};
    [[fallthrough]];
  }
  case GridForm::Computed:
    return {P.Names.Fresh("largest"), /*IsVariable=*/true};
  }
  llvm_unreachable("unknown form");
}

/// Runs the loop for the launches' grids alone.
static std::string sizingLoop(const Plan &P, const std::string &Largest) {
  std::vector<const VarDecl *> Wanted;
  NameSet Staying;
  for (const LoopLaunch &Launch : P.L.Launches) {
    addNames(Launch.Grid, Staying);
    if (Launch.LogicalThreads)
      addNames(Launch.Block, Staying);
    for (const Expr *Part : {Launch.Grid, Launch.Block})
      (void)holds(Part, [&](const Stmt &S) {
        if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
          if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
            Wanted.push_back(Var);
        return false;
      });
  }
  const HostSlice Slice = sliceFor(P.L, Wanted);
  const std::string Grids = Slice.HasEffects ? localName(P, "grids") : Largest;
  const HostText Sizing = hostLoop(
      P, Slice, LoopPart::Whole,
      [&](const LoopAction &A) -> std::string {
        return A.Kind == LoopAction::Launch
                   ? Grids + ".include(" +
                         neededBlocks(P, P.L.Launches[A.Index]) + ");"
                   : "";
      },
      Staying);
  const std::string Declaration = "barricade::LargestGrid " + Grids + ";";
  if (!Slice.HasEffects)
    return Declaration + P.Site.NewLine.str() + P.Indent + Sizing.Text;
  return "const dim3 " + Largest + " = " +
         onCopies(P, "dim3", Declaration, Sizing, Grids);
}

std::string gridDeclaration(const Plan &P, const std::string &Largest) {
  if (P.L.Grids == GridForm::Computed)
    return sizingLoop(P, Largest);
  return wrapList(P.Indent, "const dim3 " + Largest + " = " + LargestOf,
                  neededGrids(P), ");", P.Site.NewLine);
}

} // namespace barricade::grid_barrier::persistent

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/DeviceLoop.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/source/Statements.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "rewriters/grid-barrier/persistent-text/Names.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

static std::string deviceGrid(const Plan &P, const LoopLaunch &Launch) {
  if (P.L.Grids == GridForm::Same)
    return P.WholeGrid;
  return Launch.GridFromHost ? P.HostGrids.lookup(outsideText(P, *Launch.Grid))
                             : deviceText(P, *Launch.Grid);
}

std::string templateArguments(const Plan &P, const DeclRefExpr &Callee) {
  if (!Callee.hasExplicitTemplateArgs())
    return {};
  const auto Refuse = [&] {
    P.refuse(ReasonId::InMacro, Callee.getBeginLoc());
    return std::string();
  };
  const SourceLocation Begin = Callee.getLAngleLoc();
  if (!SourceText::isWritable(Begin) ||
      !SourceText::isWritable(Callee.getRAngleLoc()))
    return Refuse();
  TextPatch Patch(P.Source.text(Begin, Callee.getRAngleLoc()));
  for (const auto &[I, Each] : llvm::enumerate(Callee.template_arguments())) {
    const auto Number = localConstant(Callee, unsigned(I));
    if (!Number)
      continue;
    const auto Name = P.Source.fileRange(*Each.getSourceExpression());
    if (!Name)
      return Refuse();
    Patch.replace(P.offset(Name->getBegin()) - P.offset(Begin),
                  P.offset(Name->getEnd()) - P.offset(Begin),
                  llvm::toString(*Number, 10));
  }
  return Patch.str();
}

/// A compiler may know what \p Argument is, in each iteration of a loop that
/// it unrolls, too.
static bool mayBeKnown(const Plan &P, const Expr &Argument) {
  return Argument.isEvaluatable(P.Context) ||
         holds(&Argument, [&](const Stmt &S) {
           const VarDecl *Var = variableNamedBy(S);
           return Var && (P.L.Changed.contains(Var) ||
                          !P.SM.isBeforeInTranslationUnit(Var->getLocation(),
                                                          P.Begin));
         });
}

/// A launch as its step.
static std::string stepText(const Plan &P, const LoopLaunch &Launch,
                            const std::string &Margin) {
  std::vector<StepArgument> Arguments;
  for (const Expr *Each : Launch.Call->arguments()) {
    const Expr &Argument = withoutBraces(*Each);
    Arguments.push_back(
        asSpelled(Argument, argumentText(P, Argument), P.Context));
    Arguments.back().MayBeKnown = mayBeKnown(P, Argument);
    // A template deduces nothing from braces.
    if (isa<InitListExpr>(Argument) && P.StepOf(*Launch.Kernel).Products.Any)
      P.refuse(ReasonId::Rounding, Argument.getBeginLoc());
  }
  StepRange Range;
  Range.Block = localName(P, "block");
  Range.Thread = localName(P, "thread");
  Range.Grid = deviceGrid(P, Launch);
  if (Launch.LogicalThreads)
    Range.BlockSize = deviceText(P, *Launch.Block);
  return stepStatement(
      P.StepOf(*Launch.Kernel), qualifierFor(*Launch.Kernel, *P.L.Function),
      Arguments, templateArguments(P, *Launch.Callee), Range, Margin, P.Site);
}

/// The variable whose address is the argument \p I of the copy \p A.
static std::string copiedVariable(const Plan &P, const LoopAction &A,
                                  unsigned I) {
  return text(P, *cast<UnaryOperator>(A.Call->getArg(I)->IgnoreParenCasts())
                      ->getSubExpr());
}

/// Where the upload \p A puts a value, and that.
static std::string uploaded(const Plan &P, const LoopAction &A) {
  return deviceText(P, *A.Call->getArg(0)) + ", " + copiedVariable(P, A, 1);
}

/// What stands for \p A on the device, before its barrier.
static std::string actionText(const Plan &P, const LoopAction &A,
                              const std::string &Margin) {
  const auto Argument = [&](unsigned I) {
    return deviceText(P, *A.Call->getArg(I));
  };
  switch (A.Kind) {
  case LoopAction::Launch:
    return stepText(P, P.L.Launches[A.Index], Margin);
  case LoopAction::Upload:
    return "barricade::store(" + uploaded(P, A) + ");";
  case LoopAction::ReadBack:
    return copiedVariable(P, A, 0) + " = *(" + Argument(1) + ");";
  case LoopAction::Fill:
    return "barricade::fill(" + Argument(0) + ", " + Argument(1) + ", " +
           Argument(2) + ");";
  case LoopAction::Copy:
    return "barricade::copy(" + Argument(0) + ", " + Argument(1) + ", " +
           Argument(2) + ");";
  case LoopAction::Swap:
  case LoopAction::Synchronise:
  case LoopAction::Query:
    break;
  }
  llvm_unreachable("has no barrier");
}

/// Whether the step of \p Launch, as it is called now, is confined.
static std::string confinement(const Plan &P, unsigned Launch) {
  const dependence::StepScope &Step = P.Scopes.Steps[Launch];
  if (Step.Needs == dependence::Scope::Grid)
    return "false";
  std::vector<std::string> Conditions;
  const auto Ask = [&](const std::string &Function, const Expr *Argument) {
    Conditions.push_back(Function + "(" +
                         deviceText(P, *Argument->IgnoreImpCasts()) + ")");
  };
  for (const Expr *Distance : Step.Distances)
    Ask("barricade::is_distance_in_block", Distance);
  for (const Expr *Limit : Step.Limits)
    Ask(P.BetweenSteps + ".has_room_above", Limit);
  return Conditions.empty() ? "true" : llvm::join(Conditions, " && ");
}

/// \p A with its barrier. Where all are the grid's, one stands after every
/// access: what comes next may write what was read.
static std::string withBarrier(const Plan &P, const LoopAction &A,
                               const std::string &Margin) {
  if (A.OfRoundTrip)
    return A.Kind == LoopAction::Upload
               ? "__gpu_sync(" + P.Barrier + ", " + uploaded(P, A) + ");"
               : actionText(P, A, Margin);
  const std::string Text = actionText(P, A, Margin),
                    Line = P.Site.NewLine.str() + Margin;
  return P.Scopes.Narrows ? P.BetweenSteps + ".before_step(" +
                                confinement(P, A.Index) + ");" + Line + Text
                          : Text + Line + "__gpu_sync(" + P.Barrier + ");";
}

/// Puts \p A and a barrier in place of its statement.
static void replaceAction(const Plan &P, const LoopAction &A,
                          SourceLocation Start, SourceLocation Stop,
                          TextPatch &Patch) {
  const std::string Margin = P.Source.indentation(Start).str();
  const std::string Steps = withBarrier(P, A, Margin);
  if (A.InBlock)
    return Patch.replace(P.offset(Start), P.offset(Stop), Steps);
  const SourceLocation Header = P.Source.afterHeader(Start);
  const std::string Closing =
      P.Site.NewLine.str() +
      P.Source.indentation(parentBegin(P, *A.Statement)).str() + "}";
  Patch.replace(P.offset(Header), P.offset(Stop),
                " {" + P.Site.NewLine.str() + Margin + Steps + Closing);
}

static std::string swapText(const Plan &P, const LoopAction &A) {
  const auto *Call =
      cast<CallExpr>(cast<Expr>(A.Statement)->IgnoreUnlessSpelledInSource());
  return "barricade::swap(" + text(P, *Call->getArg(0)) + ", " +
         text(P, *Call->getArg(1)) + ");";
}

static bool isHostOnly(const Plan &P, const Stmt &S) {
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  return Declaration &&
         P.L.HostOnly.contains(dyn_cast<VarDecl>(*Declaration->decl_begin()));
}

std::string deviceLoop(const Plan &P) {
  TextPatch Patch(loopText(P));
  SourceLocation Done = removeInit(P, Patch);
  for (const LoopAction &A : P.L.Actions) {
    const auto [Start, Stop] = extentOf(P, A);
    if (Stop.isInvalid())
      return {};
    renameExtrema(P, Done, Start, P.Begin, Patch);
    Done = Stop;
    if (A.isHoisted())
      removeText(P, extentOf(P, A), A.InBlock, Patch);
    else if (A.Kind == LoopAction::Swap)
      Patch.replace(P.offset(Start), P.offset(Stop), swapText(P, A));
    else
      replaceAction(P, A, Start, Stop, Patch);
  }
  renameExtrema(P, Done, P.End, P.Begin, Patch);
  for (const HostStep &Step : P.L.Steps)
    if (isHostOnly(P, *Step.Statement))
      removeText(P, extentOf(P, *Step.Statement), Step.InBlock, Patch);
  markUnused(P, namesLeftToHost(P), Patch);
  return Patch.str();
}

} // namespace barricade::grid_barrier::persistent

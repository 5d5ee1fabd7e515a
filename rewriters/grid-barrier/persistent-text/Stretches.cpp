// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Stretches.h"
#include "matchers/source/Statements.h"
#include "matchers/source/WrittenMacros.h"
#include "rewriters/FirstFree.h"
#include "rewriters/KernelNames.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/DeviceLoop.h"
#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "rewriters/grid-barrier/persistent-text/Kernel.h"
#include "rewriters/grid-barrier/persistent-text/Names.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "rewriters/launch-replay/FlushText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

/// The runtime's limits.
constexpr unsigned MostKernels = 4, MostFixed = 32;

static bool isOfLoop(const Plan &P, const VarDecl &Var) {
  return !P.SM.isBeforeInTranslationUnit(Var.getLocation(), P.Begin);
}

/// What a kernel that takes the loop over asks of pointers that it is given,
/// the host can ask before the loop.
static bool canBeAskedBefore(const Plan &P) {
  return !P.Continued || llvm::all_of(P.Scopes.Apart, [&](const auto &Pair) {
    return !isOwn(P, *Pair.First) && !isOwn(P, *Pair.Second);
  });
}

/// All values of the loop's own pointers, and of those that have none before,
/// come from the others.
static bool isAskedBefore(const Plan &P, const dependence::PointerPair &Pair) {
  if (P.Continued)
    return begins(P, *Pair.First) && begins(P, *Pair.Second);
  return llvm::none_of(llvm::ArrayRef({Pair.First, Pair.Second}),
                       [&](const VarDecl *Var) {
                         return isOfLoop(P, *Var) || P.L.Unset.contains(Var);
                       });
}

/// The conditions of \p Launch can be asked where it stands, and its kernel can
/// be named in front of the function.
static bool canBeStep(Plan &P, unsigned Launch) {
  const dependence::StepScope &Step = P.Scopes.Steps[Launch];
  const FunctionDecl &Kernel = *P.L.Launches[Launch].Kernel;
  const DeclRefExpr &Name = *P.L.Launches[Launch].Callee;
  const auto IsSpelled = [&](const Expr *E) {
    return P.Source.fileRange(*E->IgnoreImpCasts()).has_value();
  };
  return Step.Needs < dependence::Scope::Grid &&
         llvm::all_of(Step.Distances, IsSpelled) &&
         llvm::all_of(Step.Limits, IsSpelled) &&
         P.SM.isBeforeInTranslationUnit(Kernel.getLocation(), P.Site.Place) &&
         !hasOtherVersion(Kernel, P.Site, P.Source) &&
         !mayBeOverloaded(Name, P.Others, P.Context);
}

void chooseStretches(Plan &P) {
  P.Numbers.assign(P.L.Launches.size(), std::nullopt);
  if (P.Names.Stretch.empty() || P.OfTemplate || !P.Scopes.Narrows ||
      !canBeAskedBefore(P))
    return;
  llvm::SmallDenseMap<const FunctionDecl *, unsigned> Known;
  for (unsigned I = 0; I < P.Numbers.size(); ++I) {
    const FunctionDecl *Kernel = P.L.Launches[I].Kernel;
    if (canBeStep(P, I) &&
        (Known.size() < MostKernels || Known.contains(Kernel)))
      P.Numbers[I] = Known.try_emplace(Kernel, Known.size()).first->second;
  }
}

/// Nothing in the loop changes \p Argument. The runtime sees to it where that
/// is not so, at the price of shorter stretches.
static bool isExpectedToStay(const Plan &P, const Expr &Argument) {
  NameSet Names;
  addNames(&Argument, Names);
  return llvm::all_of(Names, [&](const Stmt *Name) {
    const VarDecl *Var = variableNamedBy(*Name);
    return !Var || (!isOfLoop(P, *Var) &&
                    llvm::none_of(P.Uses.of(*Var), [&](const auto &Use) {
                      return P.Uses.mayChange(Use);
                    }));
  });
}

/// By bits: the arguments that all launches of the kernel \p Number share and
/// that stay.
static unsigned fixedArguments(const Plan &P, unsigned Number) {
  unsigned Fixed = ~0u;
  const CallExpr *First = nullptr;
  for (const auto &[Launch, Own] : llvm::zip_equal(P.L.Launches, P.Numbers)) {
    if (Own != Number)
      continue;
    First = First ? First : Launch.Call;
    for (unsigned I = 0; I < MostFixed; ++I)
      if (I >= First->getNumArgs() || !isExpectedToStay(P, *First->getArg(I)) ||
          !host::sameExpression(First->getArg(I), Launch.Call->getArg(I),
                                P.Context))
        Fixed &= ~(1u << I);
  }
  return Fixed;
}

static std::string fixedText(const Plan &P, unsigned Number) {
  return "0x" + llvm::utohexstr(fixedArguments(P, Number), /*LowerCase=*/true);
}

/// How many kernels there are.
static unsigned countKernels(const Plan &P) {
  unsigned Count = 0;
  for (const auto &Number : P.Numbers)
    Count = std::max(Count, Number ? *Number + 1 : 0);
  return Count;
}

bool hasStretches(const Plan &P) { return countKernels(P) > 0; }

/// What the lambda for \p Kernel calls its parameters: those that the step does
/// not take have no name.
static std::vector<std::string> parameterNames(const Plan &P,
                                               const FunctionDecl &Kernel,
                                               const StepText &Step,
                                               llvm::StringSet<> Taken) {
  std::vector<std::string> Names;
  for (const auto &[I, Parameter] : llvm::enumerate(Kernel.parameters())) {
    const std::string Own = Parameter->getNameAsString();
    Names.push_back(!Step.Parameters.test(I)
                        ? ""
                        : firstFree(Own.empty() ? "argument" : Own,
                                    [&](const std::string &Name) {
                                      return !Taken.contains(Name) &&
                                             !mayBeMacro(Name, P.Context);
                                    }));
    Taken.insert(Names.back());
  }
  return Names;
}

/// The step of \p Launch, called with the arguments of step \p Index.
static std::string stepOfStretch(const Plan &P, unsigned Launch,
                                 const std::string &Stretch,
                                 const std::string &Index,
                                 const std::string &Margin) {
  const LoopLaunch &Of = P.L.Launches[Launch];
  const StepText &Step = P.StepOf(*Of.Kernel);
  llvm::StringSet<> Taken;
  Taken.insert_range(llvm::ArrayRef({Stretch, Index, Step.Name}));
  const std::string Qualifier = qualifierFor(*Of.Kernel, *P.L.Function);
  const std::string TemplateArguments = templateArguments(P, *Of.Callee);
  forEachWord(Qualifier + TemplateArguments,
              [&](llvm::StringRef Word) { Taken.insert(Word); });
  const std::vector<std::string> Names =
      parameterNames(P, *Of.Kernel, Step, Taken);
  std::vector<std::string> Parameters;
  std::vector<StepArgument> Arguments;
  for (const std::string &Name : Names) {
    Parameters.push_back(Name.empty() ? "auto" : "auto " + Name);
    Arguments.push_back({Name, /*IsNull=*/false});
  }
  const std::string Line = P.Site.NewLine.str() + Margin;
  const std::string Head =
      wrapList(Margin + P.Site.Unit + P.Site.Unit, Index + ", [](", Parameters,
               ") {", P.Site.NewLine);
  const unsigned Number = *P.Numbers[Launch];
  return Stretch +
         (countKernels(P) == 1 ? ".call<"
                               : ".call_if<" + std::to_string(Number) + ", ") +
         "decltype(&" + Qualifier + Of.Kernel->getNameAsString() +
         TemplateArguments + "), " + fixedText(P, Number) + ">(" + Line +
         P.Site.Unit + P.Site.Unit + Head + Line + P.Site.Unit + P.Site.Unit +
         P.Site.Unit +
         stepStatement(Step, Qualifier, Arguments, TemplateArguments, {},
                       Margin + P.Site.Unit + P.Site.Unit + P.Site.Unit,
                       P.Site) +
         Line + P.Site.Unit + P.Site.Unit + "});";
}

std::string stretchKernel(const Plan &P) {
  if (!hasStretches(P))
    return "";
  const std::string Stretch = localName(P, "stretch"),
                    Index = localName(P, "step");
  const std::string Outer = P.Site.NewLine.str() + P.Site.Margin,
                    Line = Outer + P.Site.Unit, Inner = Line + P.Site.Unit;
  std::string Text =
      P.Site.Margin + "/// Launches of " + P.L.Function->getNameAsString() +
      "() whose blocks need nothing of one another, as one." + Outer +
      KernelLinkage.str() + "__global__ void " + launchBounds(P) +
      P.Names.Stretch + "(const barricade::Stretch " + Stretch + ") {";
  if (P.Names.StretchWaits)
    Text += Line + WaitStatement.str();
  Text += Line + "for (unsigned " + Index + " = 0; " + Index + " < " + Stretch +
          ".length(); ++" + Index + ") {" + Inner + "if (" + Index + " > 0)" +
          Inner + P.Site.Unit + "__syncthreads();";
  llvm::SmallDenseSet<unsigned> Seen;
  for (const auto &[Launch, Number] : llvm::enumerate(P.Numbers))
    if (Number && Seen.insert(*Number).second)
      Text += Inner + stepOfStretch(P, Launch, Stretch, Index,
                                    P.Site.Margin + P.Site.Unit + P.Site.Unit);
  return Text + Line + "}" + Outer + "}" + P.Site.NewLine.str() +
         P.Site.NewLine.str();
}

/// What the object that makes the launches is told before the loop.
static std::vector<std::string> stretchStatements(const Plan &P) {
  if (!hasStretches(P))
    return {};
  std::vector<std::string> Statements = {
      P.Names.Replay + (P.Names.StretchWaits ? ".join_overlapped(" : ".join(") +
      P.Names.Stretch};
  for (unsigned Number = 0; Number < countKernels(P); ++Number)
    Statements.front() += ", " + fixedText(P, Number);
  Statements.front() += ");";
  llvm::append_range(
      Statements, pointerRequirements(P, P.Names.Replay, [&](const auto &Pair) {
        return isAskedBefore(P, Pair);
      }));
  return Statements;
}

Edit stretchEdit(const Plan &P) {
  Edit Kernel = P.Source.insertion(P.Site.Place, stretchKernel(P));
  Kernel.WithOthers = Edit::Meeting::AnyOrder;
  return Kernel;
}

std::string objectBefore(const Plan &P, const std::string &Line) {
  std::string Text = P.Names.ReplayDeclaration + Line;
  for (const std::string &Statement : stretchStatements(P))
    Text += Statement + Line;
  return Text;
}

std::string flushBehind(const Plan &P, const std::string &Line) {
  return Line + launch_replay::onLines(P.Names.Flush, Line);
}

std::string objectFor(const Plan &P, unsigned Launch) {
  if (!P.Numbers[Launch])
    return P.Names.Replay;
  std::string Text =
      P.Names.Replay + ".if_confined(" + std::to_string(*P.Numbers[Launch]);
  const auto Ask = [&](const char *Condition, const Expr *Argument) {
    Text += std::string(", barricade::") + Condition + "(" +
            text(P, *Argument->IgnoreImpCasts()) + ")";
  };
  for (const Expr *Distance : P.Scopes.Steps[Launch].Distances)
    Ask("Distance", Distance);
  for (const Expr *Limit : P.Scopes.Steps[Launch].Limits)
    Ask("Limit", Limit);
  return Text + ")";
}

} // namespace barricade::grid_barrier::persistent

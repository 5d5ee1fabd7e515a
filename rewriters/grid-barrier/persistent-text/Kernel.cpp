// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Kernel.h"
#include "matchers/facts/Constants.h"
#include "rewriters/Macros.h"
#include "rewriters/grid-barrier/BarrierType.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/DeviceLoop.h"
#include "rewriters/grid-barrier/persistent-text/Stretches.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

static std::string line(const Plan &P, const std::string &Margin,
                        const std::string &Text) {
  return Margin + Text + P.Site.NewLine.str();
}

bool begins(const Plan &P, const VarDecl &Var) {
  return llvm::is_contained(P.Captures, &Var) && !isUnset(P, Var);
}

std::vector<std::string> pointerRequirements(
    const Plan &P, const std::string &Object,
    llvm::function_ref<bool(const dependence::PointerPair &)> IsAsked) {
  std::vector<std::string> Statements;
  for (const dependence::PointerPair &Pair : P.Scopes.Apart)
    if (IsAsked(Pair))
      Statements.push_back(
          Object +
          (Pair.MayBeEqual ? ".require_same_or_apart(" : ".require_apart(") +
          Pair.First->getNameAsString() + ", " +
          Pair.Second->getNameAsString() + ");");
  return Statements;
}

/// What declares the barrier between steps.
static std::vector<std::string> betweenSteps(const Plan &P) {
  std::vector<std::string> Statements = {
      "barricade::StepBarrier " + P.BetweenSteps + "(" + P.Barrier + ", " +
      (P.WholeGrid.empty() ? "gridDim" : P.WholeGrid) + ");"};
  // The others have no value yet, or none that the kernel asks for.
  llvm::append_range(
      Statements, pointerRequirements(P, P.BetweenSteps, [&](const auto &Pair) {
        return begins(P, *Pair.First) && begins(P, *Pair.Second);
      }));
  return Statements;
}

static std::optional<uint64_t> valueOf(const Plan &P, const Expr *E) {
  const auto Value = E ? facts::integerOf(*E, P.Context) : std::nullopt;
  return Value ? std::optional(Value->getZExtValue()) : std::nullopt;
}

std::string launchBounds(const Plan &P) {
  std::optional<uint64_t> MaxThreads, MinBlocks;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Kernels;
  for (const LoopLaunch &Launch : P.L.Launches) {
    const auto *Bounds = Launch.LogicalThreads
                             ? nullptr
                             : Launch.Kernel->getAttr<CUDALaunchBoundsAttr>();
    const auto Threads = valueOf(P, Bounds ? Bounds->getMaxThreads() : nullptr);
    if (Threads && (!MaxThreads || *Threads < *MaxThreads))
      MaxThreads = Threads;
    if (Kernels.insert(Launch.Kernel).second)
      MinBlocks = valueOf(P, Bounds ? Bounds->getMinBlocks() : nullptr);
  }
  if (!MaxThreads)
    return "";
  std::string Values = std::to_string(*MaxThreads);
  if (Kernels.size() == 1 && MinBlocks)
    Values += ", " + std::to_string(*MinBlocks);
  return "__launch_bounds__(" + Values + ") ";
}

/// Of steps whose definition comes later.
static std::string declarations(const Plan &P) {
  std::string Text;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Seen;
  for (const LoopLaunch &Launch : P.L.Launches) {
    const FunctionDecl &Kernel = *Launch.Kernel;
    if (hasOtherVersion(Kernel, P.Site, P.Source))
      P.refuse(ReasonId::KernelCondition, Launch.Call->getBeginLoc());
    if (!P.SM.isBeforeInTranslationUnit(P.Site.Place, Kernel.getLocation()) ||
        !Seen.insert(&Kernel).second)
      continue;
    if (!Kernel.getEnclosingNamespaceContext()->Equals(
            P.L.Function->getEnclosingNamespaceContext()))
      P.refuse(ReasonId::KernelAfterLoop, Launch.Call->getBeginLoc());
    Text += P.Site.Margin + P.StepOf(Kernel).Declaration + ";" +
            P.Site.NewLine.str() + P.Site.NewLine.str();
  }
  return Text;
}

/// The kernel's body, but for the variables that it begins with.
static std::string bodyText(const Plan &P, const std::string &Margin) {
  std::string Text;
  if (P.Scopes.Narrows)
    for (const std::string &Statement : betweenSteps(P))
      Text += line(P, Margin, Statement);
  Text += line(P, Margin, reindent(deviceLoop(P), P.Indent, Margin));
  // Verification does not know that results are no memory of the loop's.
  if (!P.Results.empty() && llvm::any_of(P.L.Actions, [](const LoopAction &A) {
        return A.OfRoundTrip;
      }))
    Text += line(P, Margin, "__gpu_sync(" + P.Barrier + ");");
  for (const auto &[Var, Name] : P.Results)
    Text +=
        line(P, Margin,
             "barricade::store(" + Name + ", " + Var->getNameAsString() + ");");
  return Text;
}

Edit kernelEdit(const Plan &P) {
  std::vector<std::string> Parameters = {barrierType(P.Names.Strategy) + " " +
                                         P.Barrier};
  if (!P.WholeGrid.empty())
    Parameters.push_back("dim3 " + P.WholeGrid);
  for (const auto &[Grid, Name] : P.HostGrids)
    Parameters.push_back("dim3 " + Name);
  const std::string Margin = P.Site.Margin + P.Site.Unit;
  const std::string Body = bodyText(P, Margin);
  const NameSet OfHost = namesLeftToHost(P);
  const auto Declared = [&](const VarDecl &Var) {
    return (isOnlySet(P, Var, OfHost)
                ? llvm::StringRef(MaybeUnused)
                : unusedAttribute(Var.getName(), Body, P.PP))
               .str() +
           copyOf(P, Var, Var.getName().str());
  };
  for (const VarDecl *Var : P.Captures)
    if (!isUnset(P, *Var))
      Parameters.push_back(Declared(*Var));
  for (const auto &[Var, Name] : P.Results)
    Parameters.push_back(
        declaration(P, P.Context.getPointerType(writtenType(P, *Var)), Name));
  std::string Text = declarations(P) + stretchKernel(P);
  Text += line(P, P.Site.Margin,
               "/// The loop of " + P.L.Function->getNameAsString() +
                   "() as one launch: a " + (P.Scopes.Narrows ? "" : "grid ") +
                   "barrier for each launch.");
  Text += P.Site.Margin + (P.OfTemplate ? P.OfTemplate->Head : "") +
          wrapList(P.Site.Margin,
                   (KernelLinkage + "__global__ void ").str() +
                       launchBounds(P) + P.Names.Kernel + "(",
                   Parameters, ") {", P.Site.NewLine) +
          P.Site.NewLine.str();
  for (const VarDecl *Var : P.Captures)
    if (isUnset(P, *Var))
      Text += line(P, Margin,
                   Declared(*Var) + (maySeemAsked(P, *Var) ? " = {};" : ";"));
  Text += Body + line(P, P.Site.Margin, "}") + P.Site.NewLine.str();
  Edit Kernel = P.Source.insertion(P.Site.Place, std::move(Text));
  Kernel.WithOthers = Edit::Meeting::AnyOrder;
  return Kernel;
}

} // namespace barricade::grid_barrier::persistent

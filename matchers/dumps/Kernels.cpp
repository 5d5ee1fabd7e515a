// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels do, and what they may become.

#include "matchers/dependence/ElementOwners.h"
#include "matchers/divergence/Divergence.h"
#include "matchers/dumps/Dumps.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/fence-as-barrier/FenceRaces.h"
#include "matchers/fence-as-barrier/GridFence.h"
#include "matchers/fence-as-barrier/SplitAtFence.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/launch-overlap/WaitingKernel.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Waiting.h"

using namespace clang;

namespace barricade::dumps {

void divergence(const PassView &Pass, const Program &Whole, Annotate Tell) {
  forEachKernel(Pass, Whole, [&](const KernelEffects &Effects) {
    const KernelDivergence Divergence(Effects, *Pass.Context);
    const std::string In = " in kernel " + quoted(Effects.Kernel);
    for (const FunctionDecl *Function : Effects.Functions) {
      const FunctionDivergence &Here = Divergence.of(*Function);
      const auto TellOf = [&](const Expr *E, const std::string &What) {
        if (!E)
          return;
        const Taint Why = Here.taintOf(*E);
        Tell(E->getBeginLoc(),
             What +
                 (Why ? "divergent by " + describe(Why->Kind).str()
                      : "block-uniform") +
                 In);
      };
      forEachStatement(*Function, [&](const Stmt &S) {
        if (const auto *If = dyn_cast<IfStmt>(&S))
          TellOf(If->getCond(), "condition ");
        else if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
          TellOf(Switch->getCond(), "condition ");
        else if (isLoop(S))
          TellOf(conditionOf(S), "condition ");
        else if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
          for (const Decl *D : Declaration->decls())
            if (const auto *Var = dyn_cast<VarDecl>(D))
              TellOf(Var->getInit(), quoted(Var) + " begins ");
      });
    }
  });
}

void memoryRoots(const PassView &Pass, const Program &Whole, Annotate Tell) {
  const auto TellOf = [&](const Expr &Access, const MemoryRoots &Roots) {
    const MemoryRoot Root = Roots.of(Access);
    Tell(Access.getExprLoc(),
         nameOf(Root.Space).str() + (Root ? " " + quoted(Root.Object) : "") +
             (Root.Field ? " field " + quoted(Root.Field) : "") +
             (Root.IsRestrict ? " restrict" : ""));
  };
  forEachKernel(Pass, Whole, [&](const KernelEffects &Effects) {
    for (const FunctionDecl *Function : Effects.Functions)
      forEachStatement(*Function, [&](const Stmt &S) {
        const auto *Unary = dyn_cast<UnaryOperator>(&S);
        const auto *Member = dyn_cast<MemberExpr>(&S);
        if (isa<ArraySubscriptExpr>(S) ||
            (Unary && Unary->getOpcode() == UO_Deref) ||
            (Member && Member->isArrow() &&
             isa<FieldDecl>(Member->getMemberDecl())))
          TellOf(cast<Expr>(S), Effects.rootsOf(*Function));
      });
  });
}

void waiting(const PassView &Pass, const Program &Whole, Annotate Tell) {
  const SourceManager &SM = Pass.Context->getSourceManager();
  forEachKernel(Pass, Whole, [&](const KernelEffects &Effects) {
    for (const FunctionDecl *Function : Effects.Functions)
      forEachStatement(*Function, [&](const Stmt &S) {
        if (!isLoop(S))
          return;
        const SourceLocation Read = findWait(S, *Function, SM, Effects);
        Tell(S.getBeginLoc(),
             Read.isValid() ? "may wait for another thread" : "does not wait");
        if (Read.isValid())
          Tell(Read, "a loop may wait by this");
      });
    if (const SourceLocation Poll = findPoll(Effects, SM); Poll.isValid())
      Tell(Poll, "a kernel may wait for the host by this");
  });
}

void owners(const PassView &Pass, const Program &Whole, Annotate Tell) {
  if (!Pass.IsDevice)
    return;
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels) {
    const auto Found = dependence::findTouches(*Kernel, std::nullopt, false);
    for (const dependence::Touch &T : Found.Touches)
      Tell(T.Where, std::string(T.Writes ? "writes " : "reads ") +
                        quoted(T.Pointer) + ": " + describe(T.Who));
    if (Found.Elsewhere.isValid())
      Tell(Found.Elsewhere, "touches memory that no parameter shows");
    if (Found.Signal.isValid())
      Tell(Found.Signal, "others outside of the grid may see it");
  }
}

void effects(const PassView &Pass, const Program &Whole, Annotate Tell) {
  forEachKernel(Pass, Whole, [&](const KernelEffects &Effects) {
    const std::string In = " in kernel " + quoted(Effects.Kernel);
    for (const KernelEffects::Store &Each : Effects.Stores)
      Tell(Each.Where,
           "writes " + nameOf(Each.Target.Root.Space).str() +
               (Each.Target.Root ? " " + quoted(Each.Target.Root.Object) : "") +
               In);
    for (const KernelEffects::Sync &Each : Effects.Syncs)
      Tell(Each.At->getBeginLoc(), Each.Kind == CallKind::Unknown
                                       ? "cannot be looked into" + In
                                       : "synchronises" + In);
    if (Effects.OpaqueStore.isValid())
      Tell(Effects.OpaqueStore, "may write any memory" + In);
  });
}

/// What the kernel of \p Effects could be cut into at \p Fence.
static void tellSplit(const KernelEffects &Effects, const Stmt &Fence,
                      Annotate Tell) {
  const fence_as_barrier::FenceSplit Split =
      fence_as_barrier::splitAtFence(Effects, Fence);
  const std::string Kernel = "kernel " + quoted(Effects.Kernel);
  Tell(Fence.getBeginLoc(),
       Split.WhyNot.empty()
           ? Kernel + " can be cut in two here"
           : Kernel + " cannot be cut in two here: " + Split.WhyNot.str());
}

void gridFences(const PassView &Pass, const Program &Whole, Annotate Tell) {
  const SourceManager &SM = Pass.Context->getSourceManager();
  const auto IsFence = [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    return Call && classifyCall(*Call, SM) == CallKind::Fence;
  };
  forEachKernel(Pass, Whole, [&](const KernelEffects &Effects) {
    for (const FunctionDecl *Function : Effects.Functions)
      forEachStatement(*Function, [&](const Stmt &S) {
        if (fence_as_barrier::isGridFence(S, SM)) {
          Tell(S.getBeginLoc(), "a fence for the whole grid");
          tellSplit(Effects, S, Tell);
        } else if (IsFence(S))
          Tell(S.getBeginLoc(), "a fence, but not for the whole grid");
      });
    for (const auto &Race : fence_as_barrier::findFenceRaces(
             Effects, collectUserCode(*Pass.Context))) {
      Tell(Race.Fence->getBeginLoc(), "taken for a barrier");
      Tell(Race.Before.Access->getBeginLoc(), "races past the fence behind it");
      Tell(Race.After.Access->getBeginLoc(), "races past the fence before it");
    }
  });
}

void stepKernels(const PassView &Pass, const Program &Whole, Annotate Tell) {
  if (!Pass.IsDevice)
    return;
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels) {
    const grid_barrier::StepKernel Step =
        grid_barrier::inspectStep(*Kernel, Whole, Pass);
    if (Step.Blockers.empty())
      Tell(Kernel->getLocation(),
           std::string("may become a step") +
               (Step.ThreadsStandAlone ? ", whose threads stand alone"
                : Step.WaitsForBlock   ? ", whose threads meet in blocks"
                                       : ""));
    tellAll(Step.Blockers, "no step: ", Tell);
    for (const ParmVarDecl *Each : Step.Written)
      Tell(Each->getLocation(), "may be written through");
    for (const ParmVarDecl *Each : Step.Promised)
      Tell(Each->getLocation(), "promised to be read-only");
    for (const grid_barrier::ReadOnlyLoad &Each : Step.ReadOnlyLoads)
      Tell(Each.Where, "may read a value from before a grid barrier");
  }
}

void waitingKernels(const PassView &Pass, const Program &Whole, Annotate Tell) {
  if (!Pass.IsDevice)
    return;
  const launch_overlap::ConstantEscapes Constants(Whole);
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels) {
    const launch_overlap::WaitingKernel Inspected =
        launch_overlap::inspectWaiting(*Kernel, Whole, Pass, Constants);
    if (Inspected.Blockers.empty())
      Tell(Kernel->getLocation(), "may wait first for the grid before");
    tellAll(Inspected.Blockers, "may not wait for the grid before: ", Tell);
    for (const Blocker &Each : Inspected.Promises)
      Tell(Each.Where, "may be read through before the kernel has waited");
  }
}

} // namespace barricade::dumps

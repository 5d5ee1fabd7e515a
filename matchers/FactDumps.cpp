// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/FactDumps.h"
#include "matchers/Program.h"
#include "matchers/dependence/ElementOwners.h"
#include "matchers/divergence/Divergence.h"
#include "matchers/facts/CountedLoop.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/EndingLoop.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/launch-region/LaunchRegion.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "matchers/waiting/Waiting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/Twine.h"

using namespace clang;

namespace barricade {
namespace {

/// Every function with a body, of templates the instances.
void forEachFunction(ASTContext &Context,
                     llvm::function_ref<void(const FunctionDecl &)> Visit) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    explicit Finder(llvm::function_ref<void(const FunctionDecl &)> Visit)
        : Visit(Visit) {
      ShouldVisitTemplateInstantiations = true;
    }
    llvm::function_ref<void(const FunctionDecl &)> Visit;
    bool VisitFunctionDecl(const FunctionDecl *F) override {
      if (F->doesThisDeclarationHaveABody() && !F->isDependentContext())
        Visit(*F);
      return true;
    }
  } Find(Visit);
  for (const Decl *D : userDeclarations(Context))
    Find.TraverseDecl(D);
}

void forEachStatement(const FunctionDecl &Function,
                      llvm::function_ref<void(const Stmt &)> Visit) {
  (void)codeHolds(Function, [&](const Stmt &S) {
    Visit(S);
    return false;
  });
}

/// Every kernel of the device.
void forEachKernel(const PassView &Pass, const Program &Whole,
                   llvm::function_ref<void(const KernelEffects &)> Visit) {
  if (!Pass.IsDevice)
    return;
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels)
    Visit(collectKernelEffects(*Kernel, Whole.RestrictKernelPointers));
}

std::string nameOf(const NamedDecl *D) {
  return "'" + (D ? D->getNameAsString() : "?") + "'";
}

//===----------------------------------------------------------------------===//
// The facts
//===----------------------------------------------------------------------===//

void dumpCountedLoops(const PassView &Pass, const Program &, Annotate Tell) {
  const auto Text = [&](const Expr *E) {
    return E ? textOf(*E, *Pass.Context) : "?";
  };
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    forEachStatement(Function, [&](const Stmt &S) {
      const auto *For = dyn_cast<ForStmt>(&S);
      if (!For)
        return;
      const auto Loop = facts::readCountedLoop(*For, *Pass.Context);
      Tell(For->getForLoc(), !Loop ? "not counted"
                                   : nameOf(Loop->Counter) + " counts " +
                                         (Loop->CountsUp ? "up" : "down") +
                                         " from " + Text(Loop->First) + " to " +
                                         Text(Loop->limit()) + " by " +
                                         (Loop->Step ? Text(Loop->Step) : "1"));
    });
  });
}

void dumpUses(const PassView &Pass, const Program &, Annotate Tell) {
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    const facts::VariableFacts Facts(Function);
    for (const auto &[Var, Uses] : Facts)
      for (const facts::VariableUse &U : Uses)
        Tell(U.Name->getBeginLoc(), nameOf(Var) + ": " + describe(U));
  });
}

void dumpDivergence(const PassView &Pass, const Program &Whole, Annotate Tell) {
  forEachKernel(Pass, Whole, [&](const KernelEffects &Effects) {
    const KernelDivergence Divergence(Effects, *Pass.Context);
    const std::string In = " in kernel " + nameOf(Effects.Kernel);
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
              TellOf(Var->getInit(), nameOf(Var) + " begins ");
      });
    }
  });
}

void dumpMemoryRoots(const PassView &Pass, const Program &Whole,
                     Annotate Tell) {
  const auto TellOf = [&](const Expr &Access, const MemoryRoots &Roots) {
    const MemoryRoot Root = Roots.of(Access);
    Tell(Access.getExprLoc(),
         nameOf(Root.Space).str() + (Root ? " " + nameOf(Root.Object) : "") +
             (Root.Field ? " field " + nameOf(Root.Field) : "") +
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

void dumpWaiting(const PassView &Pass, const Program &Whole, Annotate Tell) {
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

void dumpOwners(const PassView &Pass, const Program &Whole, Annotate Tell) {
  if (!Pass.IsDevice)
    return;
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels) {
    const auto Found = dependence::findTouches(*Kernel, std::nullopt, false);
    for (const dependence::Touch &T : Found.Touches)
      Tell(T.Where, std::string(T.Writes ? "writes " : "reads ") +
                        nameOf(T.Pointer) + ": " + describe(T.Who));
    if (Found.Elsewhere.isValid())
      Tell(Found.Elsewhere, "touches memory that no parameter shows");
    if (Found.Signal.isValid())
      Tell(Found.Signal, "others outside of the grid may see it");
  }
}

void dumpEffects(const PassView &Pass, const Program &Whole, Annotate Tell) {
  forEachKernel(Pass, Whole, [&](const KernelEffects &Effects) {
    const std::string In = " in kernel " + nameOf(Effects.Kernel);
    for (const KernelEffects::Store &Each : Effects.Stores)
      Tell(Each.Where,
           "writes " + nameOf(Each.Target.Root.Space).str() +
               (Each.Target.Root ? " " + nameOf(Each.Target.Root.Object) : "") +
               In);
    for (const KernelEffects::Sync &Each : Effects.Syncs)
      Tell(Each.At->getBeginLoc(), Each.Kind == CallKind::Unknown
                                       ? "cannot be looked into" + In
                                       : "synchronises" + In);
    if (Effects.OpaqueStore.isValid())
      Tell(Effects.OpaqueStore, "may write any memory" + In);
  });
}

void dumpEndingLoops(const PassView &Pass, const Program &, Annotate Tell) {
  if (Pass.IsDevice)
    return;
  const auto IsShared = [](const VarDecl &Var) {
    return !Var.hasLocalStorage();
  };
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    forEachStatement(Function, [&](const Stmt &S) {
      if (isLoop(S))
        Tell(S.getBeginLoc(), facts::isSeenToEnd(S, *Pass.Context, IsShared)
                                  ? "a counter ends it"
                                  : "no counter is seen to end it");
    });
  });
}

void dumpLaunchRegions(const PassView &Pass, const Program &, Annotate Tell) {
  using namespace launch_region;
  if (Pass.IsDevice)
    return;
  for (const LaunchRegion &R : findLaunchRegions(Pass, Between::NoWaits)) {
    Tell(R.First->getBeginLoc(), "a region of launches begins");
    for (const RegionLaunch &L : R.Launches)
      Tell(L.Call->getBeginLoc(), L.IsInLoop ? "may follow itself in the region"
                                             : "is made in the region");
    if (R.Blocker)
      Tell(R.Blocker->getBeginLoc(), "may give the device other work");
  }
}

constexpr FactDump Dumps[] = {
    {"counted-loops", dumpCountedLoops},
    {"divergence", dumpDivergence},
    {"effects", dumpEffects},
    {"ending-loops", dumpEndingLoops},
    {"launch-regions", dumpLaunchRegions},
    {"memory-roots", dumpMemoryRoots},
    {"owners", dumpOwners},
    {"uses", dumpUses},
    {"waiting", dumpWaiting},
};

} // namespace

llvm::ArrayRef<FactDump> factDumps() { return Dumps; }

const FactDump *findFactDump(llvm::StringRef Name) {
  const auto *Found = llvm::find_if(
      Dumps, [&](const FactDump &Dump) { return Dump.Name == Name; });
  return Found == std::end(Dumps) ? nullptr : Found;
}

} // namespace barricade

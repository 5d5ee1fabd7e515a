// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-overlap/LaunchRegion.h"
#include "matchers/Statements.h"
#include "matchers/UserDeclarations.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "matchers/launch-fusion/HostExpressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::launch_overlap {
namespace {

/// Functions of the C library that know nothing of a GPU.
bool isOfCLibrary(const FunctionDecl &F) {
  const SourceManager &SM = F.getASTContext().getSourceManager();
  return F.getDeclName().isIdentifier() && F.isExternC() &&
         SM.isInSystemHeader(F.getCanonicalDecl()->getLocation()) &&
         llvm::StringSwitch<bool>(F.getName())
             .Cases({"printf", "fprintf", "puts", "fputs", "putchar", "fflush"},
                    true)
             .Cases({"gettimeofday", "clock", "clock_gettime", "time"}, true)
             .Cases({"memcpy", "memset", "strlen", "strcmp"}, true)
             .Default(false);
}

/// Reads one statement with all that it holds.
class QuietReader {
public:
  explicit QuietReader(const ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()) {}

  std::vector<RegionLaunch> Launches;

  /// Nothing in \p S but launches can reach the device, or leave it other than
  /// at its end: what is not known to be harmless is not.
  bool isQuiet(const Stmt *S, bool InLoop = false) {
    if (!S)
      return true;
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(S))
      Launches.push_back({grid_barrier::launchOf(*Launch), InLoop});
    else if (const auto *Call = dyn_cast<CallExpr>(S); Call && !isKnown(*Call))
      return false;
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(S);
        Construct && !isKnown(*Construct))
      return false;
    if (const auto *Declaration = dyn_cast<DeclStmt>(S);
        Declaration && !llvm::all_of(Declaration->decls(), isPlain))
      return false;
    // Bodies of lambdas do not run here. A jump to a label may come from
    // elsewhere.
    if (isa<LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, CXXTryStmt,
            AsmStmt, LabelStmt, IndirectGotoStmt, CXXForRangeStmt,
            CoroutineSuspendExpr, CXXBindTemporaryExpr,
            CXXInheritedCtorInitExpr>(S))
      return false;
    // Another thread may wait for what is written there, or say something.
    if (const auto *E = dyn_cast<Expr>(S);
        E && (E->getType().isNull() || E->getType().isVolatileQualified() ||
              isa<AtomicExpr>(E)))
      return false;
    // Parts that are no children.
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S))
      return isQuiet(Default->getExpr(), InLoop);
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(S))
      return isQuiet(Default->getExpr(), InLoop);
    if (const auto *List = dyn_cast<InitListExpr>(S);
        List && !isQuiet(List->getArrayFiller(), InLoop))
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S);
        Ref && isInitialisedHere(*Ref->getDecl()))
      return false;
    const bool Inside = InLoop || isLoop(*S);
    return llvm::all_of(S->children(), [&](const Stmt *Child) {
      return isQuiet(Child, Inside);
    });
  }

private:
  /// The first use in a thread runs its initialiser.
  static bool isInitialisedHere(const ValueDecl &D) {
    const auto *Var = dyn_cast<VarDecl>(&D);
    return Var && Var->getTLSKind() == VarDecl::TLS_Dynamic;
  }

  static bool isPlain(const Decl *D) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var)
      return isa<TypedefNameDecl, StaticAssertDecl, EmptyDecl>(D);
    return !isa<DecompositionDecl>(Var) && Var->hasLocalStorage() &&
           !Var->hasAttr<CleanupAttr>() && !Var->getType().isDestructedType() &&
           !Var->getType().isVolatileQualified();
  }

  /// `dim3` and the like: its arguments are looked at as any other part.
  bool isKnown(const CXXConstructExpr &E) const {
    return launch_fusion::isPureValue(E, Context) ||
           (facts::isLibraryCode(*E.getConstructor()) &&
            E.getConstructor()->getParent()->getName() == "dim3");
  }

  bool isKnown(const CallExpr &Call) const {
    using grid_barrier::HostCallKind;
    if (launch_fusion::isPureValue(Call, Context) || isConfiguration(Call))
      return true;
    switch (grid_barrier::classifyHostCall(Call, SM)) {
    case HostCallKind::Swap:
      return Call.getArg(0)->getType()->isScalarType();
    case HostCallKind::Extremum:
    case HostCallKind::Rounding:
    case HostCallKind::Synchronise:
    case HostCallKind::Query:
      return true;
    default:
      return Call.getDirectCallee() && isOfCLibrary(*Call.getDirectCallee());
    }
  }

  /// What stands between `<<<` and `>>>` of a launch is a call, too.
  static bool isConfiguration(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    const FunctionDecl *Configure =
        Callee ? Callee->getASTContext().getcudaConfigureCallDecl() : nullptr;
    return Configure &&
           Callee->getCanonicalDecl() == Configure->getCanonicalDecl();
  }

  const ASTContext &Context;
  const SourceManager &SM;
};

/// Cuts the blocks of a function into regions.
class Search {
public:
  Search(const FunctionDecl &Function, std::vector<LaunchRegion> &Regions)
      : Function(Function), Context(Function.getASTContext()),
        Regions(Regions) {}

  void search(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return searchBlock(*Block);
    for (const Stmt *Child : S->children())
      search(Child);
  }

private:
  void searchBlock(const CompoundStmt &Block) {
    LaunchRegion Run;
    for (const Stmt *S : Block.body()) {
      QuietReader Reader(Context);
      if (Reader.isQuiet(S)) {
        extend(Run, *S, Reader.Launches);
        continue;
      }
      finish(Run);
      search(S);
    }
    finish(Run);
  }

  static void extend(LaunchRegion &Run, const Stmt &S,
                     const std::vector<RegionLaunch> &Launches) {
    if (Launches.empty())
      return;
    if (!Run.First)
      Run.First = &S;
    Run.Last = &S;
    llvm::append_range(Run.Launches, Launches);
  }

  void finish(LaunchRegion &Run) {
    if (Run.Launches.size() > 1 ||
        (!Run.Launches.empty() && Run.Launches.front().IsInLoop)) {
      Run.Function = &Function;
      Regions.push_back(std::move(Run));
    }
    Run = {};
  }

  const FunctionDecl &Function;
  const ASTContext &Context;
  std::vector<LaunchRegion> &Regions;
};

/// Of a template nothing is known but that it has launches.
void addUnread(const FunctionDecl &Template,
               std::vector<LaunchRegion> &Regions) {
  LaunchRegion Whole;
  (void)holds(Template.getBody(), [&](const Stmt &S) {
    if (const auto *Call = dyn_cast<CUDAKernelCallExpr>(&S)) {
      if (!Whole.First)
        Whole.First = Call;
      Whole.Last = Call;
      Whole.Launches.emplace_back().Call = Call;
    }
    return false;
  });
  Whole.Function = &Template;
  if (Whole.Launches.size() > 1)
    Regions.push_back(std::move(Whole));
}

} // namespace

std::vector<LaunchRegion> findLaunchRegions(const PassView &Host) {
  std::vector<LaunchRegion> Regions;
  forEachHostFunction(*Host.Context, [&](const FunctionDecl &Function) {
    if (Function.isDependentContext())
      addUnread(Function, Regions);
    else
      Search(Function, Regions).search(Function.getBody());
  });
  return Regions;
}

} // namespace barricade::launch_overlap

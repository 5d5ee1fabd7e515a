// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops of the host launch kernels.

#include "matchers/grid-barrier/OtherLoops.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/host/HiddenLaunches.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/Specialisations.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier {

namespace {

/// Searches one function after the other.
class LoopFinder {
public:
  LoopFinder(ASTContext &Context, host::HiddenLaunches &Hidden)
      : Context(Context), Hidden(Hidden) {}

  std::vector<HostLoop> Loops;

  void search(const HostCode &Code) {
    for (const Stmt *Part : Code.Parts)
      search(Part, {Code.Function});
    if (Code.Function)
      searchJumps(Code.Function->getBody(), *Code.Function, /*InLambda=*/false);
  }

  /// Looks for the loops found in the template \p Pattern in its instances.
  void addInstances(const FunctionTemplateDecl &Pattern) {
    const size_t OfPattern = Loops.size();
    for (const FunctionDecl *Instance : instancesOf(Pattern)) {
      LoopFinder Inner(Context, Hidden);
      Inner.search({Instance, codeOf(*Instance)});
      for (const HostLoop &Found : Inner.Loops) {
        const auto Same = llvm::find_if(Loops, [&](const HostLoop &L) {
          return Found.Loop->getBeginLoc() == L.Loop->getBeginLoc();
        });
        // What hides launches may be known in the instance only.
        if (Same == Loops.end())
          Loops.push_back({Found.Loop,
                           Found.Function,
                           Found.InLambda,
                           -1,
                           {},
                           Found.NoKeyword});
        else if (Same < Loops.begin() + OfPattern)
          Same->Instances.push_back(Found);
      }
    }
  }

private:
  /// Where a statement stands.
  struct Surroundings {
    const FunctionDecl *Function;
    bool InLambda = false;
    bool InPack = false; ///< It is repeated for each element of a pack.
    int Parent = -1;
  };

  void search(const Stmt *S, Surroundings In) {
    if (!S)
      return;
    if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      In.Function = functionAround(*Lambda, In.Function);
      In.InLambda = true;
      searchJumps(Lambda->getBody(), *Lambda->getCallOperator(), In.InLambda);
    }
    In.InPack |= isa<CXXFoldExpr, PackExpansionExpr>(S);
    if (isLoop(*S) && !isOnceLoop(*S, Context) &&
        (host::holdsLaunch(*S) || Hidden.isHeldBy(*S))) {
      Loops.push_back({S, In.Function, In.InLambda, In.Parent});
      In.Parent = int(Loops.size()) - 1;
      In.InPack = false;
    } else if (const auto Why = repetitionBy(*S, In.InPack)) {
      Loops.push_back({S,
                       In.Function,
                       In.InLambda,
                       -1,
                       {},
                       {blocker(*Why, S->getBeginLoc())}});
    }
    for (const Stmt *Child : S->children())
      search(Child, In);
  }

  /// What repeats a launch at \p S, without a keyword.
  std::optional<ReasonId> repetitionBy(const Stmt &S, bool InPack) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (Call && Hidden.areRepeatedBy(*Call))
      return ReasonId::LibraryLoop;
    if (Hidden.isRepeatedForArray(S))
      return ReasonId::ArrayLaunch;
    if (InPack && Call &&
        (isa<CUDAKernelCallExpr>(Call) || Hidden.launchBy(*Call)))
      return ReasonId::PackLaunch;
    return std::nullopt;
  }

  void searchJumps(const Stmt *Body, const FunctionDecl &Function,
                   bool InLambda) {
    if (Body)
      llvm::append_range(Loops,
                         findGotoLoops(*Body, Function, InLambda, Hidden));
  }

  ASTContext &Context;
  host::HiddenLaunches &Hidden;
};

} // namespace

std::vector<HostLoop> findHostLoops(const PassView &Host) {
  std::vector<HostLoop> Loops;
  host::HiddenLaunches Hidden(*Host.Context);
  bool Launches = false;
  forEachHostCode(*Host.Context, [&](const HostCode &Code) {
    Launches |= Code.Function && Hidden.launches(*Code.Function);
    LoopFinder Finder(*Host.Context, Hidden);
    Finder.search(Code);
    if (const auto *Template =
            Code.Function ? Code.Function->getDescribedFunctionTemplate()
                          : nullptr)
      Finder.addInstances(*Template);
    const int First = int(Loops.size());
    for (HostLoop &L : Finder.Loops) {
      L.Parent += L.Parent >= 0 ? First : 0;
      Loops.push_back(std::move(L));
    }
  });
  if (Launches)
    llvm::append_range(Loops, findRecursions(*Host.Context, Loops, Hidden));
  return Loops;
}

} // namespace barricade::grid_barrier

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dependence/StepScopes.h"
#include "matchers/dependence/ElementOwners.h"
#include "matchers/dependence/PointerCopies.h"
#include "matchers/facts/DeviceAllocations.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace clang;

namespace barricade::dependence {
namespace {

using grid_barrier::LoopAction;
using grid_barrier::LoopLaunch;
using grid_barrier::RelaunchLoop;
using grid_barrier::StepKernel;

/// Which block the elements of an array belong to.
struct Ownership {
  enum KindTy : uint8_t {
    Chunks, ///< Element e to block ((e - Offset) / blockDim) mod grid.
    Single, ///< Element e to block e - Offset.
  };
  KindTy Kind;
  int64_t Offset;
  bool operator==(const Ownership &) const = default;
};

/// The rule by which what \p Who touches is the own block's, if its distance is
/// one within the block; none where it may be another's.
std::optional<Ownership> ownershipOf(const Owner &Who) {
  switch (Who.Kind) {
  case Owner::Thread:
  case Owner::BlockChunk:
    return Ownership{Ownership::Chunks, Who.Offset};
  case Owner::Partner:
    return Who.Offset == 0
               ? std::optional(Ownership{Ownership::Chunks, Who.Offset})
               : std::nullopt;
  case Owner::Block:
    return Ownership{Ownership::Single, Who.Offset};
  case Owner::Anyone:
    return std::nullopt;
  }
  llvm_unreachable("unknown owner");
}

/// A touch of a launch's kernel, as the host sees it.
struct LaunchTouch {
  const Touch *Of;
  const SourceManager *SM; ///< Of the pass that it was found in.
  const VarDecl *Array;    ///< The argument; null where it is none.
  unsigned Launch;
};

/// Why a step is not confined.
struct Obstacle {
  std::string Why;
  Place Because;
};

class Planner {
public:
  Planner(const RelaunchLoop &L, grid_barrier::StepsOfKernel StepsOf,
          ASTContext &Host)
      : L(L), Host(Host), Memory(*L.Function), Copies(L),
        Block(fixedExtents(*L.Block, Host)) {
    for (const LoopLaunch &Launch : L.Launches) {
      Kernels.emplace_back();
      bool MayDiffer = isSpelledOtherwise(Launch);
      const bool Fixed =
          !templateArgumentsMayDiffer(*Launch.Callee, *Launch.Call, Host);
      for (const StepKernel *Step : StepsOf(*Launch.Kernel))
        MayDiffer |= llvm::any_of(Step->Functions, [](const auto *Function) {
          return codeMayDiffer(*Function) ||
                 typesMayDiffer(*Function, /*FixedArguments=*/true);
        });
      HaveVariants.push_back(MayDiffer || !Fixed);
      for (const StepKernel *Step : StepsOf(*Launch.Kernel))
        Kernels.back().emplace_back(
            findTouches(*Step->Kernel, Block[0], Fixed),
            &Step->Kernel->getASTContext().getSourceManager());
    }
  }

  LoopScopes plan() {
    LoopScopes Result;
    Result.Steps.resize(L.Launches.size());
    const std::string Whole = needOfAll();
    for (unsigned I = 0; I < L.Launches.size(); ++I)
      if (Whole.empty())
        addStep(I, Result.Steps[I]);
      else
        Result.Steps[I].Why = Whole;
    for (unsigned I = 0; I < L.Launches.size(); ++I)
      if (Result.Steps[I].Needs < Scope::Grid)
        explain(I, Result.Steps[I]);
    Result.Narrows = followEachOther(Result.Steps);
    if (Result.Narrows)
      Result.Apart = std::move(Apart);
    else
      leaveAlone(Result.Steps);
    return Result;
  }

private:
  /// Why all barriers must be the grid's, if so: a logical block may be run by
  /// another block in each step, or not only steps touch memory.
  std::string needOfAll() const {
    if (L.Grids != grid_barrier::GridForm::Same ||
        llvm::any_of(L.Launches, [](const LoopLaunch &Launch) {
          return Launch.LogicalThreads;
        }))
      return "the launches' grids or blocks differ";
    if (L.ReadsBack || !llvm::all_of(L.Actions, [](const LoopAction &A) {
          return A.Kind == LoopAction::Launch || A.Kind == LoopAction::Swap ||
                 A.isHoisted();
        }))
      return "the loop copies or fills memory, too";
    return "";
  }

  //===--- Steps ----------------------------------------------------------===//

  /// In another build the launch may be of another kernel, or have other
  /// arguments.
  bool isSpelledOtherwise(const LoopLaunch &Launch) const {
    return spellingMayDiffer(*Launch.Callee, Host) ||
           llvm::any_of(Launch.Call->arguments(), [&](const Expr *Argument) {
             return spellingMayDiffer(*Argument, Host) ||
                    (Argument->getType()->isPointerType() &&
                     typesMayDiffer(*Argument, Host));
           });
  }

  void addStep(unsigned Launch, StepScope &Scope) {
    std::vector<LaunchTouch> Own;
    if (auto Found = readTouches(Launch, Own)) {
      Scope.Why = std::move(Found->Why);
      Scope.Because = std::move(Found->Because);
      return;
    }
    const size_t Before = Confined.size();
    std::vector<PointerPair> Pairs;
    llvm::append_range(Confined, Own);
    if (auto Found = meetAll(Pairs)) {
      Confined.resize(Before);
      Scope.Why = std::move(Found->Why);
      Scope.Because = std::move(Found->Because);
      return;
    }
    Apart = std::move(Pairs);
    Scope.Needs = dependence::Scope::Block;
  }

  std::string nameOf(unsigned Launch) const {
    return L.Launches[Launch].Kernel->getNameAsString();
  }

  /// The touches of \p Launch, in all views of its kernel.
  std::optional<Obstacle> readTouches(unsigned Launch,
                                      std::vector<LaunchTouch> &Into) const {
    if (HaveVariants[Launch])
      return Obstacle{"another build may have other code for " +
                          nameOf(Launch) + " or its launch",
                      {}};
    for (const auto &[Touched, SM] : Kernels[Launch]) {
      if (Touched.Elsewhere.isValid())
        return Obstacle{nameOf(Launch) +
                            " reaches memory that no parameter shows",
                        placeOf(Touched.Elsewhere, *SM)};
      if (Touched.Signal.isValid())
        return Obstacle{"others outside of the grid may go by what " +
                            nameOf(Launch) +
                            " shows them, or it by what they do",
                        placeOf(Touched.Signal, *SM)};
      for (const Touch &T : Touched.Touches)
        Into.push_back({&T, SM, arrayOf(Launch, T), Launch});
    }
    return std::nullopt;
  }

  const Expr &argument(unsigned Launch, const ParmVarDecl &Parameter) const {
    return *L.Launches[Launch].Call->getArg(Parameter.getFunctionScopeIndex());
  }

  /// The variable whose value \p T is given, of elements of the same size.
  const VarDecl *arrayOf(unsigned Launch, const Touch &T) const {
    const Expr *E = argument(Launch, *T.Pointer).IgnoreParens();
    while (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
      if (!Cast->path_empty())
        return nullptr; // to a base
      E = Cast->getSubExpr()->IgnoreParens();
    }
    const VarDecl *Var = variableNamedBy(*E);
    return Var && Copies.isKnown(*Var) ? Var : nullptr;
  }

  /// Of what \p Array points at; 0 where not known.
  uint64_t widthOf(const VarDecl &Array) const {
    const QualType Element = Array.getType()->getPointeeType();
    return Element->isIncompleteType() || Element->isDependentType()
               ? 0
               : Host.getTypeSizeInChars(Element).getQuantity();
  }

  //===--- Pairs of touches -----------------------------------------------===//

  /// Whether all touches of confined steps may meet; adds to \p Pairs what has
  /// to hold for that.
  std::optional<Obstacle> meetAll(std::vector<PointerPair> &Pairs) const {
    for (const LaunchTouch &A : Confined)
      for (const LaunchTouch &B : Confined)
        if (A.Of->Writes)
          if (auto Found = meet(A, B, Pairs))
            return Found;
    return std::nullopt;
  }

  /// \p A writes.
  std::optional<Obstacle> meet(const LaunchTouch &A, const LaunchTouch &B,
                               std::vector<PointerPair> &Pairs) const {
    for (const LaunchTouch &Each : {A, B})
      if (!Each.Array)
        return Obstacle{
            "'" + textOf(argument(Each.Launch, *Each.Of->Pointer), Host) +
                "' may lead to memory that another pointer leads to",
            placeOf(Each.Of->Where, *Each.SM)};
    if (areDistinct(*A.Array, *B.Array))
      return std::nullopt;
    for (const LaunchTouch &Each : {A, B})
      if (!isOwned(Each))
        return notOwned(Each, A, B);
    const Ownership OfA = *ownershipOf(A.Of->Who),
                    OfB = *ownershipOf(B.Of->Who);
    if (A.Array == B.Array && Copies.relatives(*A.Array).size() == 1)
      return OfA == OfB ? std::nullopt : std::optional(disagreement(A, B));
    return keepApart(A, B, OfA, OfB, Pairs);
  }

  /// Neither is given the value of another variable, and both own what they
  /// lead to.
  bool areDistinct(const VarDecl &A, const VarDecl &B) const {
    return &A != &B && Memory.isOwner(A) && Memory.isOwner(B);
  }

  bool isOwned(const LaunchTouch &T) const {
    const Owner &Who = T.Of->Who;
    return ownershipOf(Who) && T.Of->Width != 0 &&
           T.Of->Width == widthOf(*T.Array) &&
           (Who.Kind != Owner::Partner || mayBeDistance(T)) &&
           (!Who.Limit || isAskable(argument(T.Launch, *Who.Limit), Host));
  }

  /// The kernel can ask, before a step, whether the argument is a distance
  /// within the block. None is in one of a size that is no power of two.
  bool mayBeDistance(const LaunchTouch &T) const {
    return isAskable(argument(T.Launch, *T.Of->Who.Distance), Host) &&
           !(Block[0] && !llvm::isPowerOf2_64(*Block[0]));
  }

  Obstacle notOwned(const LaunchTouch &T, const LaunchTouch &A,
                    const LaunchTouch &B) const {
    const std::string Name = "'" + T.Array->getNameAsString() + "'";
    const std::string Verb = T.Of->Writes ? "written" : "read";
    const Place Where = placeOf(T.Of->Where, *T.SM);
    if (A.Array == B.Array)
      return {"elements of " + Name + " are " + Verb + " by " +
                  nameOf(T.Launch) + " in blocks that may not own them",
              Where};
    const LaunchTouch &Other = &T == &A || T.Of == A.Of ? B : A;
    return {Name + " and '" + Other.Array->getNameAsString() +
                "' may be the same memory, and elements are " + Verb + " by " +
                nameOf(T.Launch) + " in blocks that may not own them",
            Where};
  }

  Obstacle disagreement(const LaunchTouch &A, const LaunchTouch &B) const {
    return {"an element of '" + A.Array->getNameAsString() +
                "' may be of one block in " + nameOf(A.Launch) +
                " and of another in " + nameOf(B.Launch),
            placeOf(B.Of->Where, *B.SM)};
  }

  /// Variables that may be given one another's values must lead to arrays of
  /// which the grid owns separate parts, or to the same, which the kernel can
  /// see before its first step. They own as many elements as the grid has
  /// threads from their offset on, or fewer.
  std::optional<Obstacle> keepApart(const LaunchTouch &A, const LaunchTouch &B,
                                    const Ownership &OfA, const Ownership &OfB,
                                    std::vector<PointerPair> &Pairs) const {
    for (const LaunchTouch &Each : {A, B})
      if (Each.Of->Who.Strides)
        return Obstacle{
            "'" + Each.Array->getNameAsString() +
                "' may lead to what another pointer leads to, and how much of "
                "that is touched is not known",
            placeOf(Each.Of->Where, *Each.SM)};
    const bool SameWidth = A.Of->Width == B.Of->Width;
    const bool AreRelated =
        llvm::is_contained(Copies.relatives(*A.Array), B.Array);
    if (OfA.Offset != OfB.Offset || (OfA.Offset != 0 && !SameWidth) ||
        (AreRelated && !(OfA == OfB)))
      return disagreement(A, B);
    for (const VarDecl *First : Copies.relatives(*A.Array))
      for (const VarDecl *Second : Copies.relatives(*B.Array))
        if (First != Second)
          addPair({First, Second, OfA == OfB && SameWidth}, Pairs);
    return std::nullopt;
  }

  /// The strictest need counts.
  static void addPair(PointerPair New, std::vector<PointerPair> &Pairs) {
    for (PointerPair &Known : Pairs)
      if ((Known.First == New.First && Known.Second == New.Second) ||
          (Known.First == New.Second && Known.Second == New.First)) {
        Known.MayBeEqual &= New.MayBeEqual;
        return;
      }
    Pairs.push_back(New);
  }

  //===--- What is said ---------------------------------------------------===//

  /// Somebody writes there, so that it matters whose it is.
  bool isShared(const LaunchTouch &T) const {
    return llvm::any_of(Confined, [&](const LaunchTouch &Other) {
      return (T.Of->Writes || Other.Of->Writes) &&
             !areDistinct(*T.Array, *Other.Array);
    });
  }

  /// Which conditions \p Launch is confined on, once all others are known.
  void explain(unsigned Launch, StepScope &Scope) const {
    for (const LaunchTouch &T : Confined) {
      if (T.Launch != Launch || !isShared(T))
        continue;
      const ParmVarDecl *Distance = T.Of->Who.Distance;
      if (const ParmVarDecl *Limit = T.Of->Who.Limit)
        host::addOnce(argument(T.Launch, *Limit), Scope.Limits, Host);
      if (T.Of->Who.Kind != Owner::Partner)
        continue;
      host::addOnce(argument(T.Launch, *Distance), Scope.Distances, Host);
      Scope.Why = "elements of '" +
                  textOf(argument(T.Launch, *T.Of->Pointer), Host) +
                  "' are touched at a distance of '" +
                  Distance->getNameAsString() + "' by xor";
      Scope.Because = placeOf(T.Of->Where, *T.SM);
    }
    if (!Scope.Why.empty())
      return;
    Scope.Why = "each block of " + nameOf(Launch) +
                " touches elements of its own only" +
                (Scope.Limits.empty() ? "" : ", as long as no counter wraps");
  }

  /// No step is confined that another such one follows.
  void leaveAlone(std::vector<StepScope> &Steps) const {
    for (unsigned I = 0; I < Steps.size(); ++I)
      if (Steps[I].Needs < Scope::Grid)
        Steps[I] = {Scope::Grid,
                    {},
                    {},
                    nameOf(I) + " stays within its blocks, but no such step "
                                "comes right before or behind it",
                    {}};
  }

  //===--- Order ----------------------------------------------------------===//

  /// Some step that can be confined may follow another one at once.
  bool followEachOther(llvm::ArrayRef<StepScope> Steps) const {
    const auto IsNarrow = [&](unsigned I) {
      return Steps[I].Needs < Scope::Grid;
    };
    for (unsigned I = 0; I + 1 < Steps.size(); ++I)
      if (IsNarrow(I) && IsNarrow(I + 1))
        return true;
    return holds(L.Loop, [&](const Stmt &S) {
      if (!isa<ForStmt, WhileStmt, DoStmt>(S))
        return false;
      std::optional<unsigned> First, Last;
      for (unsigned I = 0; I < Steps.size(); ++I)
        if (holds(&S, [&](const Stmt &Part) {
              return &Part == L.Launches[I].Call;
            })) {
          First = First.value_or(I);
          Last = I;
        }
      return First && IsNarrow(*First) && IsNarrow(*Last);
    });
  }

  const RelaunchLoop &L;
  ASTContext &Host;
  const DeviceAllocations Memory;
  const PointerCopies Copies;
  const Extents3 Block;
  /// By launch, then by view.
  std::vector<std::vector<std::pair<KernelTouches, const SourceManager *>>>
      Kernels;
  std::vector<bool> HaveVariants; ///< By launch: other builds may have others.
  std::vector<LaunchTouch> Confined; ///< Of all steps found to be.
  std::vector<PointerPair> Apart;
};

} // namespace

LoopScopes planScopes(const RelaunchLoop &L,
                      grid_barrier::StepsOfKernel StepsOf, ASTContext &Host) {
  return Planner(L, StepsOf, Host).plan();
}

} // namespace barricade::dependence

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-fusion/FusionPlan.h"
#include "matchers/facts/DeviceAllocations.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace barricade::launch_fusion {
namespace {

using namespace dependence;

//===----------------------------------------------------------------------===//
// Pointers of the host
//===----------------------------------------------------------------------===//

/// An implicit conversion of a pointer of \p E, which leads to a base.
bool isConvertedToBase(const Expr &E) {
  const Expr *Each = E.IgnoreParens();
  while (const auto *Cast = dyn_cast<ImplicitCastExpr>(Each)) {
    if (!Cast->path_empty())
      return true;
    Each = Cast->getSubExpr()->IgnoreParens();
  }
  return false;
}

/// How two pointers of the host's relate: to the same memory, to memory apart,
/// or it cannot be told.
enum class Relation { Same, Distinct, Unknown };

//===----------------------------------------------------------------------===//
// Two launches
//===----------------------------------------------------------------------===//

class Planner {
public:
  Planner(const LaunchSequence &S, const std::vector<KernelViews> &Views,
          ASTContext &Host, bool IsFixed)
      : S(S), Views(Views), Host(Host), Memory(*S.Function), IsFixed(IsFixed) {
    const Extents3 Block = fixedExtents(*S.Launches.front().Block, Host);
    for (const auto &[L, Passes] : llvm::zip(S.Launches, Views)) {
      const bool Fixed = !templateArgumentsMayDiffer(*L.Callee, *L.Call, Host);
      HasFixedTypes &= !anyTypeMayDiffer(L, Passes, Fixed);
      Touches.emplace_back();
      for (const grid_barrier::StepKernel *Step : Passes)
        Touches.back().push_back(findTouches(*Step->Kernel, Block[0], Fixed));
    }
  }

  /// A kernel without a grid barrier is launched with one dimension only: the
  /// runtime header sees to it. With one it may have more, where a thread's
  /// number in x does not tell it apart.
  FusionPlan plan() {
    FusionPlan Plan = planAll();
    const bool IsSame = IsFixed && HasFixedTypes;
    if (!IsSame)
      forbidLess(Plan);
    if (!IsSame || Plan.strongest() != Scope::Grid || isOneDimensional())
      return Plan;
    TrustsOwners = false;
    return planAll();
  }

private:
  void forbidLess(FusionPlan &Plan) const {
    for (Boundary &Each : Plan.Boundaries)
      if (Each.Between != Scope::Grid)
        Each = {Scope::Grid,
                std::string("another build, where macros are set otherwise, "
                            "may have other ") +
                    (IsFixed ? "types" : "kernels")};
    Plan.Limits.clear();
  }

  /// Of those that say which elements of which size a thread touches.
  bool anyTypeMayDiffer(const SequencedLaunch &L, const KernelViews &Passes,
                        bool FixedArguments) const {
    return llvm::any_of(L.Call->arguments(),
                        [&](const Expr *Argument) {
                          return Argument->getType()->isPointerType() &&
                                 typesMayDiffer(*Argument, Host);
                        }) ||
           llvm::any_of(Passes, [&](const grid_barrier::StepKernel *Step) {
             return llvm::any_of(Step->Functions, [&](const auto *Function) {
               return typesMayDiffer(*Function, FixedArguments ||
                                                    Function != Step->Kernel);
             });
           });
  }

  bool isOneDimensional() const {
    const SequencedLaunch &First = S.Launches.front();
    const auto IsLine = [&](const Expr &Extents) {
      const Extents3 Known = fixedExtents(Extents, Host);
      return Known[1] == 1 && Known[2] == 1;
    };
    return IsLine(*First.Grid) && IsLine(*First.Block);
  }

  FusionPlan planAll() {
    FusionPlan Plan;
    Limits.clear();
    Plan.Boundaries.resize(S.Launches.size() - 1);
    for (size_t Later = 1; Later < S.Launches.size(); ++Later)
      for (size_t Earlier = Later; Earlier-- > 0;) {
        // What stands between already.
        Scope Found = Scope::None;
        for (size_t I = Earlier; I < Later; ++I)
          Found = std::max(Found, Plan.Boundaries[I].Between);
        Boundary Needed = between(Earlier, Later);
        if (Needed.Between > Found || Plan.Boundaries[Later - 1].Why.empty())
          Plan.Boundaries[Later - 1] = std::move(Needed);
      }
    // What others forbid anyway needs no limits.
    if (llvm::any_of(Plan.Boundaries, [](const Boundary &Each) {
          return Each.Between != Scope::Grid;
        }))
      Plan.Limits = std::move(Limits);
    return Plan;
  }

  std::string nameOf(size_t Launch) const {
    return S.Launches[Launch].Kernel->getNameAsString();
  }

  Boundary between(size_t First, size_t Second) {
    if (!S.SameGrid)
      return {Scope::Grid, "the grids may differ"};
    Boundary Result = meetings(First, Second);
    if (Result.Between == Scope::None && shareScratch(First, Second))
      Result = {Scope::Block, "both kernels use the same shared memory"};
    return Result;
  }

  /// The strictest need among all views of the kernels.
  Boundary meetings(size_t First, size_t Second) {
    std::optional<Boundary> Strictest;
    for (size_t View = 0; View < Touches[First].size(); ++View)
      meet(First, Second, Touches[First][View], Touches[Second][View],
           Strictest);
    return Strictest.value_or(Boundary{
        Scope::None, "the kernels have no buffer in common that one of them "
                     "writes"});
  }

  void meet(size_t First, size_t Second, const KernelTouches &A,
            const KernelTouches &B, std::optional<Boundary> &Result) {
    for (const auto &[Launch, Touched] :
         {std::pair(First, &A), std::pair(Second, &B)}) {
      if (Touched->Elsewhere.isValid())
        raise(Result, Scope::Grid,
              nameOf(Launch) + " reaches memory that no parameter shows");
      // They could tell that the other kernel is not done, or has begun.
      if (Touched->Signal.isValid())
        raise(Result, Scope::Grid,
              nameOf(Launch) + " has a fence, an atomic or a volatile access, "
                               "by which others outside of the grid may go");
    }
    for (const Touch &Early : A.Touches)
      for (const Touch &Late : B.Touches)
        if (Early.Writes || Late.Writes)
          meet(First, Second, Early, Late, Result);
  }

  void meet(size_t First, size_t Second, const Touch &Early, const Touch &Late,
            std::optional<Boundary> &Result) {
    const Expr &EarlyArg = argument(First, *Early.Pointer),
               &LateArg = argument(Second, *Late.Pointer);
    const Relation How = relationOf(EarlyArg, LateArg);
    const std::string Buffer = "'" + textOf(EarlyArg, Host) + "'";
    if (How == Relation::Distinct)
      return;
    if (How == Relation::Unknown)
      return raise(Result, Scope::Grid,
                   Buffer + " and '" + textOf(LateArg, Host) +
                       "' may be the same memory");
    const std::string Verbs = verb(Early) + " by " + nameOf(First) + " and " +
                              verb(Late) + " by " + nameOf(Second);
    const std::string IfLimited = Early.Who.Limit || Late.Who.Limit
                                      ? ", as long as no counter wraps"
                                      : "";
    switch (const Scope Needed = TrustsOwners
                                     ? between(First, Second, Early, Late)
                                     : Scope::Grid) {
    case Scope::None:
      return raise(Result, Needed,
                   "each element of " + Buffer +
                       " stays with its thread in both kernels" + IfLimited);
    case Scope::Block:
      return raise(Result, Needed,
                   "elements of " + Buffer + ", " + Verbs +
                       ", stay within their block" + IfLimited);
    case Scope::Neighbours:
    case Scope::Grid:
      return raise(Result, Needed,
                   "elements of " + Buffer + " are " + Verbs +
                       " in threads that may be of other blocks");
    }
  }

  Scope between(size_t First, size_t Second, const Touch &Early,
                const Touch &Late) {
    const Scope Needed = scopeBetween(Early, Late);
    return Needed == Scope::Grid ||
                   (addLimit(First, Early.Who) && addLimit(Second, Late.Who))
               ? Needed
               : Scope::Grid;
  }

  /// False where the host cannot ask for the limit of \p Who.
  bool addLimit(size_t Launch, const Owner &Who) {
    if (!Who.Limit)
      return true;
    const Expr &Limit = argument(Launch, *Who.Limit);
    if (!isAskable(Limit, Host))
      return false;
    host::addOnce(*Limit.IgnoreImpCasts(), Limits, Host);
    return true;
  }

  static std::string verb(const Touch &T) {
    return T.Writes ? "written" : "read";
  }

  /// Keeps the first reason for the strictest separation.
  static void raise(std::optional<Boundary> &Result, Scope Needed,
                    std::string Why) {
    if (!Result || Needed > Result->Between)
      Result = Boundary{Needed, std::move(Why)};
  }

  /// One object may be converted to several bases, which lie apart.
  bool isSameBase(const Expr &A, const Expr &B) const {
    return Host.hasSameUnqualifiedType(A.getType()->getPointeeType(),
                                       B.getType()->getPointeeType()) ||
           (!isConvertedToBase(A) && !isConvertedToBase(B));
  }

  /// Of arguments between whose evaluations nothing changes them.
  Relation relationOf(const Expr &A, const Expr &B) const {
    if (host::sameExpression(A.IgnoreParenImpCasts(), B.IgnoreParenImpCasts(),
                             Host))
      return isSameBase(A, B) ? Relation::Same : Relation::Unknown;
    const VarDecl *VarA = variableOf(A), *VarB = variableOf(B);
    return VarA != VarB && VarA && VarB && Memory.isOwner(*VarA) &&
                   Memory.isOwner(*VarB)
               ? Relation::Distinct
               : Relation::Unknown;
  }

  const Expr &argument(size_t Launch, const ParmVarDecl &Parameter) const {
    return *S.Launches[Launch].Call->getArg(Parameter.getFunctionScopeIndex());
  }

  /// A variable is the same whoever names it, and dynamic shared memory is the
  /// same for all.
  bool shareScratch(size_t First, size_t Second) const {
    return llvm::any_of(
        llvm::zip(Views[First], Views[Second]), [](const auto &Both) {
          const grid_barrier::StepKernel &A = *std::get<0>(Both),
                                         &B = *std::get<1>(Both);
          return (A.UsesDynamicSharedMemory && B.UsesDynamicSharedMemory) ||
                 llvm::any_of(A.Shared, [&](const VarDecl *Var) {
                   return llvm::is_contained(B.Shared, Var);
                 });
        });
  }

  const LaunchSequence &S;
  const std::vector<KernelViews> &Views;
  ASTContext &Host;
  const DeviceAllocations Memory;
  const bool IsFixed;
  bool TrustsOwners = true;         ///< Threads are known by their number in x.
  std::vector<const Expr *> Limits; ///< Of the plan in the making.
  bool HasFixedTypes = true;        ///< In all builds.
  /// By launch, then by view.
  std::vector<std::vector<KernelTouches>> Touches;
};

} // namespace

Scope FusionPlan::strongest() const {
  Scope Most = Scope::None;
  for (const Boundary &B : Boundaries)
    Most = std::max(Most, B.Between);
  return Most;
}

FusionPlan planFusion(const LaunchSequence &S,
                      const std::vector<KernelViews> &Views, ASTContext &Host,
                      bool IsFixed) {
  return Planner(S, Views, Host, IsFixed).plan();
}

} // namespace barricade::launch_fusion

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-fusion/FusionPlan.h"
#include "matchers/DeviceFunctions.h"
#include "matchers/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::launch_fusion {
namespace {

//===----------------------------------------------------------------------===//
// Pointers of the host
//===----------------------------------------------------------------------===//

/// Gives the variable whose address is its first argument memory of its own.
bool isAllocation(const CallExpr &Call, const SourceManager &SM) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && Callee->getDeclName().isIdentifier() &&
         SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation())) &&
         llvm::StringSwitch<bool>(Callee->getName())
             .Cases({"cudaMalloc", "cudaMallocAsync", "cudaMallocManaged"},
                    true)
             .Default(false);
}

/// Tells reads of variables and allocations for them from other uses.
class AllocationVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  explicit AllocationVisitor(const SourceManager &SM) : SM(SM) {
    ShouldVisitImplicitCode = true;
  }

  llvm::SmallPtrSet<const VarDecl *, 8> Allocated, OtherwiseUsed;

  void finish() {
    for (const DeclRefExpr *Ref : All)
      if (!Harmless.contains(Ref))
        OtherwiseUsed.insert(cast<VarDecl>(Ref->getDecl()));
  }

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (isa<VarDecl>(Ref->getDecl()))
      All.push_back(Ref);
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      if (const auto *Ref =
              dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens()))
        Harmless.insert(Ref);
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (!isAllocation(*Call, SM))
      return true;
    const auto *Address =
        dyn_cast<UnaryOperator>(Call->getArg(0)->IgnoreParenCasts());
    const auto *Ref =
        Address && Address->getOpcode() == UO_AddrOf
            ? dyn_cast<DeclRefExpr>(Address->getSubExpr()->IgnoreParens())
            : nullptr;
    if (!Ref || !isa<VarDecl>(Ref->getDecl()))
      return true;
    Harmless.insert(Ref);
    Allocated.insert(cast<VarDecl>(Ref->getDecl()));
    return true;
  }

private:
  const SourceManager &SM;
  std::vector<const DeclRefExpr *> All;
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Harmless;
};

/// The local pointer variable that \p E is the value of, or null.
const VarDecl *variableOf(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E.IgnoreParenImpCasts());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && !isa<ParmVarDecl>(Var) &&
                 Var->getType()->isPointerType()
             ? Var
             : nullptr;
}

bool isNullOrUnset(const VarDecl &Var, ASTContext &Context) {
  return !Var.getInit() || Var.getInit()->isNullPointerConstant(
                               Context, Expr::NPC_ValueDependentIsNotNull);
}

//===----------------------------------------------------------------------===//
// Two launches
//===----------------------------------------------------------------------===//

class Planner {
public:
  Planner(const LaunchSequence &S, const std::vector<KernelViews> &Views,
          ASTContext &Host)
      : S(S), Views(Views), Host(Host) {
    const Extents3 Block = constantExtents(*S.Launches.front().Block, Host);
    for (const KernelViews &Passes : Views) {
      Touches.emplace_back();
      for (const grid_barrier::StepKernel *Step : Passes)
        Touches.back().push_back(findTouches(*Step->Kernel, Block[0]));
    }
  }

  FusionPlan plan() {
    FusionPlan Plan;
    Plan.Boundaries.resize(S.Launches.size() - 1);
    for (size_t Later = 1; Later < S.Launches.size(); ++Later)
      for (size_t Earlier = Later; Earlier-- > 0;) {
        // What stands between already.
        Separation Found = Separation::None;
        for (size_t I = Earlier; I < Later; ++I)
          Found = std::max(Found, Plan.Boundaries[I].Between);
        Boundary Needed = between(Earlier, Later);
        if (Needed.Between > Found || Plan.Boundaries[Later - 1].Why.empty())
          Plan.Boundaries[Later - 1] = std::move(Needed);
      }
    return Plan;
  }

private:
  std::string nameOf(size_t Launch) const {
    return S.Launches[Launch].Kernel->getNameAsString();
  }

  Boundary between(size_t First, size_t Second) {
    if (!S.SameGrid)
      return {Separation::GridBarrier, "the grids may differ"};
    Boundary Result = meetings(First, Second);
    if (Result.Between == Separation::None && shareScratch(First, Second))
      Result = {Separation::BlockBarrier,
                "both kernels use the same shared memory"};
    return Result;
  }

  /// The strictest need among all views of the kernels.
  Boundary meetings(size_t First, size_t Second) {
    Boundary Result = {Separation::None,
                       "the kernels have no buffer in common that one of them "
                       "writes"};
    for (size_t View = 0; View < Touches[First].size(); ++View)
      meet(First, Second, Touches[First][View], Touches[Second][View], Result);
    return Result;
  }

  void meet(size_t First, size_t Second, const KernelTouches &A,
            const KernelTouches &B, Boundary &Result) {
    for (const auto &[Launch, Touched] :
         {std::pair(First, &A), std::pair(Second, &B)})
      if (Touched->Elsewhere.isValid())
        raise(Result, Separation::GridBarrier,
              nameOf(Launch) + " reaches memory that no parameter shows");
    for (const Touch &Early : A.Touches)
      for (const Touch &Late : B.Touches)
        if (Early.Writes || Late.Writes)
          meet(First, Second, Early, Late, Result);
  }

  void meet(size_t First, size_t Second, const Touch &Early, const Touch &Late,
            Boundary &Result) {
    const Expr &EarlyArg = argument(First, Early),
               &LateArg = argument(Second, Late);
    const Relation How = relationOf(EarlyArg, LateArg, *S.Function, Host);
    const std::string Buffer = "'" + textOf(EarlyArg, Host) + "'";
    if (How == Relation::Distinct)
      return;
    if (How == Relation::Unknown)
      return raise(Result, Separation::GridBarrier,
                   Buffer + " and '" + textOf(LateArg, Host) +
                       "' may be the same memory");
    const std::string Verbs = verb(Early) + " by " + nameOf(First) + " and " +
                              verb(Late) + " by " + nameOf(Second);
    switch (const Separation Needed = separationOf(Early, Late)) {
    case Separation::None:
      return raise(Result, Needed,
                   "each element of " + Buffer +
                       " stays with its thread in both kernels");
    case Separation::BlockBarrier:
      return raise(Result, Needed,
                   "elements of " + Buffer + ", " + Verbs +
                       ", stay within their block");
    case Separation::GridBarrier:
      return raise(Result, Needed,
                   "elements of " + Buffer + " are " + Verbs +
                       " in threads that may be of other blocks");
    }
  }

  static std::string verb(const Touch &T) {
    return T.Writes ? "written" : "read";
  }

  /// Keeps the first reason for the strictest separation; any shared buffer
  /// says more than none.
  static void raise(Boundary &Result, Separation Needed, std::string Why) {
    const bool SaysMore =
        Result.Between == Separation::None && Needed == Separation::None &&
        llvm::StringRef(Result.Why).starts_with("the kernels");
    if (Needed > Result.Between || SaysMore)
      Result = {Needed, std::move(Why)};
  }

  const Expr &argument(size_t Launch, const Touch &T) const {
    return *S.Launches[Launch].Call->getArg(T.Pointer->getFunctionScopeIndex());
  }

  /// The variables of a step are the same whoever calls it, and dynamic shared
  /// memory is the same for all.
  bool shareScratch(size_t First, size_t Second) const {
    const bool SameKernel = S.Launches[First].Kernel->getCanonicalDecl() ==
                            S.Launches[Second].Kernel->getCanonicalDecl();
    for (size_t View = 0; View < Views[First].size(); ++View) {
      const grid_barrier::StepKernel &A = *Views[First][View],
                                     &B = *Views[Second][View];
      if ((SameKernel && A.UsesSharedMemory) ||
          (A.UsesDynamicSharedMemory && B.UsesDynamicSharedMemory) ||
          (A.UsesSharedMemory && B.UsesSharedMemory && sharesCallee(A, B)))
        return true;
    }
    return false;
  }

  static bool sharesCallee(const grid_barrier::StepKernel &A,
                           const grid_barrier::StepKernel &B) {
    const auto OfA = collectKernelEffects(*A.Kernel, false).Functions,
               OfB = collectKernelEffects(*B.Kernel, false).Functions;
    return llvm::any_of(
        OfA, [&](const FunctionDecl *F) { return llvm::is_contained(OfB, F); });
  }

  const LaunchSequence &S;
  const std::vector<KernelViews> &Views;
  ASTContext &Host;
  /// By launch, then by view.
  std::vector<std::vector<KernelTouches>> Touches;
};

} // namespace

Separation FusionPlan::strongest() const {
  Separation Most = Separation::None;
  for (const Boundary &B : Boundaries)
    Most = std::max(Most, B.Between);
  return Most;
}

FusionPlan planFusion(const LaunchSequence &S,
                      const std::vector<KernelViews> &Views, ASTContext &Host) {
  return Planner(S, Views, Host).plan();
}

Relation relationOf(const Expr &A, const Expr &B, const FunctionDecl &Function,
                    ASTContext &Context) {
  if (sameExpression(A.IgnoreParenImpCasts(), B.IgnoreParenImpCasts(), Context))
    return Relation::Same;
  const VarDecl *VarA = variableOf(A), *VarB = variableOf(B);
  if (!VarA || !VarB || VarA == VarB)
    return Relation::Unknown;
  AllocationVisitor Visitor(Context.getSourceManager());
  Visitor.TraverseStmt(Function.getBody());
  Visitor.finish();
  const auto HasOwnMemory = [&](const VarDecl *Var) {
    return Visitor.Allocated.contains(Var) &&
           !Visitor.OtherwiseUsed.contains(Var) && isNullOrUnset(*Var, Context);
  };
  return HasOwnMemory(VarA) && HasOwnMemory(VarB) ? Relation::Distinct
                                                  : Relation::Unknown;
}

} // namespace barricade::launch_fusion

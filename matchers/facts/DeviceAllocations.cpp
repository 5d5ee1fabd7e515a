// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/DeviceAllocations.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/host/HostCalls.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/NamedElse.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

using facts::UseKind;
using facts::VariableUse;

namespace {

/// The operators `&` by which calls of the runtime get pointers to fill.
llvm::SmallPtrSet<const Stmt *, 8> filledByAllocations(const FunctionDecl &F) {
  llvm::SmallPtrSet<const Stmt *, 8> Result;
  (void)codeHolds(F, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    // Another build may get it from a pool.
    if (Call &&
        host::isAllocation(*Call, F.getASTContext().getSourceManager()) &&
        !spellingMayDiffer(*Call->getCallee(), F.getASTContext()))
      Result.insert(Call->getArg(0)->IgnoreParenCasts());
    return false;
  });
  return Result;
}

/// What \p U, which changes its variable, gives it; null where that is not
/// known.
const Expr *givenBy(const VariableUse &U, const SourceManager &SM) {
  // `p += n` leads where `p` led.
  if (U.Kind == UseKind::Step)
    return dyn_cast<Expr>(U.Name);
  if (const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
      Op && U.Kind == UseKind::Assign)
    return Op->getRHS();
  return host::swappedWith(U, SM);
}

/// What \p Call does is shown by code of the user's.
bool isSeen(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  return Definition &&
         !Definition->getASTContext().getSourceManager().isInSystemHeader(
             Definition->getLocation());
}

/// What it returns, or puts where it is told to, may come from anywhere.
bool isUnseen(const CallExpr &Call, const SourceManager &SM) {
  // What the runtime allocates, the names of its functions tell.
  return !isSeen(Call) &&
         host::classifyHostCall(Call, SM) == host::HostCallKind::Unknown;
}

/// The operators `&` that give addresses to functions which are not seen.
llvm::SmallPtrSet<const Stmt *, 8> givenToUnseen(const FunctionDecl &F) {
  const SourceManager &SM = F.getASTContext().getSourceManager();
  llvm::SmallPtrSet<const Stmt *, 8> Result;
  (void)codeHolds(F, [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (Call && isUnseen(*Call, SM))
      for (const Expr *Arg : Call->arguments())
        Result.insert(Arg->IgnoreParenCasts());
    return false;
  });
  return Result;
}

bool isLocalPointer(const VarDecl &Var) {
  return Var.hasLocalStorage() && !isa<ParmVarDecl>(Var) &&
         Var.getType()->isPointerType();
}

} // namespace

DeviceAllocations::DeviceAllocations(const FunctionDecl &Function)
    : Context(Function.getASTContext()) {
  const auto Filled = filledByAllocations(Function);
  const auto Unseen = givenToUnseen(Function);
  const auto IsNull = [&](const Expr *E) {
    return E->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull);
  };
  for (const auto &[Var, Uses] : facts::VariableFacts(Function)) {
    if (!isLocalPointer(*Var))
      continue;
    llvm::SmallVector<const Expr *, 2> Values;
    if (Var->getInit())
      Values.push_back(Var->getInit());
    bool IsAllocated = false, IsKnown = !mayBeChangedElse(*Var, Function);
    if (!IsKnown)
      FilledUnseen.insert(Var);
    for (const VariableUse &U : Uses) {
      const auto *BoundBy =
          U.Kind == UseKind::Bind ? dyn_cast_or_null<CallExpr>(U.By) : nullptr;
      if (Unseen.contains(U.By) ||
          (BoundBy && isUnseen(*BoundBy, Context.getSourceManager())))
        FilledUnseen.insert(Var);
      if (U.Kind == UseKind::Read && !U.In)
        continue;
      const bool Allocates =
          U.Kind == UseKind::Address && Filled.contains(U.By);
      const Expr *Value = givenBy(U, Context.getSourceManager());
      IsAllocated |= Allocates;
      IsKnown &= !U.In && !U.IsPart && (Allocates || Value);
      if (Value)
        Values.push_back(Value);
    }
    llvm::erase_if(Values, IsNull);
    this->Values[Var] = Values;
    if (IsAllocated)
      Allocated.insert(Var);
    if (IsKnown && (IsAllocated || !Values.empty()))
      Given[Var] = Values;
  }
  dropWhatIsGivenOthers();
}

/// What is left is closed: all that its variables are given are values of its
/// variables.
void DeviceAllocations::dropWhatIsGivenOthers() {
  const auto IsGivenOthers = [&](const auto &Each) {
    return !llvm::all_of(
        Each.second, [&](const Expr *What) { return reachesOnlyOwn(*What); });
  };
  for (auto Found = Given.begin();
       (Found = llvm::find_if(Given, IsGivenOthers)) != Given.end();)
    Given.erase(Found);
}

bool DeviceAllocations::isOwner(const VarDecl &Var) const {
  const auto Found = Given.find(&Var);
  return Found != Given.end() && Found->second.empty() &&
         Allocated.contains(&Var);
}

bool DeviceAllocations::reachesOnlyOwn(const Expr &Whole) const {
  const Expr &E = *Whole.IgnoreParenImpCasts();
  if (E.isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull))
    return true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var && Given.contains(Var);
  }
  // Of integers, too, but those name no variable of the map.
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(&E))
    return reachesOnlyOwn(*Cast->getSubExpr());
  if (const auto *Choice = dyn_cast<ConditionalOperator>(&E))
    return reachesOnlyOwn(*Choice->getTrueExpr()) &&
           reachesOnlyOwn(*Choice->getFalseExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(&E);
      Op && Op->isAdditiveOp() && Op->getType()->isPointerType())
    return reachesOnlyOwn(Op->getLHS()->getType()->isPointerType()
                              ? *Op->getLHS()
                              : *Op->getRHS());
  // `&p[i]` is `p + i`.
  if (const auto *Op = dyn_cast<UnaryOperator>(&E);
      Op && Op->getOpcode() == UO_AddrOf)
    if (const auto *Element =
            dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens()))
      return reachesOnlyOwn(*Element->getBase());
  return false;
}

bool DeviceAllocations::comesFromUnseen(const Expr &E) const {
  const SourceManager &SM = Context.getSourceManager();
  llvm::SmallVector<const Expr *, 8> Pending = {&E};
  llvm::SmallPtrSet<const VarDecl *, 8> Seen;
  while (!Pending.empty())
    if (holds(Pending.pop_back_val(), [&](const Stmt &S) {
          if (const auto *Call = dyn_cast<CallExpr>(&S))
            return isUnseen(*Call, SM);
          const VarDecl *Var = variableNamedBy(S);
          if (const auto Found = Var ? Values.find(Var) : Values.end();
              Found != Values.end() && Seen.insert(Var).second)
            llvm::append_range(Pending, Found->second);
          return Var && FilledUnseen.contains(Var);
        }))
      return true;
  return false;
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load that only guesses what an exchange of libcu++'s will find, which tells
// what was there if it was something else:
//
//   int old = place.load();
//   while (!place.compare_exchange_weak(old, old + 1))
//     ;
//
// The thread does not wait by it: nothing but the exchange repeats. But where
// the function itself is repeated until it tells another result, and what was
// loaded may end it before an exchange, its caller waits by the load.

#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/Names.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::waiting {
namespace {

/// `place.compare_exchange_weak(expected, desired)`
const CXXMemberCallExpr *renewingExchange(const Stmt &S) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
  return Call && Call->getMethodDecl() && Call->getNumArgs() > 1 &&
                 facts::nameOf(Call->getMethodDecl())
                     .starts_with("compare_exchange")
             ? Call
             : nullptr;
}

/// \p E without what leads to the same object: `&*place`, a reference.
const Expr &objectOf(const Expr &E, unsigned Depth = 0) {
  const Expr *Plain = E.IgnoreParenCasts();
  const auto *Op = dyn_cast<UnaryOperator>(Plain);
  if (Op && (Op->getOpcode() == UO_AddrOf || Op->getOpcode() == UO_Deref))
    return objectOf(*Op->getSubExpr(), Depth);
  const VarDecl *Var = variableNamedBy(*Plain);
  return Var && Var->getType()->isReferenceType() && Var->hasLocalStorage() &&
                 Var->getInit() && Depth < 8
             ? objectOf(*Var->getInit(), Depth + 1)
             : *Plain;
}

bool areSameObject(const Expr &A, const Expr &B, const ASTContext &Context) {
  llvm::FoldingSetNodeID OfA, OfB;
  objectOf(A).Profile(OfA, Context, /*Canonical=*/true);
  objectOf(B).Profile(OfB, Context, /*Canonical=*/true);
  return OfA == OfB;
}

/// A loop of \p Function that may run for as long as others want repeats \p
/// Call until it tells something else, or a goto may.
bool repeatsUntilTold(const CallExpr &Call, const FunctionDecl &Function,
                      const SourceManager &SM) {
  const auto IsCall = [&](const Stmt &S) { return &S == &Call; };
  return backwardGoto(Function, SM).isValid() ||
         codeHolds(Function, [&](const Stmt &S) {
           return isLoop(S) && holds(&S, IsCall) && !isBounded(S, Function) &&
                  llvm::any_of(
                      decidingCode(S, Function),
                      [&](const Stmt *Part) { return holds(Part, IsCall); });
         });
}

/// A caller repeats \p Function until it tells something else, as far as can be
/// seen.
bool isAskedAgain(const FunctionDecl &Function, const KernelEffects &Effects,
                  bool IsRepeated, const SourceManager &SM,
                  unsigned Depth = 0) {
  if (&Function == Effects.Kernel)
    return IsRepeated;
  const auto Calls = Effects.callsOf(Function);
  return Calls.empty() || Effects.Recursive || Depth > 8 ||
         llvm::any_of(Calls, [&](const KernelEffects::Site &S) {
           return repeatsUntilTold(*S.Call, *S.Caller, SM) ||
                  isAskedAgain(*S.Caller, Effects, IsRepeated, SM, Depth + 1);
         });
}

class FirstGuess {
public:
  FirstGuess(const VarDecl &Var, const FunctionDecl &Function)
      : Var(Var), Function(Function), Context(Function.getASTContext()),
        Load(atomicLook(*Var.getInit()->IgnoreParenImpCasts(), Function)) {}

  bool isOne() const {
    return Load && codeHolds(Function, [&](const Stmt &S) {
             const CXXMemberCallExpr *Exchange = renewingExchange(S);
             return Exchange && variableOf(*Exchange->getArg(0)) == &Var &&
                    areSameObject(*Load->Place,
                                  *Exchange->getImplicitObjectArgument(),
                                  Context);
           });
  }

  /// The thread comes back to the load.
  bool isRepeated() const {
    const SourceManager &SM = Context.getSourceManager();
    return codeHolds(Function, [&](const Stmt &S) {
      const auto *Goto = dyn_cast<GotoStmt>(&S);
      return (isLoop(S) && declares(&S, Var)) || isa<IndirectGotoStmt>(S) ||
             (Goto &&
              SM.isBeforeInTranslationUnit(Goto->getLabel()->getLocation(),
                                           Var.getLocation()) &&
              SM.isBeforeInTranslationUnit(Var.getLocation(),
                                           Goto->getBeginLoc()));
    });
  }

  /// Other than by an exchange, it says what the function does.
  bool decides() const {
    return codeHolds(Function, [&](const Stmt &S) {
      if (const auto *If = dyn_cast<IfStmt>(&S))
        return names(If->getCond());
      if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
        return names(Switch->getCond());
      return isLoop(S) && names(conditionOf(S));
    });
  }

private:
  bool names(const Stmt *S) const {
    return S && !renewingExchange(*S) &&
           (variableNamedBy(*S) == &Var ||
            llvm::any_of(S->children(),
                         [&](const Stmt *Child) { return names(Child); }));
  }

  const VarDecl &Var;
  const FunctionDecl &Function;
  const ASTContext &Context;
  const std::optional<AtomicLook> Load;
};

} // namespace

bool isFirstGuess(const VarDecl &Var, const FunctionDecl &Function,
                  const KernelEffects &Effects, bool IsRepeated) {
  const FirstGuess Guess(Var, Function);
  return Guess.isOne() && !Guess.isRepeated() &&
         !(Guess.decides() &&
           isAskedAgain(Function, Effects, IsRepeated,
                        Function.getASTContext().getSourceManager()));
}

} // namespace barricade::waiting

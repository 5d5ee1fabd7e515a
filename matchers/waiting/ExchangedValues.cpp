// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a compared exchange put another value in place of what it expects? One
// that puts the same there only looks, and who repeats it waits. Values are
// taken for what a program's author means by them: what was read from the place
// and what was made of it differ, numbers are themselves, and nothing is known
// of what callers give.

#include "matchers/facts/Constants.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::waiting {
namespace {

class ExchangedValues {
public:
  explicit ExchangedValues(const FunctionDecl &Function)
      : Function(Function), Context(Function.getASTContext()),
        Variables(Function) {}

  bool differ(const Expr &Old, const Expr &New, Expected How) const {
    Values Awaited, Put;
    collect(Old, Awaited);
    collect(New, Put);
    if (llvm::any_of(Awaited, [&](const Expr *A) {
          return llvm::any_of(Put, [&](const Expr *B) {
            return areSame(*A, *B, Old.getType());
          });
        }))
      return false;
    return How == Expected::Renewed || llvm::any_of(Awaited, isRead) ||
           isStepFrom(Old, New) || (isNumber(Old) && isOwn(Put)) ||
           (isNumber(New) && isOwn(Awaited));
  }

  using Values = llvm::SmallVector<const Expr *, 4>;

  Values valuesOf(const Expr &E) const {
    // Casts may make another number of it.
    Values All = {&E};
    collect(E, All);
    return All;
  }

private:
  /// \p E without casts and without what changes nothing: `v | 0`, `1 * v`, and
  /// bits that are looked at as another type and back again.
  const Expr *plain(const Expr &E) const {
    const Expr *Plain = E.IgnoreParenCasts();
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain)) {
      if (isNeutral(*Op->getRHS(), Op->getOpcode()))
        return plain(*Op->getLHS());
      const bool HasOrder = Op->getOpcode() == BO_Sub || Op->isShiftOp() ||
                            Op->getOpcode() == BO_Div;
      return !HasOrder && isNeutral(*Op->getLHS(), Op->getOpcode())
                 ? plain(*Op->getRHS())
                 : Plain;
    }
    const Expr *Bits = lookedAtAsOther(*Plain);
    const Expr *Back = Bits ? lookedAtAsOther(*plain(*Bits)) : nullptr;
    return Back ? plain(*Back) : Plain;
  }

  /// What has \p Opcode applied with \p E to it stays what it is.
  bool isNeutral(const Expr &E, BinaryOperatorKind Opcode) const {
    switch (Opcode) {
    case BO_Add:
    case BO_Sub:
    case BO_Or:
    case BO_Xor:
    case BO_Shl:
    case BO_Shr:
      return isEqual(E, 0);
    case BO_Mul:
    case BO_Div:
      return isEqual(E, 1);
    case BO_And:
      return isEqual(E, -1);
    default:
      return false;
    }
  }

  /// \p E is the number, of integers or, -0.0 included, of floats.
  bool isEqual(const Expr &E, int Number) const {
    if (const auto Value = facts::integerOf(E, Context))
      return Number == -1 ? Value->isAllOnes() : *Value == Number;
    const auto Float = facts::floatOf(E, Context);
    return Float &&
           (Number == 0 ? Float->isZero() : Float->isExactlyValue(Number));
  }

  /// Of `__float_as_int(f)` and the like, `f`.
  static const Expr *lookedAtAsOther(const Expr &E) {
    const auto *Call = dyn_cast<CallExpr>(&E);
    const llvm::StringRef Name = Call ? facts::calleeName(*Call) : "";
    return Name.starts_with("__") && Name.contains("_as_") &&
                   Call->getNumArgs() == 1
               ? Call->getArg(0)
               : nullptr;
  }

  /// \p E made plain; of a local variable, all that is ever put into it, of
  /// what assigns, all that may come out.
  void collect(const Expr &E, Values &Into) const {
    const Expr *Plain = plain(E);
    if (llvm::is_contained(Into, Plain))
      return;
    Into.push_back(Plain);
    if (!isCollected(*Plain))
      return;
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain)) {
      if (Op->getOpcode() == BO_Assign)
        collect(*Op->getLHS(), Into);
      collect(*Op->getRHS(), Into);
    } else {
      collectFrom(*variableNamedBy(*Plain), Into);
    }
  }

  /// What it may be is told by what it is made from.
  static bool isCollected(const Expr &E) {
    const auto *Op = dyn_cast<BinaryOperator>(&E);
    const VarDecl *Var = variableNamedBy(E);
    return (Op && (Op->getOpcode() == BO_Assign || Op->isCommaOp())) ||
           (Var && Var->hasLocalStorage());
  }

  void collectFrom(const VarDecl &Var, Values &Into) const {
    if (Var.getInit())
      collect(*Var.getInit(), Into);
    for (const facts::VariableUse &Use : Variables.of(Var))
      if (const auto *Op = dyn_cast_or_null<BinaryOperator>(Use.By);
          Op && Use.Kind == facts::UseKind::Assign && !Use.IsPart)
        collect(*Op->getRHS(), Into);
  }

  bool isNumber(const Expr &E) const {
    return facts::integerOf(E, Context).has_value();
  }

  /// Once they are of \p Type, which may hold less than they do.
  bool areSame(const Expr &A, const Expr &B, QualType Type) const {
    const auto X = facts::integerOf(A, Context),
               Y = facts::integerOf(B, Context);
    if (!X || !Y)
      return profileOf(A) == profileOf(B);
    const unsigned Width =
        Type->isIntegerType() ? Context.getIntWidth(Type) : 64;
    return X->extOrTrunc(Width) == Y->extOrTrunc(Width);
  }

  llvm::FoldingSetNodeID profileOf(const Expr &E) const {
    llvm::FoldingSetNodeID Profile;
    E.Profile(Profile, Context, /*Canonical=*/true);
    return Profile;
  }

  /// From memory, or what another exchange has found there.
  static bool isRead(const Expr *E) {
    return holds(E, [](const Stmt &S) {
      const auto *Op = dyn_cast<UnaryOperator>(&S);
      const auto *Call = dyn_cast<CallExpr>(&S);
      return isa<ArraySubscriptExpr>(S) ||
             (Op && Op->getOpcode() == UO_Deref) ||
             (Call && facts::calleeName(*Call).starts_with("atomic"));
    });
  }

  /// \p New is \p Old and a number more or less.
  bool isStepFrom(const Expr &Old, const Expr &New) const {
    const auto *Op = dyn_cast<BinaryOperator>(New.IgnoreParenCasts());
    if (!Op || !Op->isAdditiveOp())
      return false;
    const auto IsStep = [&](const Expr &From, const Expr &By) {
      const auto Number = facts::integerOf(By, Context);
      return Number && !Number->isZero() &&
             profileOf(*From.IgnoreParenCasts()) ==
                 profileOf(*Old.IgnoreParenCasts());
    };
    return IsStep(*Op->getLHS(), *Op->getRHS()) ||
           (Op->getOpcode() == BO_Add && IsStep(*Op->getRHS(), *Op->getLHS()));
  }

  /// Numbers, and what this function makes of more: none of it comes from a
  /// caller or from another function, and what is true or false may be any of
  /// two.
  bool isOwn(const Values &All) const {
    return llvm::all_of(All, [&](const Expr *Each) {
      const auto *Ref = dyn_cast<DeclRefExpr>(Each);
      const bool IsGiven = Ref && isa<ParmVarDecl>(Ref->getDecl());
      return (isCollected(*Each) && !IsGiven) || isNumber(*Each) ||
             (hasSource(*Each) && !isFromElsewhere(*Each) &&
              !Each->isKnownToHaveBooleanValue());
    });
  }

  bool isFromElsewhere(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      const auto *Call = dyn_cast<CallExpr>(&S);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      return (Call && (!Callee || !facts::isLibraryCode(*Callee))) ||
             (Ref && isa<ParmVarDecl>(Ref->getDecl()) &&
              !Function.hasAttr<CUDAGlobalAttr>());
    });
  }

  /// A read, a call, a parameter or a variable that is no local one.
  static bool hasSource(const Expr &E) {
    return isRead(&E) || holds(&E, [](const Stmt &S) {
             const VarDecl *Var = variableNamedBy(S);
             return isa<CallExpr>(S) ||
                    (Var && (!Var->hasLocalStorage() || isa<ParmVarDecl>(Var)));
           });
  }

  const FunctionDecl &Function;
  const ASTContext &Context;
  const facts::VariableFacts Variables;
};

} // namespace

bool exchangeTakes(const Expr &Old, const Expr &New,
                   const FunctionDecl &Function, Expected How) {
  return ExchangedValues(Function).differ(Old, New, How);
}

llvm::SmallVector<const Expr *, 4> valuesOf(const Expr &E,
                                            const FunctionDecl &Function) {
  return ExchangedValues(Function).valuesOf(E);
}

} // namespace barricade::waiting

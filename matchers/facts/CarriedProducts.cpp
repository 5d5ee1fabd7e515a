// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/CarriedProducts.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/MemoryRoot.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace barricade::facts {
namespace {

bool isFloating(const Expr &E) {
  return E.getType()->hasFloatingRepresentation();
}

/// What \p E is but for parentheses, conversions and signs, with which
/// compilers contract products all the same.
const Expr &withoutSign(const Expr &E) {
  const Expr *Plain = E.IgnoreParenCasts();
  if (const auto *Op = dyn_cast<UnaryOperator>(Plain);
      Op && (Op->getOpcode() == UO_Minus || Op->getOpcode() == UO_Plus))
    return withoutSign(*Op->getSubExpr());
  return *Plain;
}

class LoopReading {
public:
  LoopReading(const Stmt &Loop, const FunctionDecl &Function)
      : Loop(Loop), Context(Function.getASTContext()), Roots(Function),
        Facts(&Loop) {}

  SourceLocation find() {
    SourceLocation Found;
    (void)holds(&Loop, [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      if (!Op || !Op->isAssignmentOp() || !isFloating(*Op->getLHS()) ||
          !leavesProduct(*Op))
        return false;
      const VarDecl *Var = variableOf(*Op->getLHS());
      if (Var && Var->hasLocalStorage() ? isCarried(*Var)
                                        : mayMeetAgain(*Op->getLHS()))
        Found = Op->getOperatorLoc();
      return Found.isValid();
    });
    return Found;
  }

private:
  bool leavesProduct(const BinaryOperator &Assignment) {
    Asked.clear();
    return makesProduct(Assignment);
  }

  bool makesProduct(const BinaryOperator &Assignment) {
    return Assignment.getOpcode() == BO_MulAssign ||
           (Assignment.getOpcode() == BO_Assign &&
            mayBeProduct(*Assignment.getRHS()));
  }

  bool mayBeProduct(const Expr &E) {
    const Expr &Plain = withoutSign(E);
    if (const auto *Op = dyn_cast<BinaryOperator>(&Plain))
      return Op->getOpcode() == BO_Mul ||
             (Op->isCommaOp() && mayBeProduct(*Op->getRHS())) ||
             (Op->isAssignmentOp() && makesProduct(*Op));
    if (const auto *Choice = dyn_cast<ConditionalOperator>(&Plain))
      return mayBeProduct(*Choice->getTrueExpr()) ||
             mayBeProduct(*Choice->getFalseExpr());
    if (const auto *Call = dyn_cast<CallExpr>(&Plain))
      return mayReturnProduct(*Call);
    const VarDecl *Var = variableNamedBy(Plain);
    return Var && Var->hasLocalStorage() && mayHoldProduct(*Var);
  }

  static bool mayReturnProduct(const CallExpr &Call) {
    static constexpr llvm::StringLiteral Sums[] = {
        "fabsf",     "fabs",  "abs",  "fminf", "fmaxf",  "fmin",  "fmax",
        "fmaf",      "fma",   "min",  "max",   "sqrtf",  "sqrt",  "__ldg",
        "__fadd_rn", "floor", "ceil", "rint",  "floorf", "ceilf", "rintf"};
    const FunctionDecl *Callee = Call.getDirectCallee();
    return !(Callee && isLibraryCode(*Callee) &&
             (llvm::is_contained(Sums, nameOf(Callee)) ||
              nameOf(Callee).starts_with("__shfl")));
  }

  /// Some statement of the loop gives it one.
  bool mayHoldProduct(const VarDecl &Var) {
    if (!Asked.insert(&Var).second)
      return false;
    const bool IsSet = holds(&Loop, [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      return Op && Op->isAssignmentOp() && variableOf(*Op->getLHS()) == &Var &&
             makesProduct(*Op);
    });
    const bool Begins =
        declares(&Loop, Var) && Var.getInit() && mayBeProduct(*Var.getInit());
    return IsSet || Begins || !Facts.changesByNameOnly(Var);
  }

  /// What the variable, which the loop does not declare, holds may be added to
  /// before it is set anew.
  bool isCarried(const VarDecl &Var) const {
    return !declares(&Loop, Var) && holds(&Loop, [&](const Stmt &S) {
      return variableNamedBy(S) == &Var && mayBeAddend(S) &&
             !isSetBefore(
                 S, [&](const Expr &To) { return variableOf(To) == &Var; });
    });
  }

  /// The value of \p Name is part of a sum, or goes where it may become one:
  /// not if it is a factor, is compared, is set or goes to memory.
  bool mayBeAddend(const Stmt &Name) const {
    const Stmt *Around = parentOf(Name, Context);
    while (Around && isa<ParenExpr, CastExpr>(Around))
      Around = parentOf(*Around, Context);
    const auto *Op = dyn_cast_or_null<BinaryOperator>(Around);
    if (!Op)
      return true;
    if (Op->getOpcode() == BO_Assign)
      return !contains(Op->getLHS(), &Name) && variableOf(*Op->getLHS());
    return Op->isAdditiveOp() || Op->getOpcode() == BO_AddAssign ||
           Op->getOpcode() == BO_SubAssign || Op->isCommaOp();
  }

  /// In each iteration an assignment to what passes \p IsIt comes before \p
  /// Use: it is a statement of a block that has that in a later one.
  bool isSetBefore(const Stmt &Use,
                   llvm::function_ref<bool(const Expr &)> IsIt) const {
    const auto Sets = [&](const Stmt *S) {
      const auto *Op = dyn_cast<BinaryOperator>(S);
      return Op && Op->getOpcode() == BO_Assign && IsIt(*Op->getLHS()) &&
             !contains(Op->getRHS(), &Use);
    };
    for (const Stmt *Part = &Use; Part != &Loop;) {
      const Stmt *Around = parentOf(*Part, Context);
      if (!Around)
        return false;
      const auto *Block = dyn_cast<CompoundStmt>(Around);
      if (Block && llvm::none_of(Block->body(), [](const Stmt *S) {
            return isa<SwitchCase, LabelStmt>(S);
          }))
        for (const Stmt *Before : Block->body()) {
          if (Before == Part)
            break;
          if (Sets(Before))
            return true;
        }
      Part = Around;
    }
    return false;
  }

  std::string baseText(const Expr &E) const {
    const auto *Element = dyn_cast<ArraySubscriptExpr>(E.IgnoreParens());
    return textOf(Element ? *Element->getBase() : E, Context);
  }

  /// A later iteration may read what is stored to \p Stored, at a place that
  /// the compiler sees to be the same: nothing in it changes, or it is another
  /// one of that array.
  bool mayMeetAgain(const Expr &Stored) const {
    const MemoryRoot To = Roots.of(Stored);
    const std::string Text = textOf(Stored, Context);
    const bool Stays = !holds(&Stored, [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      return Var && (declares(&Loop, *Var) || !Facts.isOnlyRead(*Var));
    });
    return holds(&Loop, [&](const Stmt &S) {
      const auto *Load = dyn_cast<ImplicitCastExpr>(&S);
      if (!Load || Load->getCastKind() != CK_LValueToRValue ||
          !isFloating(*Load) ||
          !isa<ArraySubscriptExpr, MemberExpr, UnaryOperator>(
              Load->getSubExpr()->IgnoreParens()))
        return false;
      const Expr &From = *Load->getSubExpr()->IgnoreParens();
      const MemoryRoot Root = Roots.of(From);
      return (Root && To ? Root == To : baseText(From) == baseText(Stored)) &&
             (textOf(From, Context) != Text ||
              (Stays && !isSetBefore(S, [&](const Expr &Own) {
                 return textOf(Own, Context) == Text;
               })));
    });
  }

  const Stmt &Loop;
  ASTContext &Context;
  const MemoryRoots Roots;
  const VariableFacts Facts;
  /// For one assignment: variables may be set from each other.
  llvm::SmallPtrSet<const VarDecl *, 4> Asked;
};

} // namespace

SourceLocation carriedProduct(const Stmt &Loop, const FunctionDecl &Function) {
  return LoopReading(Loop, Function).find();
}

} // namespace barricade::facts

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/EndingLoop.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/CountedLoop.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace barricade::facts {
namespace {

/// What a loop goes on by, until its condition fails.
llvm::SmallVector<const Stmt *, 3> repeatedParts(const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  return {conditionOf(Loop), For ? For->getInc() : nullptr, bodyOf(Loop)};
}

const VarDecl *conditionVariable(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getConditionVariable();
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  return While ? While->getConditionVariable() : nullptr;
}

/// `Counter Op Limit` holds as long as the loop goes on.
struct Test {
  const VarDecl *Counter = nullptr;
  BinaryOperatorKind Op = BO_NE;
  const Expr *Limit = nullptr; ///< Null: zero.
  bool IsSigned = true;        ///< Compared as numbers with a sign.
};

/// The variable that \p E is, or that `E++` and its likes change.
const VarDecl *countedVariable(const Expr &E) {
  const auto *Step = dyn_cast<UnaryOperator>(E.IgnoreParenImpCasts());
  return variableOf(Step && Step->isIncrementDecrementOp() ? *Step->getSubExpr()
                                                           : E);
}

std::optional<Test> readTest(const Expr &Condition, bool CounterIsLeft) {
  const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
  if (!Op) {
    const VarDecl *Var = CounterIsLeft ? countedVariable(Condition) : nullptr;
    return Var ? std::optional(Test{Var, BO_NE, nullptr}) : std::nullopt;
  }
  if (!Op->isComparisonOp())
    return std::nullopt;
  const Expr *Counter = CounterIsLeft ? Op->getLHS() : Op->getRHS();
  const Expr *Limit = CounterIsLeft ? Op->getRHS() : Op->getLHS();
  const VarDecl *Var = countedVariable(*Counter);
  if (!Var)
    return std::nullopt;
  return Test{Var,
              CounterIsLeft
                  ? Op->getOpcode()
                  : BinaryOperator::reverseComparisonOp(Op->getOpcode()),
              Limit, Op->getLHS()->getType()->isSignedIntegerType()};
}

/// By how much each iteration changes a variable: nothing but that does.
struct Step {
  bool Up = true;
  llvm::APSInt Size; ///< More than zero.
  /// The sum is of the variable's type. Otherwise it is made to fit.
  bool IsOfItsType = true;
  /// Divided by 2 or more, or shifted: each time nearer to zero. Then the size
  /// is none, and `KeepsSign` says whether it comes to zero from below as well.
  bool Shrinks = false, KeepsSign = true;
};

class Reader {
public:
  Reader(const Stmt &Loop, const ASTContext &Context,
         llvm::function_ref<bool(const VarDecl &)> IsShared)
      : Loop(Loop), Context(Context), IsShared(IsShared),
        Changes(repeatedParts(Loop)) {}

  /// \p Condition, which may be a part of the loop's that has to hold, fails
  /// at some time.
  bool fails(const Expr &Condition) const {
    const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
    if (Op && Op->getOpcode() == BO_LAnd)
      return fails(*Op->getLHS()) || fails(*Op->getRHS());
    return llvm::any_of(llvm::ArrayRef{true, false}, [&](bool CounterIsLeft) {
      const std::optional<Test> T = readTest(Condition, CounterIsLeft);
      return T && isOwn(*T->Counter) && ends(*T, Condition);
    });
  }

private:
  bool isOwn(const VarDecl &Var) const {
    return Var.hasLocalStorage() && !Var.getType()->isReferenceType() &&
           !Var.getType().isVolatileQualified() &&
           &Var != conditionVariable(Loop) && !IsShared(Var);
  }

  bool ends(const Test &T, const Expr &Condition) const {
    const std::optional<Step> By = stepOf(*T.Counter, Condition);
    // Below zero, a counter that is compared without its sign is a large one.
    if (By && T.Counter->getType()->isSignedIntegerType() && !T.IsSigned &&
        !By->Up)
      return false;
    if (By && By->Shrinks)
      return endsAtZero(T, *By);
    if (!By || !(T.Op == BO_NE || (By->Up ? T.Op == BO_LT || T.Op == BO_LE
                                          : T.Op == BO_GT || T.Op == BO_GE)))
      return false;
    // It may step over it.
    if (T.Op == BO_NE && By->Size != 1)
      return false;
    const QualType Type = T.Counter->getType();
    if (Type->isPointerType())
      return true;
    if (!Type->isIntegerType() || Type->isEnumeralType() ||
        Type->isBooleanType())
      return false;
    return (Type->isSignedIntegerType() && By->IsOfItsType &&
            !Context.getLangOpts().isSignedOverflowDefined()) ||
           endsBeforeWrap(T, *By);
  }

  /// Zero fails \p T, and what comes near it from the other side never passes.
  bool endsAtZero(const Test &T, const Step &By) const {
    const QualType Type = T.Counter->getType();
    if (!Type->isIntegerType() || Type->isEnumeralType())
      return false;
    const std::optional<llvm::APSInt> Limit =
        T.Limit ? integerOf(*T.Limit, Context) : llvm::APSInt(32);
    if (!Limit)
      return false;
    switch (T.Op) {
    case BO_GT:
      return *Limit >= 0;
    case BO_GE:
      return *Limit > 0;
    case BO_NE:
      return *Limit == 0 && (By.KeepsSign || Type->isUnsignedIntegerType());
    default:
      return false;
    }
  }

  /// Its values are computed in a wider type, and then made to fit.
  bool isNarrow(QualType Type) const {
    return Context.getIntWidth(Type) < Context.getIntWidth(Context.IntTy);
  }

  /// A step from one end of the type leads to the other: the counter meets a
  /// value for which \p T fails nevertheless.
  bool endsBeforeWrap(const Test &T, const Step &By) const {
    if (!T.Limit)
      return true;
    const QualType Type = T.Counter->getType();
    const Expr &Limit = *T.Limit->IgnoreParenImpCasts();
    if (!Limit.getType()->isIntegerType())
      return false;
    if (const auto Known = integerOf(Limit, Context))
      return failsInReach(T.Op, By, Type, *Known);
    // No value of the counter's may be beyond the limit.
    if (By.Size != 1 || T.Op == BO_LE || T.Op == BO_GE ||
        Context.getIntWidth(Limit.getType()) > Context.getIntWidth(Type) ||
        (isNarrow(Type) &&
         Type->isSignedIntegerType() != Limit.getType()->isSignedIntegerType()))
      return false;
    // A limit that moves the counter may never meet.
    return T.Op != BO_NE || isFixed(Limit);
  }

  /// Between \p Limit and the end of the type lies a whole step.
  bool failsInReach(BinaryOperatorKind Op, const Step &By, QualType Type,
                    const llvm::APSInt &Limit) const {
    const auto Number = [](const llvm::APSInt &Value) {
      return llvm::APSInt(Value.extend(512), /*isUnsigned=*/false);
    };
    const unsigned Width = Context.getIntWidth(Type);
    const bool IsUnsigned = Type->isUnsignedIntegerType();
    const llvm::APSInt Least =
        Number(llvm::APSInt::getMinValue(Width, IsUnsigned));
    const llvm::APSInt Most =
        Number(llvm::APSInt::getMaxValue(Width, IsUnsigned));
    const llvm::APSInt At = Number(Limit), Size = Number(By.Size);
    if (At < Least || At > Most)
      return false;
    if (Op == BO_NE)
      return true;
    const bool IsStrict = Op == BO_LT || Op == BO_GT;
    const llvm::APSInt Beyond =
        IsStrict ? Size - Number(llvm::APSInt::get(1)) : Size;
    return By.Up ? At + Beyond <= Most : At - Beyond >= Least;
  }

  bool isFixed(const Expr &Limit) const {
    const VarDecl *Var = variableOf(Limit);
    return Var && Changes.isOnlyRead(*Var) &&
           (Var->getType().isConstQualified() || isOwn(*Var));
  }

  /// Null where other things change \p Var, or not every iteration does.
  std::optional<Step> stepOf(const VarDecl &Var, const Expr &Condition) const {
    const VariableUse *Only = nullptr;
    for (const VariableUse &U : Changes.of(Var)) {
      if (!Changes.mayChange(U))
        continue;
      if (Only)
        return std::nullopt;
      Only = &U;
    }
    if (!Only || Only->Kind != UseKind::Step || Only->IsPart || Only->In ||
        !isAlwaysDone(*Only->By, Condition))
      return std::nullopt;
    return readStep(*Only->By);
  }

  std::optional<Step> readStep(const Stmt &S) const {
    if (const auto *Unary = dyn_cast<UnaryOperator>(&S))
      return Step{Unary->isIncrementOp(), llvm::APSInt::get(1),
                  !isNarrow(Unary->getType())};
    const auto *Sum = dyn_cast<CompoundAssignOperator>(&S);
    if (!Sum)
      return std::nullopt;
    const Expr &Size = *Sum->getRHS()->IgnoreParenImpCasts();
    const auto Known = integerOf(Size, Context);
    if (!Known || *Known <= 0)
      return std::nullopt;
    if (Sum->getOpcode() == BO_ShrAssign ||
        (Sum->getOpcode() == BO_DivAssign && *Known > 1)) {
      return Step{.Up = false,
                  .Size = llvm::APSInt(),
                  .Shrinks = true,
                  .KeepsSign =
                      Sum->getOpcode() == BO_DivAssign &&
                      Sum->getComputationResultType()->isSignedIntegerType()};
    }
    if (Sum->getOpcode() != BO_AddAssign && Sum->getOpcode() != BO_SubAssign)
      return std::nullopt;
    return Step{Sum->getOpcode() == BO_AddAssign, *Known,
                Context.hasSameUnqualifiedType(Sum->getComputationResultType(),
                                               Sum->getType())};
  }

  bool isAlwaysDone(const Stmt &Change, const Expr &Condition) const {
    const auto Does = [&](const Stmt *S) {
      return alwaysEvaluates(
          S, [&](const Stmt &Part) { return &Part == &Change; });
    };
    const auto *For = dyn_cast<ForStmt>(&Loop);
    if (Does(&Condition) || (For && Does(For->getInc())))
      return true;
    const Stmt *Body = bodyOf(Loop);
    if (holds(Body,
              [](const Stmt &S) { return isa<GotoStmt, IndirectGotoStmt>(S); }))
      return false;
    const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
    const auto DoesExpression = [&](const Stmt *S) {
      return isa_and_nonnull<Expr>(S) && Does(S);
    };
    if (!Block)
      return DoesExpression(Body);
    for (const Stmt *S : Block->body()) {
      if (DoesExpression(S))
        return true;
      if (holds(S, [](const Stmt &Part) { return isa<ContinueStmt>(Part); }))
        return false;
    }
    return false;
  }

  const Stmt &Loop;
  const ASTContext &Context;
  llvm::function_ref<bool(const VarDecl &)> IsShared;
  const VariableFacts Changes;
};

} // namespace

bool isSeenToEnd(const Stmt &Loop, const ASTContext &Context,
                 llvm::function_ref<bool(const VarDecl &)> IsShared) {
  if (!isa<ForStmt, WhileStmt, DoStmt>(Loop))
    return false;
  const Expr *Condition = conditionOf(Loop);
  return Condition && Reader(Loop, Context, IsShared).fails(*Condition);
}

bool isAssumedToEnd(const Stmt &Loop, const ASTContext &Context) {
  const Expr *Condition =
      isa<ForStmt, WhileStmt, DoStmt>(Loop) ? conditionOf(Loop) : nullptr;
  if (!Condition || Condition->isInstantiationDependent() ||
      constantCondition(Condition, Context) == true)
    return false;
  return !holds(&Loop, [](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    return Call && !isa<CUDAKernelCallExpr>(Call) &&
           !isLaunchConfiguration(*Call);
  });
}

} // namespace barricade::facts

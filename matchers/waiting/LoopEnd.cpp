// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Purity.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::waiting {

using facts::UseKind;
using facts::VariableFacts;
using facts::VariableUse;

/// The local variable that \p E, which may be null, is; no reference.
static const VarDecl *localVariable(const Expr *E) {
  const VarDecl *Var = E ? variableOf(*E) : nullptr;
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType()
             ? Var
             : nullptr;
}

/// The same, of \p Whole, the uses in its function.
static bool isPositive(const Expr &E, const VariableFacts &Whole,
                       const ASTContext &Context, unsigned Depth = 0) {
  char Member = 0;
  const Expr *Plain = E.IgnoreParenCasts();
  if (const auto Number = facts::integerOf(E, Context))
    return *Number >= 1;
  if (llvm::StringRef Name = builtinIndexVariable(*Plain, Member);
      !Name.empty())
    return Name != "threadIdx" && Name != "blockIdx";
  if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
    return (Op->getOpcode() == BO_Mul || Op->getOpcode() == BO_Add) &&
           isPositive(*Op->getLHS(), Whole, Context, Depth) &&
           isPositive(*Op->getRHS(), Whole, Context, Depth);
  const VarDecl *Var = localVariable(Plain);
  return Var && Depth < 8 && Var->getInit() && !isa<ParmVarDecl>(Var) &&
         Whole.isOnlyRead(*Var) &&
         isPositive(*Var->getInit(), Whole, Context, Depth + 1);
}

bool isPositive(const Expr &E, const FunctionDecl &Function) {
  return isPositive(E, VariableFacts(Function), Function.getASTContext());
}

namespace {

/// Nothing but numbers and local variables that \p Fixed accepts.
bool isPlainArithmetic(const Expr &E,
                       llvm::function_ref<bool(const VarDecl &)> Fixed) {
  const auto Known = [&](const Expr &Part) -> std::optional<bool> {
    char Member = 0;
    if (!builtinIndexVariable(Part, Member).empty())
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    if (!Ref)
      return std::nullopt;
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return isa<EnumConstantDecl>(Ref->getDecl());
    return !Var->getType()->isReferenceType() &&
           !Var->getType().isVolatileQualified() &&
           (Var->hasLocalStorage() ? Fixed(*Var) : Var->isConstexpr());
  };
  return facts::isPure(E, {facts::PureReach::Arithmetic, Known});
}

/// \p Step is the increment of a for loop, or part of it by commas, or a
/// statement of the body that nothing can skip.
bool isInEveryIteration(const Expr &Step, const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop)) {
    const Expr *Part = For->getInc();
    while (const auto *Comma = dyn_cast_or_null<BinaryOperator>(Part)) {
      if (!Comma->isCommaOp())
        break;
      if (Comma->getRHS()->IgnoreParens() == &Step)
        return true;
      Part = Comma->getLHS();
    }
    if (Part && Part->IgnoreParens() == &Step)
      return true;
  }
  const Stmt *Body = bodyOf(Loop);
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
  return Block && llvm::is_contained(Block->body(), &Step) &&
         !holds(Block, [](const Stmt &S) {
           return isa<ContinueStmt, GotoStmt, IndirectGotoStmt>(S);
         });
}

/// What a loop does to the local variables of its function.
class LoopVariables {
public:
  LoopVariables(const Stmt &Loop, const FunctionDecl &Function)
      : Loop(Loop), Context(Function.getASTContext()), Whole(Function),
        Repeated(repeatedParts(Loop)) {}

  /// The variable has one value as long as the loop runs.
  bool isFixed(const VarDecl &Var) const {
    return isFollowed(Var) && Repeated.isOnlyRead(Var);
  }

  /// The condition ends the loop, whatever memory holds, and nothing else in it
  /// does: it compares counters that every iteration moves towards a bound.
  bool isCounted(const Expr &Condition) const {
    const Expr *Plain = Condition.IgnoreParenImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    if (Op && Op->getOpcode() == BO_LAnd)
      return isCounted(*Op->getLHS()) && isCounted(*Op->getRHS());
    if (Op && Op->getOpcode() == BO_NE)
      return isHit(*Op->getLHS(), *Op->getRHS()) ||
             isHit(*Op->getRHS(), *Op->getLHS()) ||
             (isNumber(*Op->getRHS(), 0) && comesToZero(*Op->getLHS()));
    if (Op && Op->isRelationalOp())
      return isPassed(*Op->getLHS(), *Op->getRHS(), Op->getOpcode()) ||
             isPassed(*Op->getRHS(), *Op->getLHS(),
                      BinaryOperator::reverseComparisonOp(Op->getOpcode()));
    // `while (n)`
    const VarDecl *Var = localVariable(Plain);
    return comesToZero(*Plain) ||
           (Var && Var->getType()->isIntegerType() && isWide(*Var) &&
            !movesOf(*Var).empty() && movesByOne(*Var));
  }

  /// A counter that every iteration moves towards a bound ends the loop at
  /// last, whatever memory holds; something else may end it before.
  bool isBounded(const Expr &Condition) const {
    const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
    return isCounted(Condition) ||
           (Op && Op->getOpcode() == BO_LAnd &&
            (isBounded(*Op->getLHS()) || isBounded(*Op->getRHS())));
  }

  /// One place of the function changes \p Var, by its name; nullptr: none or
  /// several.
  const Stmt *onlyChange(const VarDecl &Var) const {
    const Stmt *Only = nullptr;
    if (!isFollowed(Var))
      return nullptr;
    for (const VariableUse &U : Whole.of(Var))
      if (Whole.mayChange(U)) {
        if (Only)
          return nullptr;
        Only = U.By;
      }
    return Only;
  }

  /// All changes of the variable stand in the function by its name, and it
  /// lives longer than an iteration.
  bool isFollowed(const VarDecl &Var) const {
    return Var.hasLocalStorage() && !Var.getType()->isReferenceType() &&
           !Var.getType().isVolatileQualified() &&
           Whole.changesByNameOnly(Var) && !isDeclaredAnew(Var);
  }

private:
  bool isDeclaredAnew(const VarDecl &Var) const {
    return llvm::any_of(repeatedParts(Loop),
                        [&](const Stmt *Part) { return declares(Part, Var); });
  }

  /// The steps by which the loop changes \p Var, if every iteration takes each
  /// of them; empty where it changes in another way, or not at all.
  llvm::SmallVector<const Expr *, 2> movesOf(const VarDecl &Var) const {
    llvm::SmallVector<const Expr *, 2> Moves;
    if (!isFollowed(Var))
      return {};
    for (const VariableUse &U : Repeated.of(Var)) {
      if (!Repeated.mayChange(U))
        continue;
      const auto *Step = dyn_cast<Expr>(U.By);
      if (U.Kind != UseKind::Step || U.IsPart || !Step ||
          !isInEveryIteration(*Step, Loop))
        return {};
      Moves.push_back(Step);
    }
    return Moves;
  }

  /// Up, or down, by one: `++i` or `i += 1`.
  bool movesByOne(const VarDecl &Var, std::optional<bool> Up = {}) const {
    const auto Moves = movesOf(Var);
    if (Moves.size() != 1)
      return false;
    if (const auto *Op = dyn_cast<UnaryOperator>(Moves.front()))
      return !Up || Op->isIncrementOp() == *Up;
    const auto *Op = cast<BinaryOperator>(Moves.front());
    const auto By = facts::integerOf(*Op->getRHS(), Context);
    return (Op->getOpcode() == BO_AddAssign ||
            Op->getOpcode() == BO_SubAssign) &&
           (!Up || (Op->getOpcode() == BO_AddAssign) == *Up) && By && *By == 1;
  }

  /// Every iteration moves \p Var up, or down, and never stands still.
  bool moves(const VarDecl &Var, bool Up) const {
    const auto Moves = movesOf(Var);
    return !Moves.empty() && llvm::all_of(Moves, [&](const Expr *Step) {
      if (const auto *Op = dyn_cast<UnaryOperator>(Step))
        return Op->isIncrementOp() == Up;
      const auto *Op = cast<BinaryOperator>(Step);
      switch (Op->getOpcode()) {
      case BO_AddAssign:
        return Up && isPositive(*Op->getRHS());
      case BO_SubAssign:
        return !Up && isPositive(*Op->getRHS());
      case BO_ShrAssign:
        return !Up && isAtLeast(*Op->getRHS(), 1);
      case BO_DivAssign:
        return !Up && isAtLeast(*Op->getRHS(), 2);
      case BO_ShlAssign:
        return Up && isAtLeast(*Op->getRHS(), 1) && startsPositive(Var);
      case BO_MulAssign:
        return Up && isAtLeast(*Op->getRHS(), 2) && startsPositive(Var);
      default:
        return false;
      }
    });
  }

  /// It halves, and so comes to 0 and stays there.
  bool shrinks(const VarDecl &Var) const {
    return llvm::any_of(movesOf(Var), [](const Expr *Step) {
      const auto *Op = dyn_cast<BinaryOperator>(Step);
      return Op && (Op->getOpcode() == BO_ShrAssign ||
                    Op->getOpcode() == BO_DivAssign);
    });
  }

  /// Every iteration divides the variable that \p E is, so that it comes to 0,
  /// from either side.
  bool comesToZero(const Expr &E) const {
    const VarDecl *Var = localVariable(&E);
    if (!Var || !Var->getType()->isIntegerType() || !isFollowed(*Var) ||
        Repeated.isOnlyRead(*Var))
      return false;
    return llvm::all_of(Repeated.of(*Var), [&](const VariableUse &U) {
      return !Repeated.mayChange(U) || divides(U, *Var);
    });
  }

  /// `n /= 2`, `n = n / 2`, and shifts of what has no sign: -1 shifted stays.
  bool divides(const VariableUse &U, const VarDecl &Var) const {
    const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
    if (!Op || U.IsPart || !isInEveryIteration(*Op, Loop))
      return false;
    const bool IsSigned = Var.getType()->isSignedIntegerType();
    if (Op->getOpcode() == BO_Assign) {
      const auto *Value =
          dyn_cast<BinaryOperator>(Op->getRHS()->IgnoreParenImpCasts());
      if (!Value || localVariable(Value->getLHS()) != &Var)
        return false;
      Op = Value;
    }
    const auto *Compound = dyn_cast<CompoundAssignOperator>(Op);
    const QualType Type =
        Compound ? Compound->getComputationResultType() : Op->getType();
    // A negative number is a large one where it is divided without its sign.
    if (!Type->isIntegerType() || (IsSigned && !Type->isSignedIntegerType()))
      return false;
    switch (Op->getOpcode()) {
    case BO_Div:
    case BO_DivAssign:
      return isAtLeast(*Op->getRHS(), 2);
    case BO_Shr:
    case BO_ShrAssign:
      return !IsSigned && isAtLeast(*Op->getRHS(), 1);
    default:
      return false;
    }
  }

  bool startsPositive(const VarDecl &Var) const {
    return Var.getInit() && isPositive(*Var.getInit()) &&
           llvm::all_of(Whole.of(Var), [&](const VariableUse &U) {
             return !Whole.mayChange(U) || U.Kind == UseKind::Step;
           });
  }

  bool isAtLeast(const Expr &E, int64_t Least) const {
    const auto Value = facts::integerOf(E, Context);
    return Value && *Value >= Least;
  }

  bool isNumber(const Expr &E, int64_t Wanted) const {
    const auto Value = facts::integerOf(E, Context);
    return Value && *Value == Wanted;
  }

  bool isPositive(const Expr &E) const {
    return waiting::isPositive(E, Whole, Context);
  }

  /// Smaller ones wrap around before they come to what they are compared with.
  /// In a template not every type is known.
  bool isWide(const VarDecl &Var) const {
    return !Var.getType()->isDependentType() &&
           Context.getIntWidth(Var.getType()) >= 32;
  }

  bool isFixedNumber(const Expr &E) const {
    return isPlainArithmetic(E,
                             [&](const VarDecl &Var) { return isFixed(Var); });
  }

  /// `Counter != End`: it is hit, for no value is left out.
  bool isHit(const Expr &Counter, const Expr &End) const {
    const VarDecl *Var = localVariable(&Counter);
    return Var && isWide(*Var) &&
           Context.getIntWidth(Counter.getType()) ==
               Context.getIntWidth(Var->getType()) &&
           isFixedNumber(End) && movesByOne(*Var);
  }

  /// The counter of `i`, `i + k`, `k + i` or `i - k`.
  const VarDecl *counterIn(const Expr &E) const {
    const Expr *Plain = E.IgnoreParenImpCasts();
    const auto *Sum = dyn_cast<BinaryOperator>(Plain);
    if (!Sum)
      return localVariable(Plain);
    // In unsigned arithmetic the sum may come round before the counter does.
    if (!Sum->isAdditiveOp() || !Sum->getType()->isSignedIntegerType())
      return nullptr;
    if (isFixedNumber(*Sum->getRHS()))
      return counterIn(*Sum->getLHS());
    return Sum->getOpcode() == BO_Add && isFixedNumber(*Sum->getLHS())
               ? counterIn(*Sum->getRHS())
               : nullptr;
  }

  /// `Counter Opcode Bound` ends.
  bool isPassed(const Expr &Counter, const Expr &Bound,
                BinaryOperatorKind Opcode) const {
    const bool Up = Opcode == BO_LT || Opcode == BO_LE;
    const bool IsStrict = Opcode == BO_LT || Opcode == BO_GT;
    if (!Up && comesToZero(Counter) && isAtLeast(Bound, IsStrict ? 0 : 1))
      return true;
    const VarDecl *Var = counterIn(Counter);
    if (!Var || !moves(*Var, Up))
      return false;
    if (Var->getType()->isPointerType())
      return IsStrict && isFixedNumber(Bound);
    if (!Var->getType()->isIntegerType() || !isWide(*Var))
      return false;
    if (shrinks(*Var))
      return isAtLeast(Bound, IsStrict ? 0 : 1);
    const bool IsSigned = Var->getType()->isSignedIntegerType();
    const bool IsSameWidth = Context.getIntWidth(Counter.getType()) ==
                             Context.getIntWidth(Var->getType());
    // Signed counters do not wrap around, unsigned ones do at the end of their
    // type: `i >= 0` goes on for ever.
    if (!IsSigned && (!IsSameWidth || !(IsStrict || isInnerBound(Bound, Up))))
      return false;
    if (isFixedNumber(Bound))
      return true;
    // Wherever others take the bound meanwhile, the counter comes to the end of
    // its type (in practice not that of one of 64 bits). What the loop itself
    // moves may run ahead of the counter for ever.
    return IsSameWidth && !isMoved(Bound) &&
           Context.getIntWidth(Var->getType()) == 32 &&
           (IsSigned ? stepsAreNumbers(*Var)
                     : IsStrict && movesByOne(*Var, Up));
  }

  /// The loop moves a variable of its function that \p E names, or one that a
  /// reference in it stands for.
  bool isMoved(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      if (!Var || !Var->hasLocalStorage())
        return false;
      if (Var->getType()->isReferenceType())
        return Var->getInit() && isMoved(*Var->getInit());
      return !Whole.changesByNameOnly(*Var) ||
             llvm::any_of(Repeated.of(*Var), [&](const VariableUse &U) {
               return Repeated.mayChange(U) && !isSetFromOutside(U);
             });
    });
  }

  /// By an assignment of what the loop itself does not move.
  bool isSetFromOutside(const VariableUse &U) const {
    const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
    return U.Kind == UseKind::Assign && Op && Op->getOpcode() == BO_Assign &&
           !holds(Op->getRHS(), [&](const Stmt &S) {
             const VarDecl *Var = variableNamedBy(S);
             return Var && Var->hasLocalStorage() && !isFixed(*Var);
           });
  }

  /// A number that is not the last one of its type in the direction.
  bool isInnerBound(const Expr &Bound, bool Up) const {
    const auto Number = facts::integerOf(Bound, Context);
    return Number && (Up ? !Number->isMaxValue() : !Number->isMinValue());
  }

  bool stepsAreNumbers(const VarDecl &Var) const {
    return llvm::all_of(movesOf(Var), [&](const Expr *Step) {
      const auto *Op = dyn_cast<BinaryOperator>(Step);
      return !Op || isAtLeast(*Op->getRHS(), 1);
    });
  }

  const Stmt &Loop;
  const ASTContext &Context;
  const VariableFacts Whole, Repeated;
};

/// `To = From`, a plain assignment of a local variable.
struct LocalAssignment {
  const VarDecl *To = nullptr;
  const Expr *From = nullptr;
};

LocalAssignment localAssignment(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  const auto *Op =
      E ? dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts()) : nullptr;
  if (!Op || Op->getOpcode() != BO_Assign || !localVariable(Op->getLHS()))
    return {};
  return {localVariable(Op->getLHS()), Op->getRHS()->IgnoreParenImpCasts()};
}

/// The call of atomicCAS that \p E is, or null.
const CallExpr *exchangeIn(const Expr *E) {
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getDeclName().isIdentifier() &&
                 Callee->getName() == "atomicCAS" && Call->getNumArgs() == 3
             ? Call
             : nullptr;
}

/// Every iteration of the loop evaluates the address \p E to the same.
bool isSameAddress(const Stmt &E, const LoopVariables &Variables) {
  char Member = 0;
  if (const auto *Whole = dyn_cast<Expr>(&E);
      Whole && !builtinIndexVariable(*Whole, Member).empty())
    return true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var &&
           (Var->hasLocalStorage() ? Variables.isFixed(*Var)
                                   : !Var->getType()->isPointerType() &&
                                         !Var->getType()->isReferenceType());
  }
  // A global variable or an array may stand for its address, but what lies in
  // memory may change.
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&E);
      Cast && Cast->getCastKind() == CK_LValueToRValue) {
    const Expr *Read = Cast->getSubExpr()->IgnoreParens();
    while (const auto *Field = dyn_cast<MemberExpr>(Read)) {
      if (!isPartOfBase(*Field))
        return false;
      Read = Field->getBase()->IgnoreParens();
    }
    const VarDecl *Var = variableNamedBy(*Read);
    return Var && Var->hasLocalStorage() && Variables.isFixed(*Var);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(&E);
      Op && Op->isIncrementDecrementOp())
    return false;
  if (const auto *Op = dyn_cast<BinaryOperator>(&E); Op && Op->isAssignmentOp())
    return false;
  return isa<BinaryOperator, UnaryOperator, CastExpr, ParenExpr,
             ArraySubscriptExpr, MemberExpr, IntegerLiteral,
             SubstNonTypeTemplateParmExpr, ConstantExpr>(E) &&
         llvm::all_of(E.children(), [&](const Stmt *Child) {
           return Child && isSameAddress(*Child, Variables);
         });
}

} // namespace

bool onlyCounts(const Stmt &Loop, const FunctionDecl &Function) {
  if (leavesEarly(Loop))
    return false;
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return Range->getRangeInit()->getType()->isArrayType();
  const Expr *Condition = conditionOf(Loop);
  return Condition && LoopVariables(Loop, Function).isCounted(*Condition);
}

bool isBounded(const Stmt &Loop, const FunctionDecl &Function) {
  const Expr *Condition = conditionOf(Loop);
  return Condition && LoopVariables(Loop, Function).isBounded(*Condition);
}

bool isRetriedExchange(const Stmt &Loop, const FunctionDecl &Function) {
  const auto *Do = dyn_cast<DoStmt>(&Loop);
  const auto *Body = Do ? dyn_cast<CompoundStmt>(Do->getBody()) : nullptr;
  const auto *Unequal =
      Do ? dyn_cast<BinaryOperator>(Do->getCond()->IgnoreParenImpCasts())
         : nullptr;
  if (!Body || Body->size() < 2 || !Unequal || Unequal->getOpcode() != BO_NE)
    return false;
  LocalAssignment Renewal = localAssignment(Body->body_front());
  LocalAssignment Exchange = localAssignment(Body->body_back());
  const VarDecl *Assumed = Renewal.To, *Old = Exchange.To;
  const VarDecl *A = localVariable(Unequal->getLHS()),
                *B = localVariable(Unequal->getRHS());
  const CallExpr *Call = exchangeIn(Exchange.From);
  if (!Assumed || !Old || Assumed == Old || !Call)
    return false;
  const ASTContext &Context = Function.getASTContext();
  const LoopVariables Variables(Loop, Function);
  const QualType Type = Assumed->getType();
  return Type->isIntegerType() &&
         Context.hasSameUnqualifiedType(Type, Old->getType()) &&
         Context.hasSameUnqualifiedType(Type, Call->getType()) &&
         localVariable(Renewal.From) == Old &&
         localVariable(Call->getArg(1)) == Assumed &&
         ((A == Assumed && B == Old) || (A == Old && B == Assumed)) &&
         isSameAddress(*Call->getArg(0), Variables) &&
         !holds(Body, [](const Stmt &S) { return isa<ContinueStmt>(S); }) &&
         Variables.onlyChange(*Assumed) ==
             cast<Expr>(Body->body_front())->IgnoreParenImpCasts() &&
         Variables.isFollowed(*Old);
}

bool namesCaptured(const Expr &E) {
  return holds(&E, [](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    return Ref && Ref->refersToEnclosingVariableOrCapture();
  });
}

bool readsSamePlace(const Expr &Read, const Stmt &Loop,
                    const FunctionDecl &Function) {
  return namesCaptured(Read) ||
         isSameAddress(Read, LoopVariables(Loop, Function));
}

} // namespace barricade::waiting

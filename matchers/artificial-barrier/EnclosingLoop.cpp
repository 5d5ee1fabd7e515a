// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/EnclosingLoop.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// The reference by which \p E names a variable, itself or one of its fields.
const DeclRefExpr *referenceIn(const Expr &E) {
  const Expr *Base = E.IgnoreParens();
  while (const auto *Member = dyn_cast<MemberExpr>(Base)) {
    if (!isPartOfBase(*Member))
      return nullptr;
    Base = Member->getBase()->IgnoreParens();
  }
  return dyn_cast<DeclRefExpr>(Base);
}

const VarDecl *namedVariable(const Expr &E) {
  const DeclRefExpr *Ref = referenceIn(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// Which variables some code declares, and which it does anything with but
/// read.
class GuardedVariables : public ConstDynamicRecursiveASTVisitor {
public:
  /// \p Function are the facts of all around.
  GuardedVariables(const Stmt &S, const facts::VariableFacts &Function)
      : Inside(&S), Function(Function) {
    TraverseStmt(&S);
  }

  bool declares(const VarDecl &Var) const { return Declared.contains(&Var); }
  bool onlyReads(const VarDecl &Var) const {
    return Inside.isOnlyRead(Var) && Function.changesByNameOnly(Var);
  }

  bool VisitVarDecl(const VarDecl *Var) override {
    Declared.insert(Var);
    return true;
  }

private:
  const facts::VariableFacts Inside;
  const facts::VariableFacts &Function;
  llvm::SmallPtrSet<const VarDecl *, 16> Declared;
};

class HeaderCheck {
public:
  HeaderCheck(const ForStmt &Loop, const Stmt &Guard, const Stmt &Innermost,
              const facts::VariableFacts &Function,
              llvm::function_ref<bool(const Expr &)> IsUniform,
              ASTContext &Context)
      : Loop(Loop), Guard(Guard), UnderGuard(Guard, Function),
        InInnermost(Innermost, Function), InBody(*Loop.getBody(), Function),
        IsUniform(IsUniform), Context(Context) {}

  bool run() {
    collectDecisions(Guard);
    return !Loop.getConditionVariable() && startsOwnVariables() &&
           Loop.getCond() && computes(*Loop.getCond()) && Loop.getInc() &&
           steps(*Loop.getInc()) && (!IsDecided || endsForAnyBound()) &&
           llvm::all_of(
               Own, [&](const VarDecl *Var) { return InBody.onlyReads(*Var); });
  }

private:
  bool startsOwnVariables() {
    const Stmt *Init = Loop.getInit();
    if (const auto *Decl = dyn_cast_or_null<DeclStmt>(Init))
      return llvm::all_of(Decl->decls(), [&](const clang::Decl *D) {
        const auto *Var = dyn_cast<VarDecl>(D);
        if (!Var || !isNumber(*Var) || !Var->getInit() ||
            !computes(*Var->getInit()))
          return false;
        Own.insert(Var);
        return true;
      });
    // The others' variable must not be lost, so it is one of the guard's own.
    const auto *Assign = dyn_cast_or_null<BinaryOperator>(Init);
    const VarDecl *Var = Assign ? namedVariable(*Assign->getLHS()) : nullptr;
    if (!Var || Assign->getOpcode() != BO_Assign || !isNumber(*Var) ||
        !InInnermost.declares(*Var) || !computes(*Assign->getRHS()))
      return false;
    Own.insert(Var);
    return true;
  }

  /// The variables by which it is decided, within the guard, whether a thread
  /// comes to the loop. Where nothing decides that but loops that keep all
  /// threads until the last is done, one of them comes here. Others may keep
  /// values from it for which it would run for very long.
  void collectDecisions(const Stmt &Code) {
    if (&Code == &Loop)
      return;
    auto IsJump = [&](const Stmt &S) {
      return &S == &Loop ||
             isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt>(S);
    };
    if (const auto *If = dyn_cast<IfStmt>(&Code);
        If && (holds(If->getThen(), IsJump) || holds(If->getElse(), IsJump))) {
      IsDecided = true;
      addDeciding(If->getCond());
    }
    for (const Stmt *Child : Code.children())
      if (Child)
        collectDecisions(*Child);
  }

  void addDeciding(const Expr *Condition) {
    holds(Condition, [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      if (Var && Deciding.insert(Var).second)
        addDeciding(Var->getInit());
      return false;
    });
  }

  /// ++j below an upper bound or --j above a lower one, compared as they are:
  /// whatever the bound is, the counter comes to it and does not wrap around.
  bool endsForAnyBound() const {
    const auto *Test = dyn_cast<BinaryOperator>(Loop.getCond()->IgnoreParens());
    if (!Test || !Test->isComparisonOp() || Own.size() != 1)
      return false;
    const VarDecl &Counter = **Own.begin();
    if (!Counter.getType()->isIntegerType() ||
        Counter.getType()->isBooleanType())
      return false;
    const bool OnLeft = readsAsIs(*Test->getLHS(), Counter);
    if (!OnLeft && !readsAsIs(*Test->getRHS(), Counter))
      return false;
    const BinaryOperatorKind Kind =
        OnLeft ? Test->getOpcode()
               : BinaryOperator::reverseComparisonOp(Test->getOpcode());
    const Expr &Bound = OnLeft ? *Test->getRHS() : *Test->getLHS();
    const std::optional<llvm::APSInt> By = stepOf(*Loop.getInc());
    return By && *By != 0 && endsAt(Kind, Bound, *By, Counter);
  }

  bool endsAt(BinaryOperatorKind Kind, const Expr &Bound,
              const llvm::APSInt &By, const VarDecl &Counter) const {
    const bool Upwards = By > 0;
    const bool Strict = Kind == (Upwards ? BO_LT : BO_GT);
    if (Strict && (By == 1 || By == -1))
      return true;
    const auto Constant = facts::integerOf(Bound, Context);
    if (!(Strict || Kind == (Upwards ? BO_LE : BO_GE)) || !Constant)
      return false;
    // The last value within the bound, and the step from there.
    const unsigned Width = Context.getIntWidth(Counter.getType());
    const bool IsSigned = Counter.getType()->isSignedIntegerType();
    const llvm::APSInt Limit =
        Upwards ? llvm::APSInt::getMaxValue(Width, !IsSigned)
                : llvm::APSInt::getMinValue(Width, !IsSigned);
    const unsigned Wide = 2 * Width + 2;
    auto Widen = [&](const llvm::APSInt &Value) {
      return llvm::APSInt(Value.extend(Wide), /*isUnsigned=*/false);
    };
    const llvm::APSInt Last = Widen(*Constant) + Widen(By);
    return Upwards ? Last <= Widen(Limit) : Last >= Widen(Limit);
  }

  /// The value of \p Counter, without a conversion to a wider or other type.
  static bool readsAsIs(const Expr &E, const VarDecl &Counter) {
    const auto *Read = dyn_cast<ImplicitCastExpr>(E.IgnoreParens());
    return Read && Read->getCastKind() == CK_LValueToRValue &&
           namedVariable(*Read->getSubExpr()) == &Counter;
  }

  /// What the increment adds, if that is a constant.
  std::optional<llvm::APSInt> stepOf(const Expr &Increment) const {
    const Expr *Plain = Increment.IgnoreParens();
    if (const auto *Unary = dyn_cast<UnaryOperator>(Plain))
      return llvm::APSInt::get(Unary->isIncrementOp() ? 1 : -1);
    const auto *Op = dyn_cast<CompoundAssignOperator>(Plain);
    if (!Op ||
        (Op->getOpcode() != BO_AddAssign && Op->getOpcode() != BO_SubAssign))
      return std::nullopt;
    const auto Amount = facts::integerOf(*Op->getRHS(), Context);
    if (!Amount)
      return std::nullopt;
    const int64_t By = Amount->getExtValue();
    if (By < 1 || By > INT32_MAX)
      return std::nullopt;
    return llvm::APSInt::get(Op->getOpcode() == BO_AddAssign ? By : -By);
  }

  /// `++j`, `j += 2`, and such joined by commas.
  bool steps(const Expr &E) const {
    const Expr *Plain = E.IgnoreParens();
    if (const auto *Unary = dyn_cast<UnaryOperator>(Plain))
      return Unary->isIncrementDecrementOp() && isOwn(*Unary->getSubExpr());
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    if (Op && Op->isCommaOp())
      return steps(*Op->getLHS()) && steps(*Op->getRHS());
    return Op && Op->isAssignmentOp() && isOwn(*Op->getLHS()) &&
           computes(*Op->getRHS());
  }

  bool isOwn(const Expr &E) const {
    const VarDecl *Var = namedVariable(E);
    return Var && Own.contains(Var);
  }

  static bool isNumber(const VarDecl &Var) {
    return Var.getType()->isArithmeticType() &&
           !Var.getType().isVolatileQualified();
  }

  /// Only arithmetic on what every thread has.
  bool computes(const Expr &E) const {
    char Member = 0;
    Expr::EvalResult Constant;
    if (!E.isValueDependent() && E.EvaluateAsRValue(Constant, Context) &&
        !Constant.HasSideEffects)
      return true;
    if (!builtinIndexVariable(E, Member).empty())
      return IsUniform(E);
    const Expr *Plain = E.IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(Plain))
      return (!IsDecided || Cast->getCastKind() != CK_FloatingToIntegral) &&
             Cast->getType()->isArithmeticType() &&
             computes(*Cast->getSubExpr());
    if (const auto *Unary = dyn_cast<UnaryOperator>(Plain))
      return Unary->isArithmeticOp() && computes(*Unary->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
      return !Op->isAssignmentOp() && !Op->isPtrMemOp() &&
             isDefinedForAll(*Op) && computes(*Op->getLHS()) &&
             computes(*Op->getRHS());
    if (const auto *Select = dyn_cast<ConditionalOperator>(Plain))
      return computes(*Select->getCond()) && computes(*Select->getTrueExpr()) &&
             computes(*Select->getFalseExpr());
    return isShared(*Plain);
  }

  /// Nothing that the left side could be is divided by 0, or shifted too far.
  bool isDefinedForAll(const BinaryOperator &Op) const {
    if (!IsDecided || Op.getType()->isFloatingType() ||
        !(Op.isShiftOp() || Op.getOpcode() == BO_Div ||
          Op.getOpcode() == BO_Rem))
      return true;
    const auto Value = facts::integerOf(*Op.getRHS(), Context);
    return Value && *Value > 0 &&
           (!Op.isShiftOp() || *Value < Context.getIntWidth(Op.getType()));
  }

  /// A variable that all threads have, and that nothing under the guard sets.
  bool isShared(const Expr &E) const {
    const VarDecl *Var = namedVariable(E);
    if (!Var || !E.getType()->isArithmeticType() ||
        E.getType().isVolatileQualified() ||
        Var->getType().isVolatileQualified() ||
        Var->getType()->isReferenceType() || Deciding.contains(Var) ||
        !(Var->getInit() || isa<ParmVarDecl>(Var) || Var->hasGlobalStorage()))
      return false;
    return Own.contains(Var) || (!UnderGuard.declares(*Var) &&
                                 UnderGuard.onlyReads(*Var) && IsUniform(E));
  }

  const ForStmt &Loop;
  const Stmt &Guard;
  const GuardedVariables UnderGuard, InInnermost, InBody;
  llvm::function_ref<bool(const Expr &)> IsUniform;
  ASTContext &Context;
  llvm::SmallPtrSet<const VarDecl *, 2> Own;
  llvm::SmallPtrSet<const VarDecl *, 8> Deciding;
  bool IsDecided = false;
};

} // namespace

bool allThreadsMayCount(const ForStmt &Loop, const Stmt &Guard,
                        const Stmt &Innermost,
                        const facts::VariableFacts &Function,
                        llvm::function_ref<bool(const Expr &)> IsUniform,
                        ASTContext &Context) {
  return HeaderCheck(Loop, Guard, Innermost, Function, IsUniform, Context)
      .run();
}

} // namespace barricade::artificial_barrier

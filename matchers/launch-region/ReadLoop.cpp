// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-region/ReadLoop.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/host/ErrorCheck.h"
#include "matchers/host/HostCalls.h"
#include "matchers/host/Launch.h"
#include "matchers/launch-region/LaunchRegion.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::launch_region {
namespace {

using facts::UseKind;
using facts::VariableUse;

/// A call of cudaMemcpy of a local variable.
struct VariableCopy {
  const CallExpr *Call;
  const VarDecl *Var;
  const Stmt *Address; ///< `&var`, but for casts.
  bool ToHost;
};

const Expr *plain(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (const auto *Full = dyn_cast_or_null<FullExpr>(E))
    E = Full->getSubExpr();
  return E ? E->IgnoreParenCasts() : nullptr;
}

/// Numbers that a kernel reads and compares as the host does.
bool isNumber(QualType Type, const ASTContext &Context) {
  const auto *Builtin = Type.getCanonicalType()->getAs<BuiltinType>();
  return Builtin && !Type.isVolatileQualified() &&
         (Builtin->isInteger() || Builtin->getKind() == BuiltinType::Float ||
          Builtin->getKind() == BuiltinType::Double) &&
         Context.getTypeSizeInChars(Type).getQuantity() <= 8;
}

bool isNumberHere(const VarDecl &Var, const ASTContext &Context) {
  return Var.hasLocalStorage() && isNumber(Var.getType(), Context);
}

/// What two sides of a comparison are.
struct Sides {
  BinaryOperatorKind Comparison;
  const Expr *With;
};

class Reader {
public:
  Reader(const Stmt &Loop, QuietTest IsQuiet, ASTContext &Context)
      : Loop(Loop), IsQuietBut(IsQuiet), Context(Context),
        SM(Context.getSourceManager()), Repeated(repeatedParts(Loop)) {}

  std::optional<ReadLoop> read() {
    Result.Body = dyn_cast_or_null<CompoundStmt>(bodyOf(Loop));
    if (!Result.Body || !isPlainHead() || !readBody() || !Read ||
        !HasLaunches || !isDecidedByNumber() || !isSameEachTime())
      return std::nullopt;
    return Result;
  }

private:
  //===--- Its shape ------------------------------------------------------===//

  /// What is evaluated again and again.
  static std::vector<const Stmt *> repeatedParts(const Stmt &Loop) {
    std::vector<const Stmt *> Parts = {conditionOf(Loop), bodyOf(Loop)};
    if (const auto *For = dyn_cast<ForStmt>(&Loop))
      Parts.push_back(For->getInc());
    return Parts;
  }

  bool isPlainHead() const {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    const auto *While = dyn_cast<WhileStmt>(&Loop);
    return (isa<DoStmt>(Loop) ||
            (For && !For->getConditionVariable() &&
             (!For->getInit() || isQuiet(*For->getInit())) &&
             (!For->getInc() || isQuiet(*For->getInc()))) ||
            (While && !While->getConditionVariable())) &&
           (!conditionOf(Loop) || isQuiet(*conditionOf(Loop)));
  }

  bool readBody() {
    llvm::ArrayRef<const Stmt *> Rest(Result.Body->body_begin(),
                                      Result.Body->size());
    while (!Rest.empty()) {
      if (readStatement(*Rest.front())) {
        Rest = Rest.drop_front();
        continue;
      }
      const size_t Length = readCheck(Rest);
      if (Length == 0)
        return false;
      Rest = Rest.drop_front(Length);
    }
    return true;
  }

  bool isQuiet(const Stmt &S) const { return IsQuietBut(S, {}); }

  bool readStatement(const Stmt &S) {
    const auto *Call = dyn_cast_or_null<CallExpr>(plain(&S));
    if (const auto Copy = Call ? copyOf(*Call) : std::nullopt)
      return readCopy(*Copy);
    if (const auto *If = dyn_cast<IfStmt>(&S);
        If && isExit(*If) && readExit(*If))
      return true;
    if (!isQuiet(S) || holds(&S, isJump) ||
        holds(&S, [](const Stmt &Part) { return isa<LabelStmt>(Part); }))
      return false;
    return !asksDevice(S) || (Call && readWork(*Call));
  }

  /// How many statements of \p Rest do nothing but look whether there was an
  /// error, and tell it or end the program, with what they ask CUDA for.
  size_t readCheck(llvm::ArrayRef<const Stmt *> Rest) {
    const host::ErrorCheck Check = host::readErrorCheck(Rest, Context);
    const auto Own = Rest.take_front(Check.Length);
    const auto IsQuiet = [&](const Stmt *S) {
      return IsQuietBut(*S, Check.Calls);
    };
    const auto Launches = [](const Stmt *S) { return host::holdsLaunch(*S); };
    const auto IsOwn = [&](const CallExpr *Call) {
      return llvm::any_of(Own,
                          [&](const Stmt *S) { return contains(S, Call); });
    };
    return Check.Call && Check.OnlyTells && llvm::none_of(Own, Launches) &&
                   llvm::all_of(Check.Calls, IsOwn) &&
                   llvm::all_of(Check.OnSuccess, IsQuiet) &&
                   llvm::all_of(
                       Check.Calls,
                       [&](const CallExpr *Call) { return readAsked(*Call); })
               ? Check.Length
               : 0;
  }

  /// A call of the runtime's of which the result is looked at.
  bool readAsked(const CallExpr &Call) {
    if (const auto Copy = copyOf(Call))
      return readCopy(*Copy);
    return host::classifyHostCall(Call, SM) == host::HostCallKind::Query ||
           readWork(Call);
  }

  bool asksDevice(const Stmt &S) const {
    return holds(&S, [&](const Stmt &Part) {
      const auto *Call = dyn_cast<CallExpr>(&Part);
      return Call && (isa<CUDAKernelCallExpr>(Call) ||
                      isTransfer(*Call, Context) || isWait(*Call, Context));
    });
  }

  /// A launch, a transfer or a wait, in each iteration the same.
  bool readWork(const CallExpr &Call) {
    const bool IsWait = isWait(Call, Context);
    const bool IsLaunch = isa<CUDAKernelCallExpr>(Call);
    if ((Read && !IsWait) || llvm::any_of(Call.children(), [&](const Stmt *S) {
          return S && asksDevice(*S);
        }))
      return false;
    HasLaunches |= IsLaunch;
    Constants.push_back(&Call);
    return IsWait || IsLaunch || isTransfer(Call, Context);
  }

  bool readCopy(const VariableCopy &Copy) {
    const Expr &There = *Copy.Call->getArg(Copy.ToHost ? 1 : 0);
    if (Read || !isQuiet(There) || asksDevice(There))
      return false;
    Constants.push_back(&There);
    Addresses.insert(Copy.Address);
    Result.Copies.push_back(Copy.Call);
    if (Copy.ToHost) {
      Read = Copy.Call;
      Result.Number = Copy.Var;
      Result.IsNumberWithin = declares(&Loop, *Copy.Var);
      return true;
    }
    return isSetAlike(*Copy.Var, *Copy.Call);
  }

  std::optional<VariableCopy> copyOf(const CallExpr &Call) const {
    const FunctionDecl *Callee = Call.getDirectCallee();
    if (!Callee || Call.getNumArgs() != 4 || !isWritten(Call, SM) ||
        host::classifyHostCall(Call, SM) != host::HostCallKind::Copy ||
        !Callee->getDeclName().isIdentifier() ||
        Callee->getName() != "cudaMemcpy")
      return std::nullopt;
    const auto *Kind =
        dyn_cast<DeclRefExpr>(Call.getArg(3)->IgnoreParenImpCasts());
    if (!Kind || writtenAt(Kind->getLocation(), SM).isInvalid())
      return std::nullopt;
    const llvm::StringRef Name = Kind->getDecl()->getName();
    const bool ToHost = Name == "cudaMemcpyDeviceToHost";
    if (!ToHost && Name != "cudaMemcpyHostToDevice")
      return std::nullopt;
    const auto *Address = dyn_cast<UnaryOperator>(
        Call.getArg(ToHost ? 0 : 1)->IgnoreParenCasts());
    const VarDecl *Var = Address && Address->getOpcode() == UO_AddrOf
                             ? variableOf(*Address->getSubExpr())
                             : nullptr;
    const auto Bytes = facts::integerOf(*Call.getArg(2), Context);
    if (!Var || !isNumberHere(*Var, Context) || !Bytes ||
        *Bytes != Context.getTypeSizeInChars(Var->getType()).getQuantity())
      return std::nullopt;
    return VariableCopy{&Call, Var, Address, ToHost};
  }

  //===--- Where it ends --------------------------------------------------===//

  /// `if (...) break;`, with what is done before.
  static bool isExit(const IfStmt &If) {
    const Stmt *Last = If.getThen();
    if (const auto *Block = dyn_cast<CompoundStmt>(Last))
      Last = Block->body_empty() ? nullptr : Block->body_back();
    return isa_and_nonnull<BreakStmt, ReturnStmt>(Last) && !If.getElse() &&
           !If.hasInitStorage() && !If.hasVarStorage() && !If.isConsteval() &&
           !If.isConstexpr();
  }

  bool readExit(const IfStmt &If) {
    unsigned Jumps = 0;
    (void)holds(If.getThen(), [&](const Stmt &S) {
      Jumps += isJump(S) || isa<LabelStmt>(S);
      return false;
    });
    if (!Read || Jumps != 1 || !isQuiet(If) || asksDevice(If))
      return false;
    Exits.push_back(If.getCond());
    LooksAtNumber.push_back(If.getThen());
    return true;
  }

  /// Of what ends the loop, all is known, and the number is part of it.
  bool isDecidedByNumber() {
    const Expr *Condition = conditionOf(Loop);
    return (!Condition || readCondition(*Condition, /*GoesOnIf=*/true)) &&
           llvm::all_of(Exits,
                        [&](const Expr *Exit) {
                          return readCondition(*Exit, /*GoesOnIf=*/false);
                        }) &&
           HasTest;
  }

  /// The loop goes on only if \p Condition is \p GoesOnIf.
  bool readCondition(const Expr &Condition, bool GoesOnIf) {
    const Expr &E = *Condition.IgnoreParenImpCasts();
    if (const auto *Op = dyn_cast<UnaryOperator>(&E);
        Op && Op->getOpcode() == UO_LNot)
      return readCondition(*Op->getSubExpr(), !GoesOnIf);
    const auto *Op = dyn_cast<BinaryOperator>(&E);
    if (Op && Op->getOpcode() == (GoesOnIf ? BO_LAnd : BO_LOr))
      return readCondition(*Op->getLHS(), GoesOnIf) &&
             readCondition(*Op->getRHS(), GoesOnIf);
    return readTest(E, GoesOnIf) || readCount(E, GoesOnIf) || isConstantHere(E);
  }

  bool isConstantHere(const Expr &E) {
    return isFixed(E) && !E.HasSideEffects(Context);
  }

  bool readTest(const Expr &E, bool GoesOnIf) {
    std::optional<Sides> Test;
    if (variableOf(E) == Result.Number)
      Test = {BO_NE, nullptr};
    else
      Test = comparisonOf(E, *Result.Number);
    if (!Test || HasTest ||
        (Test->With &&
         (!isFixedBefore(*Test->With) ||
          !isNumber(Test->With->IgnoreParenImpCasts()->getType(), Context))))
      return false;
    HasTest = true;
    LooksAtNumber.push_back(&E);
    Result.Comparison = Test->Comparison;
    Result.With = Test->With;
    Result.GoesOnIf = GoesOnIf;
    return true;
  }

  /// \p E as a comparison with \p Var on the left.
  static std::optional<Sides> comparisonOf(const Expr &E, const VarDecl &Var) {
    const auto *Op = dyn_cast<BinaryOperator>(&E);
    if (!Op || !Op->isComparisonOp() || Op->getOpcode() == BO_Cmp)
      return std::nullopt;
    if (variableOf(*Op->getLHS()) == &Var)
      return Sides{Op->getOpcode(), Op->getRHS()};
    if (variableOf(*Op->getRHS()) != &Var)
      return std::nullopt;
    const BinaryOperatorKind Turned =
        Op->isEqualityOp()
            ? Op->getOpcode()
            : BinaryOperator::reverseComparisonOp(Op->getOpcode());
    return Sides{Turned, Op->getLHS()};
  }

  /// `i < n`, of a counter that goes up.
  bool readCount(const Expr &E, bool GoesOnIf) {
    const auto *Op = dyn_cast<BinaryOperator>(&E);
    if (!Op || !Op->isRelationalOp() || Result.Counter)
      return false;
    for (const Expr *Side : {Op->getLHS(), Op->getRHS()}) {
      const VarDecl *Var = variableOf(*Side);
      const auto Test = Var ? comparisonOf(E, *Var) : std::nullopt;
      if (!Test || !isCounter(*Var))
        continue;
      const BinaryOperatorKind Kind =
          GoesOnIf ? Test->Comparison
                   : BinaryOperator::negateComparisonOp(Test->Comparison);
      const QualType Type = Test->With->IgnoreParenImpCasts()->getType();
      if ((Kind != BO_LT && Kind != BO_LE) || !isFixedBefore(*Test->With) ||
          !isNumber(Type, Context) || !Type->isIntegerType())
        continue;
      Result.Counter = Var;
      Result.Bound = Test->With;
      return true;
    }
    return false;
  }

  /// \p Var goes up by one in each iteration, and by no more.
  bool isCounter(const VarDecl &Var) const {
    if (!isNumberHere(Var, Context) || !Var.getType()->isIntegerType() ||
        Var.getType()->isBooleanType() || isInBody(Var))
      return false;
    const VariableUse *Step = nullptr;
    for (const VariableUse &U : Repeated.of(Var)) {
      if (U.Kind == UseKind::Read && !U.In)
        continue;
      if (Step || U.Kind != UseKind::Step || U.In)
        return false;
      Step = &U;
    }
    const auto *Op = Step ? dyn_cast<UnaryOperator>(Step->By) : nullptr;
    return Op && Op->isIncrementOp() && isOfEachIteration(*Op);
  }

  /// It is a statement of the body's own, or the head's.
  bool isOfEachIteration(const Expr &E) const {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    if (For && plain(For->getInc()) == &E)
      return true;
    return llvm::any_of(Result.Body->body(),
                        [&](const Stmt *S) { return plain(S) == &E; });
  }

  //===--- What stays the same --------------------------------------------===//

  bool isInBody(const VarDecl &Var) const { return declares(Result.Body, Var); }

  /// Nothing in the loop changes \p Var, and each iteration that declares it
  /// gives it the same.
  bool isFixed(const VarDecl &Var) {
    // One that names itself has no value to begin with.
    if (llvm::is_contained(Asked, &Var))
      return false;
    const llvm::SaveAndRestore Deeper(Asked, Asked);
    Asked.push_back(&Var);
    if (Var.getType()->isReferenceType() || Var.getType().isVolatileQualified())
      return false;
    if (!Repeated.isOnlyRead(Var))
      return false;
    return !isInBody(Var) ||
           (Var.getInit() && isDeclaredInBlock(Var) && isFixed(*Var.getInit()));
  }

  bool isDeclaredInBlock(const VarDecl &Var) const {
    return llvm::any_of(Result.Body->body(), [&](const Stmt *S) {
      const auto *Declaration = dyn_cast<DeclStmt>(S);
      return Declaration && llvm::is_contained(Declaration->decls(), &Var);
    });
  }

  /// All variables that \p E names are.
  bool isFixed(const Stmt &E) {
    return !holds(&E, [&](const Stmt &S) {
      if (isa<LambdaExpr, CXXThisExpr>(S))
        return true;
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      return (Ref && isa<BindingDecl>(Ref->getDecl())) ||
             (Var && !isFixed(*Var));
    });
  }

  /// And can be computed before the loop, although that may not come to it, as
  /// what it is without a promotion. A type's name may mean another one there.
  bool isFixedBefore(const Expr &E) {
    return isFixed(E) && !E.HasSideEffects(Context) &&
           !E.IgnoreParenImpCasts()->refersToBitField() &&
           !facts::dependsOnPlace(E, SM) && !holds(&E, [&](const Stmt &S) {
             const VarDecl *Var = variableNamedBy(S);
             const auto *Op = dyn_cast<BinaryOperator>(&S);
             return !isArithmetic(S) || (Op && mayTrap(*Op)) ||
                    (Var && (declares(&Loop, *Var) || isSetByHead(*Var)));
           });
  }

  /// Names no type, and calls nothing.
  static bool isArithmetic(const Stmt &S) {
    return isa<IntegerLiteral, FloatingLiteral, CharacterLiteral,
               CXXBoolLiteralExpr, DeclRefExpr, MemberExpr, ParenExpr,
               ImplicitCastExpr, UnaryOperator, BinaryOperator,
               ConditionalOperator, ConstantExpr>(S);
  }

  /// Where a `for` begins.
  bool isSetByHead(const VarDecl &Var) const {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    return For && !facts::VariableFacts(For->getInit()).isOnlyRead(Var);
  }

  bool mayTrap(const BinaryOperator &Op) const {
    if (!Op.isMultiplicativeOp() || Op.getOpcode() == BO_Mul ||
        !Op.getType()->isIntegerType())
      return false;
    const auto Divisor = facts::integerOf(*Op.getRHS(), Context);
    return !Divisor || Divisor->isZero() ||
           (Divisor->isSigned() && Divisor->isAllOnes());
  }

  /// At \p Copy, a statement of the body, \p Var has the same value in each
  /// iteration: nothing gives it another one, or the last that does before that
  /// gives it one that is fixed.
  bool isSetAlike(const VarDecl &Var, const CallExpr &Copy) {
    Sent.push_back(&Var);
    const Expr *Value = nullptr;
    for (const Stmt *S : Result.Body->body()) {
      if (contains(S, &Copy))
        break;
      if (const auto *Op = dyn_cast_or_null<BinaryOperator>(plain(S));
          Op && Op->getOpcode() == BO_Assign &&
          variableOf(*Op->getLHS()) == &Var)
        Value = Op->getRHS();
      if (const auto *Declaration = dyn_cast<DeclStmt>(S);
          Declaration && llvm::is_contained(Declaration->decls(), &Var))
        Value = Var.getInit();
    }
    return Value ? isFixed(*Value) : isFixedButSent(Var);
  }

  /// Nothing changes \p Var, although its address is given to copies.
  bool isFixedButSent(const VarDecl &Var) const {
    return !isInBody(Var) &&
           llvm::all_of(Repeated.of(Var), [&](const VariableUse &U) {
             return !U.In && (U.Kind == UseKind::Read || isSent(U));
           });
  }

  /// To the device: nothing is written by that name.
  bool isSent(const VariableUse &U) const {
    return U.Kind == UseKind::Address && Addresses.contains(U.By) &&
           Read == nullptr;
  }

  //===--- All that is asked in the end -----------------------------------===//

  bool isSameEachTime() {
    return llvm::all_of(Constants,
                        [&](const Stmt *S) { return isFixed(*S); }) &&
           isNumberForTests() && llvm::all_of(Sent, [&](const VarDecl *Var) {
             return Var == Result.Number || isSetByStatements(*Var);
           });
  }

  /// The number is looked at by the tests alone, or where the loop is left, and
  /// given a value by no other than statements of the body's before it is read.
  bool isNumberForTests() const {
    return llvm::all_of(Repeated.of(*Result.Number), [&](const VariableUse &U) {
      if (U.In)
        return false;
      if (U.Kind == UseKind::Read)
        return llvm::any_of(LooksAtNumber, [&](const Stmt *Part) {
          return contains(Part, U.Name);
        });
      return isSetByStatement(U) || isGiven(U);
    });
  }

  /// By the name alone, in statements of the body.
  bool isSetByStatements(const VarDecl &Var) const {
    return llvm::all_of(Repeated.of(Var), [&](const VariableUse &U) {
      return !U.In &&
             (U.Kind == UseKind::Read || isSetByStatement(U) || isGiven(U));
    });
  }

  bool isGiven(const VariableUse &U) const {
    return U.Kind == UseKind::Address && Addresses.contains(U.By);
  }

  bool isSetByStatement(const VariableUse &U) const {
    if (U.Kind != UseKind::Assign || U.IsPart)
      return false;
    for (const Stmt *S : Result.Body->body()) {
      if (contains(S, Read))
        return false;
      if (plain(S) == U.By)
        return true;
    }
    return false;
  }

  const Stmt &Loop;
  const QuietTest IsQuietBut;
  ASTContext &Context;
  const SourceManager &SM;
  const facts::VariableFacts Repeated;
  ReadLoop Result;
  const CallExpr *Read = nullptr; ///< What copies the number back.
  bool HasLaunches = false, HasTest = false;
  /// What must be the same in each iteration.
  std::vector<const Stmt *> Constants;
  llvm::SmallPtrSet<const Stmt *, 4> Addresses; ///< Of copies.
  std::vector<const VarDecl *> Sent;
  llvm::SmallVector<const VarDecl *, 4> Asked; ///< Whether they are fixed.
  std::vector<const Expr *> Exits;
  std::vector<const Stmt *> LooksAtNumber;
};

} // namespace

std::optional<ReadLoop> readReadLoop(const Stmt &Loop, QuietTest IsQuiet,
                                     ASTContext &Context) {
  return Reader(Loop, IsQuiet, Context).read();
}

} // namespace barricade::launch_region

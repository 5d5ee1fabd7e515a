// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a round of a loop runs that is not its last one. What is done only on
// the way out is no part of waiting:
//
//   for (long long spins = 0; spins < limit; ++spins)
//     if (*flag) {
//       *seen = 1;
//       return;
//     }
//
// It may be the value that ends the loop, too, under which that is done:
//
//   if (done)
//     *seen = 1;
//   if (done)
//     return;

#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Names.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::waiting {
namespace {

using Statements = llvm::ArrayRef<const Stmt *>;

/// What a condition asks for, and whether it holds where that is so: `v == 0`
/// asks for `v`, as `!v` and `v != 0` do.
struct Question {
  llvm::FoldingSetNodeID Of;
  bool Holds = true;

  Question(const Expr &Condition, const ASTContext &Context) {
    const Expr *Plain = Condition.IgnoreParenImpCasts();
    const auto *Not = dyn_cast<UnaryOperator>(Plain);
    for (; Not && Not->getOpcode() == UO_LNot;
         Not = dyn_cast<UnaryOperator>(Plain)) {
      Plain = Not->getSubExpr()->IgnoreParenImpCasts();
      Holds = !Holds;
    }
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    if (!Op || !Op->isEqualityOp()) {
      Plain->Profile(Of, Context, /*Canonical=*/true);
      return;
    }
    Holds = Holds == (Op->getOpcode() == BO_EQ);
    const auto Number = facts::integerOf(*Op->getRHS(), Context);
    Op->getLHS()->IgnoreParenImpCasts()->Profile(Of, Context, true);
    if (Number && Number->isZero())
      Holds = !Holds;
    else
      Op->getRHS()->IgnoreParenImpCasts()->Profile(Of, Context, true);
  }
};

class GoingOn {
public:
  GoingOn(const Stmt &Loop, const ASTContext &Context)
      : Loop(Loop), Context(Context) {
    addLoop(Loop, /*IsAsked=*/true);
  }

  llvm::SmallVector<const Stmt *, 8> Parts;

private:
  void addLoop(const Stmt &L, bool IsAsked) {
    if (isa<CXXForRangeStmt>(L)) {
      Parts.push_back(&L);
      return;
    }
    if (const auto *For = dyn_cast<ForStmt>(&L)) {
      Parts.push_back(For->getInc());
      if (!IsAsked)
        Parts.push_back(For->getInit());
    }
    Parts.push_back(conditionOf(L));
    add(bodyOf(L), IsAsked);
  }

  /// \p BreakLeaves: a `break` there is the loop's own. \p LeavesBehind: so
  /// does whoever comes to its end.
  void add(const Stmt *S, bool BreakLeaves, bool LeavesBehind = false) {
    if (!S || ((LeavesBehind || leaves(*S, BreakLeaves)) && !mayGoOn(*S)))
      return;
    if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
      addSequence(sequenceOf(*Block), BreakLeaves, LeavesBehind);
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      Parts.append(
          {If->getInit(), If->getConditionVariableDeclStmt(), If->getCond()});
      add(If->getThen(), BreakLeaves, LeavesBehind || endsWhere(*If, true));
      add(If->getElse(), BreakLeaves, LeavesBehind || endsWhere(*If, false));
    } else if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
      addSwitch(*Switch);
    } else if (isLoop(*S)) {
      addLoop(*S, /*IsAsked=*/false);
    } else {
      Parts.push_back(S);
    }
  }

  void addSwitch(const SwitchStmt &Switch) {
    Parts.append({Switch.getInit(), Switch.getConditionVariableDeclStmt(),
                  Switch.getCond()});
    const auto *Block = dyn_cast<CompoundStmt>(Switch.getBody());
    if (!Block) {
      Parts.push_back(Switch.getBody());
      return;
    }
    // Each case goes as far as the next one, or on into that.
    const auto All = sequenceOf(*Block);
    Statements Rest = All;
    while (!Rest.empty()) {
      const auto *Next = llvm::find_if(
          Rest.drop_front(), [](const Stmt *S) { return isa<SwitchCase>(S); });
      const size_t Length = Next - Rest.begin();
      addSequence(Rest.take_front(Length), /*BreakLeaves=*/false);
      Rest = Rest.drop_front(Length);
    }
  }

  /// Where it leaves at its end, all behind the last way to go on does, too.
  void addSequence(Statements Sequence, bool BreakLeaves,
                   bool LeavesBehind = false) {
    LeavesBehind |= leaves(Sequence, BreakLeaves);
    const size_t Before = Asked.size();
    for (const Stmt *S : llvm::reverse(Sequence)) {
      add(&withoutLabels(*S), BreakLeaves, LeavesBehind);
      LeavesBehind &= !mayGoOn(*S);
      if (const auto *If = dyn_cast<IfStmt>(S))
        noteAsked(*If, BreakLeaves);
    }
    Asked.truncate(Before);
  }

  /// What comes before \p If may be done for what that leaves by.
  void noteAsked(const IfStmt &If, bool BreakLeaves) {
    Question Of(*If.getCond(), Context);
    const auto Leaves = [&](const Stmt *Branch) {
      return Branch && leaves(*Branch, BreakLeaves) && !mayGoOn(*Branch);
    };
    if (Leaves(If.getThen()))
      Asked.push_back(Of);
    Of.Holds = !Of.Holds;
    if (Leaves(If.getElse()))
      Asked.push_back(Of);
  }

  /// The loop ends where the condition of \p If holds, or not: it is asked for
  /// once more, to leave.
  bool endsWhere(const IfStmt &If, bool Holds) const {
    Question Of(*If.getCond(), Context);
    Of.Holds = Of.Holds == Holds;
    return endsWhere(conditionOf(Loop), Of) ||
           llvm::any_of(Asked, [&](const Question &Other) {
             return Other.Of == Of.Of && Other.Holds == Of.Holds;
           });
  }

  /// \p Condition goes on only where it does not hold.
  bool endsWhere(const Expr *Condition, const Question &Of) const {
    const Expr *Plain = Condition ? Condition->IgnoreParenImpCasts() : nullptr;
    if (const auto *Op = dyn_cast_or_null<BinaryOperator>(Plain);
        Op && Op->getOpcode() == BO_LAnd)
      return endsWhere(Op->getLHS(), Of) || endsWhere(Op->getRHS(), Of);
    if (!Plain)
      return false;
    const Question GoingOn(*Plain, Context);
    return GoingOn.Of == Of.Of && GoingOn.Holds != Of.Holds;
  }

  static llvm::SmallVector<const Stmt *, 8>
  sequenceOf(const CompoundStmt &Block) {
    return {Block.body_begin(), Block.body_end()};
  }

  static const Stmt &withoutLabels(const Stmt &S) {
    if (const auto *Case = dyn_cast<SwitchCase>(&S))
      return Case->getSubStmt() ? withoutLabels(*Case->getSubStmt()) : S;
    return S;
  }

  /// Whoever comes to \p S runs no other round, unless something within it goes
  /// on by itself.
  bool leaves(const Stmt &Labelled, bool BreakLeaves) const {
    const Stmt &S = withoutLabels(Labelled);
    if (const auto *Block = dyn_cast<CompoundStmt>(&S))
      return leaves(sequenceOf(*Block), BreakLeaves);
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return If->getElse() && leaves(*If->getThen(), BreakLeaves) &&
             leaves(*If->getElse(), BreakLeaves);
    return isa<ReturnStmt>(S) || endsThread(S) ||
           (isa<GotoStmt>(S) && !staysInLoop(S)) ||
           (BreakLeaves && isa<BreakStmt>(S));
  }

  bool leaves(Statements Sequence, bool BreakLeaves) const {
    return (!Sequence.empty() && leaves(*Sequence.back(), BreakLeaves)) ||
           llvm::any_of(Sequence, [&](const Stmt *S) {
             return endsLoop(*S) || endsThread(*S);
           });
  }

  /// `done = true`, for a loop that runs while `!done`.
  bool endsLoop(const Stmt &S) const {
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    const VarDecl *Var = Op && Op->getOpcode() == BO_Assign
                             ? variableOf(*Op->getLHS())
                             : nullptr;
    const auto Value =
        Var ? constantCondition(Op->getRHS(), Context) : std::nullopt;
    return Value && isWhile(conditionOf(Loop), *Var, !*Value);
  }

  /// \p Condition holds only while \p Var is \p Value.
  static bool isWhile(const Expr *Condition, const VarDecl &Var, bool Value) {
    const Expr *Plain = Condition ? Condition->IgnoreParenImpCasts() : nullptr;
    if (const auto *Op = dyn_cast_or_null<BinaryOperator>(Plain))
      return Op->getOpcode() == BO_LAnd && (isWhile(Op->getLHS(), Var, Value) ||
                                            isWhile(Op->getRHS(), Var, Value));
    if (const auto *Not = dyn_cast_or_null<UnaryOperator>(Plain))
      return Not->getOpcode() == UO_LNot &&
             isWhile(Not->getSubExpr(), Var, !Value);
    return Plain && Value && variableOf(*Plain) == &Var;
  }

  bool mayGoOn(const Stmt &S) const {
    return continues(&S) || holds(&S, [&](const Stmt &Part) {
             return isa<IndirectGotoStmt>(Part) || staysInLoop(Part);
           });
  }

  /// A `continue` in \p S is the loop's own.
  static bool continues(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S) || isLoop(*S))
      return false;
    return isa<ContinueStmt>(S) || llvm::any_of(S->children(), continues);
  }

  /// A goto to somewhere in the loop.
  bool staysInLoop(const Stmt &S) const {
    const auto *Goto = dyn_cast<GotoStmt>(&S);
    return Goto && holds(&Loop, [&](const Stmt &Part) {
             return &Part == Goto->getLabel()->getStmt();
           });
  }

  const Stmt &Loop;
  const ASTContext &Context;
  /// What the statements behind the one that is looked at leave by.
  llvm::SmallVector<Question, 4> Asked;
};

bool endsThread(const Stmt &Statement, unsigned Depth) {
  const auto *E = dyn_cast<Expr>(&Statement);
  const Stmt &S = E ? *E->IgnoreParenCasts() : Statement;
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(&S)) {
    const std::string Text = Asm->getAsmString();
    const llvm::StringRef Code = llvm::StringRef(Text).trim();
    return Code.starts_with("exit;") || Code.starts_with("trap;");
  }
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || isa<CUDAKernelCallExpr>(Call))
    return false;
  if (Callee->isNoReturn() ||
      llvm::StringSwitch<bool>(facts::nameOf(Callee))
          .Cases({"__trap", "__assertfail", "__assert_fail"}, true)
          .Default(false))
    return true;
  const FunctionDecl *Definition = calleeDefinition(*Call);
  const auto *Body = Definition
                         ? dyn_cast_or_null<CompoundStmt>(Definition->getBody())
                         : nullptr;
  return Body && Depth < 4 &&
         !holds(
             Body, [](const Stmt &Part) { return isa<ReturnStmt>(Part); }) &&
         llvm::any_of(
             Body->body(),
             [&](const Stmt *Part) { return endsThread(*Part, Depth + 1); });
}

} // namespace

bool endsThread(const Stmt &S) { return endsThread(S, 0); }

llvm::SmallVector<const Stmt *, 8> goingOn(const Stmt &Loop,
                                           const FunctionDecl &Function) {
  return GoingOn(Loop, Function.getASTContext()).Parts;
}

} // namespace barricade::waiting

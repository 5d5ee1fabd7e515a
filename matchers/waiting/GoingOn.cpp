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

#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::waiting {
namespace {

using Statements = llvm::ArrayRef<const Stmt *>;

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

  /// \p BreakLeaves: a `break` there is the loop's own.
  void add(const Stmt *S, bool BreakLeaves) {
    if (!S || (leaves(*S, BreakLeaves) && !mayGoOn(*S)))
      return;
    if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
      addSequence(sequenceOf(*Block), BreakLeaves);
    } else if (const auto *If = dyn_cast<IfStmt>(S)) {
      Parts.append(
          {If->getInit(), If->getConditionVariableDeclStmt(), If->getCond()});
      add(If->getThen(), BreakLeaves);
      add(If->getElse(), BreakLeaves);
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
  void addSequence(Statements Sequence, bool BreakLeaves) {
    if (leaves(Sequence, BreakLeaves))
      while (!Sequence.empty() && !mayGoOn(*Sequence.back()))
        Sequence = Sequence.drop_back();
    for (const Stmt *S : Sequence)
      add(&withoutLabels(*S), BreakLeaves);
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
    return isa<ReturnStmt>(S) || (isa<GotoStmt>(S) && !staysInLoop(S)) ||
           (BreakLeaves && isa<BreakStmt>(S));
  }

  bool leaves(Statements Sequence, bool BreakLeaves) const {
    return (!Sequence.empty() && leaves(*Sequence.back(), BreakLeaves)) ||
           llvm::any_of(Sequence, [&](const Stmt *S) { return endsLoop(*S); });
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
    return holds(&S, [&](const Stmt &Part) {
      return isa<ContinueStmt, IndirectGotoStmt>(Part) || staysInLoop(Part);
    });
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
};

} // namespace

llvm::SmallVector<const Stmt *, 8> goingOn(const Stmt &Loop,
                                           const FunctionDecl &Function) {
  return GoingOn(Loop, Function.getASTContext()).Parts;
}

} // namespace barricade::waiting

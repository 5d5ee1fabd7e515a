// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An atomic that is called for what it finds, and does not look twice at one
// place: what it finds says where it looks next, until a place leads to itself.
// So the sets of a union-find are joined:
//
//   while ((next = atomicCAS(&parent[root], root, other)) != root)
//     root = next;

#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace clang;

namespace barricade::waiting {
namespace {

/// \p S, which may be null, a part of a loop's body, leaves the loop.
bool leavesLoop(const Stmt *S) {
  return breaksOut(S) ||
         holds(S, [](const Stmt &Part) { return isa<ReturnStmt>(Part); });
}

/// The variable that has the value of \p E: its name, or an assignment to it.
const VarDecl *holderOf(const Expr &E) {
  const auto *Op = dyn_cast<BinaryOperator>(E.IgnoreParenImpCasts());
  return variableOf(Op && Op->getOpcode() == BO_Assign ? *Op->getLHS() : E);
}

class LinkWalk {
public:
  LinkWalk(const CallExpr &Look, const FunctionDecl &Function)
      : Look(Look), Function(Function), Variables(Function) {}

  bool isOne() const {
    return holds(Look.getArg(0), [&](const Stmt &Part) {
      const VarDecl *Place = variableNamedBy(Part);
      return Place && isLed(*Place);
    });
  }

private:
  /// What was found is put into \p Place, and compared with what was there.
  bool isLed(const VarDecl &Place) const {
    return Place.hasLocalStorage() &&
           llvm::any_of(Variables.of(Place), [&](const facts::VariableUse &U) {
             const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
             const VarDecl *Found =
                 Op && U.Kind == facts::UseKind::Assign && !U.IsPart
                     ? variableOf(*Op->getRHS())
                     : nullptr;
             return Found && isFound(*Found) && areCompared(*Found, Place);
           });
  }

  bool isFound(const VarDecl &Var) const {
    const auto IsLook = [&](const Expr *E) {
      return E && E->IgnoreParenImpCasts() == &Look;
    };
    return IsLook(Var.getInit()) ||
           llvm::any_of(Variables.of(Var), [&](const facts::VariableUse &U) {
             const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
             return Op && U.Kind == facts::UseKind::Assign &&
                    IsLook(Op->getRHS());
           });
  }

  /// Where they are equal, a loop ends.
  bool areCompared(const VarDecl &A, const VarDecl &B) const {
    return codeHolds(Function, [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      if (!Op || !Op->isEqualityOp() || !endsWalk(*Op))
        return false;
      const VarDecl *Left = holderOf(*Op->getLHS()),
                    *Right = holderOf(*Op->getRHS());
      return (Left == &A && Right == &B) || (Left == &B && Right == &A);
    });
  }

  /// Otherwise the walk goes on while a place leads to itself: it waits for
  /// another link.
  bool endsWalk(const BinaryOperator &Comparison) const {
    return codeHolds(Function, [&](const Stmt &S) {
      if (isLoop(S))
        return isWhereEqual(conditionOf(S), false, Comparison);
      const auto *If = dyn_cast<IfStmt>(&S);
      return If && ((leavesLoop(If->getThen()) &&
                     isWhereEqual(If->getCond(), true, Comparison)) ||
                    (leavesLoop(If->getElse()) &&
                     isWhereEqual(If->getCond(), false, Comparison)));
    });
  }

  /// \p Condition, or null, is \p Value if what \p Comparison compares is
  /// equal.
  bool isWhereEqual(const Expr *Condition, bool Value,
                    const BinaryOperator &Comparison,
                    unsigned Depth = 0) const {
    if (!Condition || Depth > 8)
      return false;
    const auto Is = [&](const Expr *Part, bool Wanted) {
      return isWhereEqual(Part, Wanted, Comparison, Depth + 1);
    };
    const Expr *Plain = Condition->IgnoreParenImpCasts();
    if (Plain == &Comparison)
      return (Comparison.getOpcode() == BO_EQ) == Value;
    if (const auto *Op = dyn_cast<UnaryOperator>(Plain))
      return Op->getOpcode() == UO_LNot && Is(Op->getSubExpr(), !Value);
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain)) {
      if (Op->isLogicalOp() && Value == (Op->getOpcode() == BO_LOr))
        return Is(Op->getLHS(), Value) || Is(Op->getRHS(), Value);
      return (Op->isLogicalOp() && Is(Op->getLHS(), Value) &&
              Is(Op->getRHS(), Value)) ||
             ((Op->isCommaOp() || Op->getOpcode() == BO_Assign) &&
              Is(Op->getRHS(), Value));
    }
    const VarDecl *Var = variableOf(*Plain);
    return Var && Var->hasLocalStorage() &&
           (Is(Var->getInit(), Value) ||
            assigns(*Var,
                    [&](const BinaryOperator &Op) {
                      return Is(Op.getRHS(), Value);
                    }) ||
            isSetUnlessEqual(*Var, !Value, Comparison, Depth));
  }

  bool assigns(const VarDecl &Var,
               llvm::function_ref<bool(const BinaryOperator &)> Test) const {
    return llvm::any_of(Variables.of(Var), [&](const facts::VariableUse &U) {
      const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
      return Op && U.Kind == facts::UseKind::Assign && !U.IsPart && Test(*Op);
    });
  }

  /// `again = false; if (next != root) again = true;`
  bool isSetUnlessEqual(const VarDecl &Var, bool Value,
                        const BinaryOperator &Comparison,
                        unsigned Depth) const {
    const auto Sets = [&](const BinaryOperator &Op, bool To) {
      return constantCondition(Op.getRHS(), Function.getASTContext()) == To;
    };
    return assigns(Var, [&](const auto &Op) { return Sets(Op, !Value); }) &&
           assigns(Var, [&](const BinaryOperator &Op) {
             return Sets(Op, Value) && isUnlessEqual(Op, Comparison, Depth);
           });
  }

  /// \p Part stands in a branch for what is not equal.
  bool isUnlessEqual(const Stmt &Part, const BinaryOperator &Comparison,
                     unsigned Depth) const {
    return codeHolds(Function, [&](const Stmt &S) {
      const auto *If = dyn_cast<IfStmt>(&S);
      return If &&
             ((contains(If->getThen(), &Part) &&
               isWhereEqual(If->getCond(), false, Comparison, Depth + 1)) ||
              (contains(If->getElse(), &Part) &&
               isWhereEqual(If->getCond(), true, Comparison, Depth + 1)));
    });
  }

  const CallExpr &Look;
  const FunctionDecl &Function;
  const facts::VariableFacts Variables;
};

} // namespace

bool followsLinks(const CallExpr &Look, const FunctionDecl &Function) {
  return LinkWalk(Look, Function).isOne();
}

} // namespace barricade::waiting

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

using namespace clang;

namespace barricade::waiting {
namespace {

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

  bool areCompared(const VarDecl &A, const VarDecl &B) const {
    return codeHolds(Function, [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      if (!Op || !Op->isEqualityOp() || staysWhereItIs(*Op))
        return false;
      const VarDecl *Left = holderOf(*Op->getLHS()),
                    *Right = holderOf(*Op->getRHS());
      return (Left == &A && Right == &B) || (Left == &B && Right == &A);
    });
  }

  /// The walk goes on while a place leads to itself: it waits for another link.
  bool staysWhereItIs(const BinaryOperator &Comparison) const {
    const auto Decides = [&](const Stmt *Condition) {
      return holds(Condition, [&](const Stmt &S) { return &S == &Comparison; });
    };
    const bool IsEqual = Comparison.getOpcode() == BO_EQ;
    return codeHolds(Function, [&](const Stmt &S) {
      const auto *If = dyn_cast<IfStmt>(&S);
      return (IsEqual && isLoop(S) && Decides(conditionOf(S))) ||
             (!IsEqual && If && leavesLoop(If->getThen()) &&
              Decides(If->getCond()));
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

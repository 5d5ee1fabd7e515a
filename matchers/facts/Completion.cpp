// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Completion.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace barricade::facts {
namespace {

/// A `break` in \p S, which may be null, leaves the loop or switch around it.
bool breaks(const Stmt *S) {
  if (!S || isa<LambdaExpr, SwitchStmt>(S) || isLoop(*S))
    return false;
  return isa<BreakStmt>(S) || llvm::any_of(S->children(), breaks);
}

/// A jump from a switch around \p S, or a goto, may lead into it.
bool hasLabel(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<SwitchCase, LabelStmt>(S))
    return true;
  // A switch's cases are its own.
  return isa<SwitchStmt>(S)
             ? holds(S, [](const Stmt &P) { return isa<LabelStmt>(P); })
             : llvm::any_of(S->children(), hasLabel);
}

class Completion {
public:
  Completion(const ASTContext &Context, Judged How,
             llvm::function_ref<bool(const Stmt &)> Leaves)
      : Context(Context), AsWritten(How == Judged::AsWritten), Leaves(Leaves) {}

  /// A statement that is not known completes.
  bool has(const Stmt *S) const {
    if (!S)
      return true;
    if (isa<ReturnStmt, BreakStmt, ContinueStmt>(S) || (Leaves && Leaves(*S)))
      return false;
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return has(Attributed->getSubStmt());
    if (const auto *Case = dyn_cast<SwitchCase>(S))
      return has(Case->getSubStmt());
    if (const auto *Label = dyn_cast<LabelStmt>(S))
      return has(Label->getSubStmt());
    if (const auto *If = dyn_cast<IfStmt>(S))
      return hasIf(*If);
    if (const auto *Block = dyn_cast<CompoundStmt>(S))
      return hasBlock(*Block);
    if (const auto *Switch = dyn_cast<SwitchStmt>(S))
      return hasSwitch(*Switch);
    return !isa<ForStmt, WhileStmt, DoStmt>(S) || hasLoop(*S);
  }

private:
  bool hasIf(const IfStmt &If) const {
    if (!If.isConsteval() && (If.isConstexpr() || !AsWritten))
      if (const std::optional<bool> Holds =
              constantCondition(If.getCond(), Context)) {
        const Stmt *Taken = *Holds ? If.getThen() : If.getElse();
        const Stmt *Other = *Holds ? If.getElse() : If.getThen();
        return has(Taken) || hasLabel(Other);
      }
    return has(If.getThen()) || has(If.getElse());
  }

  bool hasBlock(const CompoundStmt &Block) const {
    if (AsWritten && !Block.body_empty())
      return has(Block.body_back());
    bool IsReached = true;
    for (const Stmt *Part : Block.body())
      IsReached = (IsReached || hasLabel(Part)) && has(Part);
    return IsReached;
  }

  /// Without a default it may do nothing: an enumeration may have values that
  /// have no names.
  bool hasSwitch(const SwitchStmt &Switch) const {
    for (const SwitchCase *Case = Switch.getSwitchCaseList(); Case;
         Case = Case->getNextSwitchCase())
      if (isa<DefaultStmt>(Case))
        return breaks(Switch.getBody()) || has(Switch.getBody());
    return true;
  }

  bool hasLoop(const Stmt &Loop) const {
    const Stmt *Body = bodyOf(Loop);
    if (breaks(Body))
      return true;
    if (!AsWritten && isa<DoStmt>(Loop) && !has(Body) &&
        !holds(Body, [](const Stmt &S) { return isa<ContinueStmt>(S); }))
      return false;
    const Expr *Condition = conditionOf(Loop);
    return Condition && !constantCondition(Condition, Context).value_or(false);
  }

  const ASTContext &Context;
  const bool AsWritten;
  const llvm::function_ref<bool(const Stmt &)> Leaves;
};

} // namespace

bool completesNormally(const Stmt *S, const ASTContext &Context, Judged How,
                       llvm::function_ref<bool(const Stmt &)> Leaves) {
  return Completion(Context, How, Leaves).has(S);
}

} // namespace barricade::facts

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/UntilWait.h"
#include "matchers/facts/Completion.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

/// What \p S, if it is a loop, evaluates only behind its body.
static const Expr *evaluatedAgain(const Stmt &S) {
  if (const auto *For = dyn_cast<ForStmt>(&S))
    return For->getInc();
  const auto *Do = dyn_cast<DoStmt>(&S);
  return Do ? Do->getCond() : nullptr;
}

/// A variable in \p E has no value where it is declared.
static bool mayBeUnset(const Expr &E) {
  return holds(&E, [](const Stmt &S) {
    const VarDecl *Var = variableNamedBy(S);
    return Var && facts::beginsUnset(*Var);
  });
}

namespace {

class UntilWait {
public:
  UntilWait(const Plan &P, TextPatch &Patch, NameSet &Left)
      : P(P), Patch(Patch), Left(Left) {
    for (const LoopAction &A : P.L.Actions)
      if (A.waits())
        Leaving.insert(A.Statement);
  }

  /// Removes what no way leads to in \p S.
  void removeUnreached(const Stmt &S) {
    if (llvm::any_of(P.L.Actions,
                     [&](const LoopAction &A) { return A.Statement == &S; }))
      return;
    const auto *Block = dyn_cast<CompoundStmt>(&S);
    bool IsReached = true;
    for (const Stmt *Part : S.children()) {
      if (!Part)
        continue;
      if (!IsReached) {
        addNames(Part, Left);
        continue;
      }
      removeUnreached(*Part);
      IsReached = !Block || isPassed(*Part);
      if (!IsReached)
        removeRest(*Part, *Block);
    }
    if (isLoop(S))
      removeUnreachedOf(S);
  }

private:
  bool isPassed(const Stmt &S) const {
    return facts::completesNormally(
        &S, P.Context, facts::Judged::ByValues,
        [&](const Stmt &Part) { return Leaving.contains(&Part); });
  }

  /// The same of what \p Loop does but run its body.
  void removeUnreachedOf(const Stmt &Loop) {
    const Stmt *Body = bodyOf(Loop);
    const bool ComesAgain = isPassed(*Body) || jumps<ContinueStmt>(Body);
    if (const Expr *Again = evaluatedAgain(Loop);
        Again && !ComesAgain && mayBeUnset(*Again))
      removeAgain(*Again, isa<DoStmt>(Loop));
    const Expr *Condition = conditionOf(Loop);
    const bool IsEndless = isa<DoStmt>(Loop) && !ComesAgain;
    if ((IsEndless || !Condition ||
         constantCondition(Condition, P.Context) == true) &&
        !jumps<BreakStmt>(Body))
      Leaving.insert(&Loop);
  }

  /// A jump of the loop around \p S, which may be null, is left.
  template <typename Jump> bool jumps(const Stmt *S) const {
    if (!S || isLoop(*S) || isa<LambdaExpr>(S))
      return false;
    if (isa<Jump>(S))
      return !Patch.replaces(P.offset(P.SM.getExpansionLoc(S->getBeginLoc())));
    return llvm::any_of(S->children(),
                        [&](const Stmt *Child) { return jumps<Jump>(Child); });
  }

  void removeAgain(const Expr &E, bool IsCondition) {
    const std::optional<CharSourceRange> Range = P.Source.fileRange(E);
    if (!Range)
      return P.refuse(ReasonId::InMacro, E.getBeginLoc());
    Patch.replace(P.offset(Range->getBegin()), P.offset(Range->getEnd()),
                  IsCondition ? "false" : "");
    addNames(&E, Left);
  }

  /// Removes what follows \p Last, or what checks it, in \p Block.
  void removeRest(const Stmt &Last, const CompoundStmt &Block) {
    if (Block.body_back() == &Last)
      return;
    const auto A = llvm::find_if(P.L.Actions, [&](const LoopAction &Each) {
      return Each.Statement == &Last;
    });
    const SourceLocation From = A != P.L.Actions.end()
                                    ? extentOf(P, *A).second
                                    : extentOf(P, Last).second;
    const SourceLocation Close = Block.getRBracLoc();
    if (From.isInvalid() || !SourceText::isWritable(Close))
      return P.refuse(ReasonId::InMacro, Last.getBeginLoc());
    const llvm::StringRef Rest =
        P.Source.text(CharSourceRange::getCharRange(From, Close)).rtrim();
    Patch.replace(P.offset(From), P.offset(From) + unsigned(Rest.size()), "");
  }

  const Plan &P;
  TextPatch &Patch;
  NameSet &Left; ///< Names that are gone.
  /// Statements behind which no way leads, waits and others.
  llvm::SmallPtrSet<const Stmt *, 8> Leaving;
};

} // namespace

void removeBehindWaits(const Plan &P, TextPatch &Patch, NameSet &Left) {
  UntilWait(P, Patch, Left).removeUnreached(*P.L.Loop);
}

} // namespace barricade::grid_barrier::persistent

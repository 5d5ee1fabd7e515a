// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/Continuation.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/CountedLoop.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

using facts::haveOneType;

class Reader {
public:
  Reader(const RelaunchLoop &L, const SourceText &Source)
      : L(L), Source(Source), Context(L.Function->getASTContext()) {}

  std::optional<Continuation> read() {
    const auto *For = dyn_cast<ForStmt>(L.Loop);
    if (!isEnteredAgain() || (For && !readInit(For->getInit())))
      return std::nullopt;
    // Those that get their values in an iteration may keep them for others.
    for (const VarDecl *Var : L.Unset)
      if (isNeededByRest(*Var, L) && !L.SetAnew.contains(Var) &&
          !llvm::is_contained(Result.Own, Var))
        return std::nullopt;
    if (For &&
        !holds(For->getBody(), [](const Stmt &S) { return isa<BreakStmt>(S); }))
      readRemaining(*For);
    return std::move(Result);
  }

private:
  /// The loop's condition held when the iteration began, and still does.
  bool isEnteredAgain() const {
    if (isa<DoStmt>(L.Loop))
      return true;
    const Expr *Condition = conditionOf(*L.Loop);
    return isa<ForStmt, WhileStmt>(L.Loop) &&
           (!Condition || !Condition->HasSideEffects(Context));
  }

  bool readInit(const Stmt *Init) {
    if (!Init)
      return true;
    const SourceLocation Begin = Init->getBeginLoc();
    const SourceLocation End = Source.afterStatement(*Init);
    if (!SourceText::isWritable(Begin) || End.isInvalid())
      return false;
    // The semicolon stays.
    Result.Init =
        CharSourceRange::getCharRange(Begin, End.getLocWithOffset(-1));
    if (const auto *Declaration = dyn_cast<DeclStmt>(Init))
      return llvm::all_of(Declaration->decls(), [&](const Decl *D) {
        const auto *Var = dyn_cast<VarDecl>(D);
        return addOwn(Var) && isNotRead(*Var, *Declaration);
      });
    return readAssignments(*cast<Expr>(Init));
  }

  bool readAssignments(const Expr &E) {
    const auto *Op = dyn_cast<BinaryOperator>(E.IgnoreParens());
    if (Op && Op->getOpcode() == BO_Comma)
      return readAssignments(*Op->getLHS()) && readAssignments(*Op->getRHS());
    const VarDecl *Var = Op && Op->getOpcode() == BO_Assign
                             ? variableOf(*Op->getLHS())
                             : nullptr;
    return Var && (!L.Unset.contains(Var) || addOwn(Var));
  }

  /// Types that a kernel can name wherever they were named.
  bool addOwn(const VarDecl *Var) {
    if (!Var || !Var->getType().getCanonicalType()->isBuiltinType() ||
        Var->getType().isVolatileQualified())
      return false;
    if (isNeededByRest(*Var, L))
      Result.Own.push_back(Var);
    return true;
  }

  /// No value that \p Init gives is of a variable named like \p Var: of itself,
  /// as in `int i = 0, j = i`, or of one that it hides. Where an iteration
  /// begins, the value's text would mean something else.
  static bool isNotRead(const VarDecl &Var, const DeclStmt &Init) {
    return !holds(&Init, [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      return Ref && Ref->getDecl()->getDeclName() == Var.getDeclName();
    });
  }

  /// Of `for (...; v < e; ++v)` and its likes.
  void readRemaining(const ForStmt &For) {
    const auto Counted = facts::readCountedLoop(For, Context);
    if (!Counted || !haveOneType(*Counted->Least, *Counted->Most, Context))
      return;
    const Expr *Most = Counted->Most, *Least = Counted->Least;
    const Expr *By = Counted->Step;
    if (!Source.fileRange(*Most) || !Source.fileRange(*Least) ||
        (By && (!Source.fileRange(*By) || !hasValueBefore(*By) ||
                !haveOneType(*By, *Counted->counter(), Context))))
      return;
    std::string End = termOf(*Most, /*IsFirst=*/true);
    // The loop may go from one end of its type to the other, and the difference
    // may not.
    if (!isNeverNegative(Counted->CountsUp ? startOf(*Counted, For) : Least) ||
        (By && !isNeverNegative(By))) {
      if (Context.getIntWidth(Counted->Counter->getType()) >=
          Context.getIntWidth(Context.LongLongTy))
        return;
      End = "static_cast<long long>(" +
            Source.text(*Source.fileRange(*Most)).str() + ")";
    }
    Result.Remaining = End + " - " + termOf(*Least, /*IsFirst=*/false);
    if (By)
      Result.Remaining += ", " + Source.text(*Source.fileRange(*By)).str();
  }

  /// An iteration need not have set what the loop goes on by, as `d` or `*p` of
  /// `i += 12 / d` or `i += *p`.
  bool hasValueBefore(const Expr &By) const {
    const VarDecl *Var = variableOf(By);
    return (!By.isValueDependent() && By.isIntegerConstantExpr(Context)) ||
           (Var && !Var->getType()->isReferenceType() &&
            !facts::beginsUnset(*Var));
  }

  /// What \p E comes to in the type that it is converted to.
  bool isNeverNegative(const Expr *E) const {
    if (!E || E->isValueDependent())
      return false;
    const auto Value = facts::integerOf(*E, Context);
    return E->getType()->isUnsignedIntegerType() ||
           (Value && !Value->isNegative());
  }

  /// The least value of the counter of \p Counted, which \p For counts up; null
  /// where its body changes it.
  const Expr *startOf(const facts::CountedLoop &Counted,
                      const ForStmt &For) const {
    return facts::VariableFacts(For.getBody()).isOnlyRead(*Counted.Counter)
               ? Counted.First
               : nullptr;
  }

  /// Of a difference.
  std::string termOf(const Expr &E, bool IsFirst) const {
    const Expr *Plain = E.IgnoreImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    const bool BindsTighter =
        !isa<ConditionalOperator>(Plain) &&
        (!Op || Op->isMultiplicativeOp() || (IsFirst && Op->isAdditiveOp()));
    const std::string Text = Source.text(*Source.fileRange(E)).str();
    return BindsTighter ? Text : "(" + Text + ")";
  }

  const RelaunchLoop &L;
  const SourceText &Source;
  ASTContext &Context;
  Continuation Result;
};

} // namespace

std::optional<Continuation> continuationOf(const RelaunchLoop &L,
                                           const SourceText &Source) {
  return Reader(L, Source).read();
}

bool isNeededByRest(const VarDecl &Var, const RelaunchLoop &L) {
  const auto *For = dyn_cast<ForStmt>(L.Loop);
  NameSet Elsewhere = namesForHost(L), All;
  addNames(For ? For->getInit() : nullptr, Elsewhere);
  addNames(L.Loop, All);
  return llvm::any_of(All, [&](const Stmt *Name) {
    return cast<DeclRefExpr>(Name)->getDecl() == &Var &&
           !Elsewhere.contains(Name);
  });
}

} // namespace barricade::grid_barrier

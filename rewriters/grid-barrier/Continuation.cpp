// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/Continuation.h"
#include "matchers/Statements.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

const VarDecl *variableOf(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E.IgnoreParenImpCasts());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

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
        if (Var)
          First[Var] = Var->getInit();
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
    if (Var)
      First[Var] = Op->getRHS();
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
    const auto *Comparison = dyn_cast_or_null<BinaryOperator>(
        For.getCond() ? For.getCond()->IgnoreParenImpCasts() : nullptr);
    const std::optional<Stride> Step = strideOf(For.getInc());
    if (!Step || !Comparison || !Comparison->isComparisonOp() ||
        Comparison->getOpcode() == BO_EQ)
      return;
    const VarDecl *Var = Step->Of;
    const Expr *Left = Comparison->getLHS(), *Right = Comparison->getRHS();
    if (!Var || (variableOf(*Left) != Var) == (variableOf(*Right) != Var) ||
        !hasOneType(*Left, *Right))
      return;
    // What counts up has its end ahead.
    const bool IsLeft = variableOf(*Left) == Var;
    const Expr *Most = IsLeft == Step->IsUp ? Right : Left;
    const Expr *Least = Most == Left ? Right : Left;
    if (!Source.fileRange(*Most) || !Source.fileRange(*Least) ||
        (Step->By &&
         (!Source.fileRange(*Step->By) || !hasOneType(*Step->By, *Left))))
      return;
    std::string End = termOf(*Most, /*IsFirst=*/true);
    // The loop may go from one end of its type to the other, and the difference
    // may not.
    if (!isNeverNegative(Step->IsUp ? startOf(*Var, For) : Least) ||
        (Step->By && !isNeverNegative(Step->By))) {
      if (Context.getIntWidth(Var->getType()) >=
          Context.getIntWidth(Context.LongLongTy))
        return;
      End = "static_cast<long long>(" +
            Source.text(*Source.fileRange(*Most)).str() + ")";
    }
    Result.Remaining = End + " - " + termOf(*Least, /*IsFirst=*/false);
    if (Step->By)
      Result.Remaining +=
          ", " + Source.text(*Source.fileRange(*Step->By)).str();
  }

  /// What \p E comes to in the type that it is converted to.
  bool isNeverNegative(const Expr *E) const {
    Expr::EvalResult Value;
    return E && !E->isValueDependent() &&
           (E->getType()->isUnsignedIntegerType() ||
            (E->EvaluateAsInt(Value, Context) &&
             !Value.Val.getInt().isNegative()));
  }

  /// The least value of \p Counter, which \p For counts up; null where its body
  /// changes it.
  const Expr *startOf(const VarDecl &Counter, const ForStmt &For) const {
    return facts::VariableFacts(For.getBody()).isOnlyRead(Counter)
               ? First.lookup(&Counter)
               : nullptr;
  }

  struct Stride {
    const VarDecl *Of;
    bool IsUp;
    const Expr *By; ///< Null: one.
  };

  std::optional<Stride> strideOf(const Expr *Increment) const {
    const auto *Unary = dyn_cast_or_null<UnaryOperator>(Increment);
    if (Unary && Unary->isIncrementDecrementOp())
      return Stride{variableOf(*Unary->getSubExpr()), Unary->isIncrementOp(),
                    nullptr};
    const auto *Sum = dyn_cast_or_null<CompoundAssignOperator>(Increment);
    if (!Sum ||
        (Sum->getOpcode() != BO_AddAssign &&
         Sum->getOpcode() != BO_SubAssign) ||
        Sum->getRHS()->HasSideEffects(Context) ||
        isa<BinaryOperator>(Sum->getRHS()->IgnoreImpCasts()))
      return std::nullopt;
    return Stride{variableOf(*Sum->getLHS()), Sum->getOpcode() == BO_AddAssign,
                  Sum->getRHS()};
  }

  /// Else a difference might be a conversion that compilers warn of, as they do
  /// not of a number's.
  bool hasOneType(const Expr &A, const Expr &B) const {
    const Expr *PlainA = A.IgnoreParenImpCasts(),
               *PlainB = B.IgnoreParenImpCasts();
    return PlainA->getType()->isIntegerType() &&
           PlainB->getType()->isIntegerType() &&
           (isa<IntegerLiteral>(PlainA) || isa<IntegerLiteral>(PlainB) ||
            Context.hasSameUnqualifiedType(PlainA->getType(),
                                           PlainB->getType()));
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
  /// What the loop begins with; null where nobody says.
  llvm::DenseMap<const VarDecl *, const Expr *> First;
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

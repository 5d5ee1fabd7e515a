// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/ElementReads.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/grid-barrier/SmallValues.h"
#include "matchers/host/HostCalls.h"
#include "matchers/host/HostVariables.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;

namespace barricade::grid_barrier {

using facts::UseKind;
using facts::VariableUse;

namespace {

/// The variable that the lvalue \p E is as a whole, or null.
const VarDecl *wholeVariable(const Expr &E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E.IgnoreParens());
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// A place that gives a variable another value.
struct Change {
  const VarDecl *Var;
  const Expr *By; ///< An assignment, `++x`, or else the new value.
};

/// All changes of variables in a statement.
struct ChangesIn {
  std::vector<Change> All;
  /// Variables to which it does what is not understood.
  llvm::SmallPtrSet<const VarDecl *, 4> Unfollowed;

  ChangesIn(const Stmt &S, const SourceManager &SM) {
    (void)holds(&S, [&](const Stmt &Part) {
      if (const auto *Declaration = dyn_cast<DeclStmt>(&Part))
        for (const Decl *D : Declaration->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->getInit())
            All.push_back({Var, Var->getInit()});
      return false;
    });
    for (const auto &[Var, Uses] : facts::VariableFacts(&S))
      for (const VariableUse &U : Uses) {
        const Expr *By = U.Kind == UseKind::Assign || U.Kind == UseKind::Step
                             ? dyn_cast_or_null<Expr>(U.By)
                             : host::swappedWith(U, SM);
        if (U.Kind != UseKind::Read && (!By || U.IsPart || U.In))
          Unfollowed.insert(Var);
        else if (By)
          All.push_back({Var, By});
      }
  }
};

class ElementReader {
public:
  ElementReader(const VarDecl &Array, const Stmt &Loop,
                const host::HostVariables &Variables, ASTContext &Context)
      : Array(Array), Loop(Loop), Variables(Variables), Context(Context),
        Changes(Loop, Context.getSourceManager()) {}

  unsigned count(llvm::ArrayRef<const ArraySubscriptExpr *> Reads) {
    findValues();
    int64_t Last = -1;
    for (const ArraySubscriptExpr *Read : Reads) {
      const SmallValues Index = indexOf(*Read);
      if (!Index.constants() || Index.constants()->empty() ||
          !Index.isNonNegative())
        return 0;
      Last = std::max(Last, Index.constants()->back());
    }
    runFirstIteration();
    for (int64_t Index = 0; Index <= Last; ++Index)
      if (!ReadAtFirst.count(Index))
        return 0;
    return unsigned(Last + 1);
  }

private:
  using State = std::map<const VarDecl *, SmallValues>;

  SmallValues valuesOf(const Expr &E) const {
    return grid_barrier::valuesOf(
        E, [&](const VarDecl &Var) { return valuesOf(Var); }, Context);
  }
  SmallValues valuesOf(const VarDecl &Var) const {
    const auto Found = Values.find(&Var);
    return Found == Values.end() ? valuesBefore(Var) : Found->second;
  }
  SmallValues indexOf(const ArraySubscriptExpr &Read) const {
    return valuesOf(*Read.getIdx());
  }

  SmallValues unknown(const VarDecl &Var) const {
    return grid_barrier::valuesOf(Var.getType(), Context);
  }

  /// What \p C gives to its variable.
  SmallValues valuesBy(const Change &C) const {
    if (!isFollowed(*C.Var))
      return unknown(*C.Var);
    const QualType Type = C.Var->getType();
    if (const auto *Op = dyn_cast<CompoundAssignOperator>(C.By))
      return valuesAfter(
          valuesOf(*C.Var),
          BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()),
          valuesOf(*Op->getRHS()), Type, Op->getComputationResultType(),
          Context);
    if (const auto *Op = dyn_cast<BinaryOperator>(C.By);
        Op && Op->isAssignmentOp())
      return valuesOf(*Op->getRHS());
    if (const auto *Op = dyn_cast<UnaryOperator>(C.By);
        Op && Op->isIncrementDecrementOp())
      return valuesAfter(valuesOf(*C.Var),
                         Op->isIncrementOp() ? BO_Add : BO_Sub,
                         SmallValues::one(1), Type,
                         Context.isPromotableIntegerType(Type)
                             ? Context.getPromotedIntegerType(Type)
                             : Type,
                         Context);
    if (const VarDecl *Other =
            C.By->isLValue() ? wholeVariable(*C.By) : nullptr)
      return valuesOf(*Other); // swapped
    return valuesOf(*C.By);
  }

  //===--- In any iteration -----------------------------------------------===//

  /// What variables that the loop changes may be at any time in it.
  void findValues() {
    for (const Change &C : Changes.All)
      Values.try_emplace(C.Var, declares(&Loop, *C.Var) ? SmallValues::none()
                                                        : valuesBefore(*C.Var));
    for (bool Again = true; Again;) {
      Again = false;
      for (const Change &C : Changes.All) {
        SmallValues New = Values[C.Var];
        New.include(valuesBy(C));
        Again |= New != Values[C.Var];
        Values[C.Var] = New;
      }
    }
  }

  /// Nothing but the loop's own statements changes \p Var there.
  bool isFollowed(const VarDecl &Var) const {
    return Var.hasLocalStorage() && !Var.getType()->isReferenceType() &&
           !Var.getType().isVolatileQualified() && !Variables.isShared(Var) &&
           !Changes.Unfollowed.count(&Var);
  }

  //===--- Before the loop ------------------------------------------------===//

  /// What \p Var, of outside, is when the loop begins.
  SmallValues valuesBefore(const VarDecl &Var) const {
    const Expr *Value = isFollowed(Var) && !Variables.hasGoto()
                            ? lastValueBefore(Loop, Var)
                            : nullptr;
    const auto Constant =
        Value ? facts::integerOf(*Value, Context) : std::nullopt;
    const auto Number = Constant ? Constant->tryExtValue() : std::nullopt;
    return Number ? SmallValues::one(*Number) : unknown(Var);
  }

  /// The value that \p Var was given last, where each way to \p S leads there
  /// from one declaration or assignment; else null.
  const Expr *lastValueBefore(const Stmt &S, const VarDecl &Var) const {
    const Stmt *Parent = parentOf(S, Context);
    if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Parent)) {
      const auto Place = llvm::find(Block->body(), &S);
      for (const Stmt *Earlier :
           llvm::reverse(llvm::make_range(Block->body_begin(), Place))) {
        if (isa<SwitchCase>(Earlier))
          return nullptr;
        const Expr *Value = valueGivenBy(*Earlier, Var);
        if (Value || mayChange(*Earlier, Var))
          return Value;
      }
    }
    // Around a loop or a switch, control comes from elsewhere, too.
    const auto *If = dyn_cast_or_null<IfStmt>(Parent);
    const bool IsOneWay =
        If ? !If->getInit() && !If->isConsteval() &&
                 !mayChange(*If->getCond(), Var)
           : isa_and_nonnull<CompoundStmt, AttributedStmt>(Parent);
    return IsOneWay ? lastValueBefore(*Parent, Var) : nullptr;
  }

  static const Expr *valueGivenBy(const Stmt &S, const VarDecl &Var) {
    // `int x = 1, y = x++` changes it again.
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      return llvm::is_contained(Declaration->decls(), &Var) &&
                     !mayChange(S, Var)
                 ? Var.getInit()
                 : nullptr;
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    return Op && Op->getOpcode() == BO_Assign &&
                   wholeVariable(*Op->getLHS()) == &Var
               ? Op->getRHS()
               : nullptr;
  }

  static bool mayChange(const Stmt &S, const VarDecl &Var) {
    const facts::VariableFacts Facts(&S);
    return llvm::any_of(Facts.of(Var), [](const VariableUse &U) {
      return U.Kind != UseKind::Read;
    });
  }

  //===--- In the first iteration -----------------------------------------===//

  /// Notes the elements that the first iteration reads before its way forks, or
  /// it calls anything but kernels.
  void runFirstIteration() {
    for (auto &[Var, Old] : Values)
      Old = declares(&Loop, *Var) ? unknown(*Var) : valuesBefore(*Var);
    if (const auto *For = dyn_cast<ForStmt>(&Loop); For && For->getInit())
      run(*For->getInit());
    if (const Expr *Condition = conditionOf(Loop);
        Condition && !isa<DoStmt>(Loop))
      forgetChangesIn(*Condition);
    ReadAtFirst.clear();
    run(*bodyOf(Loop));
  }

  /// False where what follows may not be run.
  bool run(const Stmt &S) {
    if (const auto *Block = dyn_cast<CompoundStmt>(&S))
      return llvm::all_of(Block->body(),
                          [&](const Stmt *Inner) { return run(*Inner); });
    if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(&S))
      return run(*Cleanups->getSubExpr());
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(&S)) {
      for (const Expr *Arg : Launch->arguments())
        noteReads(*Arg);
      return true;
    }
    if (!isa<Expr, DeclStmt, NullStmt>(S) || callsOthers(S))
      return false;
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S)) {
      for (const Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->getInit())
          run({Var, Var->getInit()}, *Var->getInit());
    } else if (const auto *Op = dyn_cast<BinaryOperator>(&S);
               Op && Op->isAssignmentOp() && wholeVariable(*Op->getLHS())) {
      run({wholeVariable(*Op->getLHS()), Op}, *Op->getRHS());
    } else {
      runTogether(S);
    }
    return true;
  }

  /// \p C gets its value from \p Value.
  void run(const Change &C, const Expr &Value) {
    if (Value.HasSideEffects(Context)) {
      forgetChangesIn(Value);
      Values[C.Var] = unknown(*C.Var);
    } else {
      noteReads(Value);
      Values[C.Var] = valuesBy(C);
    }
  }

  /// `++x`, or a swap; whether and in what order others change variables is not
  /// looked at.
  void runTogether(const Stmt &S) {
    const ChangesIn Here(S, Context.getSourceManager());
    const bool IsPlain =
        isSwap(S) || (isa<UnaryOperator>(S) && Here.All.size() == 1 &&
                      Here.All.front().By == &S);
    State New;
    for (const Change &C : Here.All)
      New[C.Var] = IsPlain ? valuesBy(C) : unknown(*C.Var);
    for (const auto &[Var, Value] : New)
      Values[Var] = Value;
  }

  void forgetChangesIn(const Expr &E) {
    for (const Change &C : ChangesIn(E, Context.getSourceManager()).All)
      Values[C.Var] = unknown(*C.Var);
  }

  void noteReads(const Expr &E) {
    (void)alwaysEvaluates(&E, [&](const Stmt &S) {
      const auto *Read = dyn_cast<ImplicitCastExpr>(&S);
      const auto *Element =
          Read && Read->getCastKind() == CK_LValueToRValue
              ? dyn_cast<ArraySubscriptExpr>(Read->getSubExpr()->IgnoreParens())
              : nullptr;
      if (Element &&
          wholeVariable(*Element->getBase()->IgnoreImpCasts()) == &Array)
        if (const auto Index = indexOf(*Element).constant())
          ReadAtFirst.insert(*Index);
      return false;
    });
  }

  host::HostCallKind kindOf(const CallExpr &Call) const {
    return host::classifyHostCall(Call, Context.getSourceManager());
  }
  bool isSwap(const Stmt &S) const {
    const auto *Call = dyn_cast<CallExpr>(&S);
    return Call && kindOf(*Call) == host::HostCallKind::Swap;
  }
  /// Such a call may wait, or end the program.
  bool callsOthers(const Stmt &S) const {
    return holds(&S, [&](const Stmt &Inner) {
      const auto *Call = dyn_cast<CallExpr>(&Inner);
      return Call && !llvm::is_contained({host::HostCallKind::Swap,
                                          host::HostCallKind::Extremum,
                                          host::HostCallKind::Rounding},
                                         kindOf(*Call));
    });
  }

  const VarDecl &Array;
  const Stmt &Loop;
  const host::HostVariables &Variables;
  ASTContext &Context;
  const ChangesIn Changes; ///< In the loop.
  State Values;
  std::set<int64_t> ReadAtFirst;
};

} // namespace

unsigned countElementsRead(const VarDecl &Array,
                           llvm::ArrayRef<const ArraySubscriptExpr *> Reads,
                           const Stmt &Loop,
                           const host::HostVariables &Variables,
                           ASTContext &Context) {
  return ElementReader(Array, Loop, Variables, Context).count(Reads);
}

} // namespace barricade::grid_barrier

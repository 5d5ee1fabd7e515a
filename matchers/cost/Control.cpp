// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs, how often, and what the ways through it join to.

#include "matchers/cost/AssignedVariables.h"
#include "matchers/cost/Execution.h"
#include "matchers/cost/Unrolling.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

static bool isAlwaysTrue(const Expr &E) {
  const Expr *Plain = E.IgnoreParenImpCasts();
  if (const auto *Bool = dyn_cast<CXXBoolLiteralExpr>(Plain))
    return Bool->getValue();
  const auto *Literal = dyn_cast<IntegerLiteral>(Plain);
  return Literal && Literal->getValue() != 0;
}

/// Joins the current environment with \p Other: a variable with two values is a
/// third value. Returns how many there are.
unsigned Execution::merge(const Environment &Other, bool AsSelect,
                          Id Condition) {
  unsigned Merged = 0;
  for (auto &[V, Value] : Env) {
    auto It = Other.find(V);
    if (It == Other.end() || It->second == Value)
      continue;
    Value = Graph.fresh(Level, {Value, It->second, Condition}, AsSelect);
    ++Merged;
  }
  return Merged;
}

/// Variables that \p S names and that something else than their names may
/// change, `*p` of `p = &v`.
void Execution::noteExposed(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
        V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
        !V->getType()->isArrayType() && Current->Values->isExposed(*V) &&
        Exposed.insert(V))
      Env.try_emplace(V, Graph.value("variable", {}, 0, V));
  for (const Stmt *Child : S->children())
    noteExposed(Child);
}

/// \p V is of the function that runs, or of one that it was called from.
bool Execution::isOfCallers(const VarDecl &V) const {
  const Frame *F = Current;
  while (F && !V.getDeclContext()->Encloses(F->Function))
    F = F->Caller;
  return F != nullptr;
}

/// \p V has in an iteration of \p Loop what the one before has left in it.
bool Execution::outlivesIteration(const VarDecl &V, const Stmt &Loop) const {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *Init = dyn_cast_or_null<DeclStmt>(For ? For->getInit() : nullptr);
  return Current->Values->isDeclaredOutside(V, Loop) ||
         (Init && llvm::is_contained(Init->decls(), &V));
}

/// Notes which variables of outside have changed since \p Before, besides \p
/// Assigned.
void Execution::noteOtherChanges(const Stmt &Loop, const Environment &Before,
                                 llvm::ArrayRef<const VarDecl *> Assigned) {
  std::vector<const VarDecl *> &Changed = Summaries[&Loop].ChangedOtherwise;
  for (const auto &[V, Value] : Env) {
    const auto It = Before.find(V);
    const Id Old =
        It == Before.end() ? Graph.value("variable", {}, 0, V) : It->second;
    if (Value != Old && !llvm::is_contained(Assigned, V) && isOfCallers(*V) &&
        outlivesIteration(*V, Loop))
      Changed.push_back(V);
  }
  llvm::sort(Changed, [](const VarDecl *A, const VarDecl *B) {
    return A->getLocation() < B->getLocation();
  });
}

void Execution::runIf(const IfStmt &If) {
  run(If.getInit());
  run(If.getConditionVariableDeclStmt());
  if (If.isConsteval()) // What runs is no constant expression.
    return run(If.isNegatedConsteval() ? If.getThen() : If.getElse());
  if (If.isConstexpr() && !If.getCond()->isValueDependent())
    if (auto Taken = If.getNondiscardedCase(Ctx))
      return run(*Taken);
  Id Condition = condition(If.getCond());
  // Variables that only a branch assigns had a value before it, too.
  llvm::SmallSetVector<const VarDecl *, 8> Assigned;
  collectAssigned(If.getThen(), Assigned);
  collectAssigned(If.getElse(), Assigned);
  for (const VarDecl *V : Assigned)
    Env.try_emplace(V, Graph.value("variable", {}, 0, V));
  Environment Before = Env;
  std::vector<AvailableValue> AvailableBefore = Available;
  unsigned JumpsBefore = Jumps, EffectsBefore = SideEffects;
  size_t OperationsBefore = Operations.size();
  llvm::SaveAndRestore Saved(ConditionDepth, ConditionDepth + 1);
  run(If.getThen());
  std::swap(Env, Before);
  std::swap(Available, AvailableBefore);
  run(If.getElse());
  llvm::erase_if(Available, [&](const AvailableValue &A) {
    return llvm::none_of(AvailableBefore, [&](const AvailableValue &B) {
      return A.Value == B.Value;
    });
  });
  // Arms that only compute are executed both, and the results selected.
  bool OnlyComputes = Jumps == JumpsBefore && SideEffects == EffectsBefore &&
                      Operations.size() == OperationsBefore;
  merge(Before, OnlyComputes, Condition);
  if (!OnlyComputes)
    Graph.require(Graph.fresh(Level, {Condition}, If.getElse() ? 2 : 1));
}

void Execution::runSwitch(const SwitchStmt &Switch) {
  run(Switch.getInit());
  run(Switch.getConditionVariableDeclStmt());
  Id Value = evaluate(Switch.getCond());
  llvm::SmallSetVector<const VarDecl *, 8> Assigned;
  collectAssigned(Switch.getBody(), Assigned);
  for (const VarDecl *V : Assigned)
    Env.try_emplace(V, Graph.value("variable", {}, 0, V));
  for (const SwitchCase *Case = Switch.getSwitchCaseList(); Case;
       Case = Case->getNextSwitchCase())
    if (isa<CaseStmt>(Case)) // compare and branch
      Graph.require(Graph.fresh(Level, {Value}, 2));
  Environment Before = Env;
  std::vector<AvailableValue> AvailableBefore = Available;
  llvm::SaveAndRestore Saved(ConditionDepth, ConditionDepth + 1);
  run(Switch.getBody());
  llvm::erase_if(AvailableBefore, [&](const AvailableValue &A) {
    return llvm::none_of(
        Available, [&](const AvailableValue &B) { return A.Value == B.Value; });
  });
  Available = std::move(AvailableBefore);
  merge(Before, false, Value);
}

void Execution::runDeclaration(const VarDecl &V) {
  if (V.isStaticLocal() || V.getType()->isReferenceType() ||
      V.hasAttr<CUDASharedAttr>())
    return;
  if (V.getInit() && !V.getType()->isArrayType())
    Env[&V] = evaluate(V.getInit());
}

void Execution::run(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    evaluate(E);
    return;
  }
  switch (S->getStmtClass()) {
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::CXXForRangeStmtClass:
    return runLoop(*S);
  case Stmt::AttributedStmtClass: {
    const auto *Attributed = cast<AttributedStmt>(S);
    const Stmt *Sub = Attributed->getSubStmt();
    if (!isLoop(*Sub))
      return run(Sub);
    return runLoop(*Sub, isKeptRolled(*Attributed));
  }
  case Stmt::IfStmtClass:
    return runIf(*cast<IfStmt>(S));
  case Stmt::SwitchStmtClass:
    return runSwitch(*cast<SwitchStmt>(S));
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        runDeclaration(*V);
    return;
  case Stmt::ReturnStmtClass: {
    ++Jumps;
    const Expr *Returned = cast<ReturnStmt>(S)->getRetValue();
    if (!Returned || !Current->Caller)
      return;
    if (Current->Function->getReturnType()->isReferenceType()) {
      Current->Returned = locate(Returned);
      return;
    }
    Id Value = evaluate(Returned);
    if (Current->Result)
      Value = Graph.fresh(Level, {*Current->Result, Value}, 0);
    Current->Result = Value;
    return;
  }
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass:
  case Stmt::GotoStmtClass:
    ++Jumps;
    return;
  case Stmt::GCCAsmStmtClass: {
    Ids Inputs;
    const auto *Asm = cast<GCCAsmStmt>(S);
    for (const Expr *Input : Asm->inputs())
      Inputs.push_back(evaluate(Input));
    Id Result = effect(1, Inputs);
    for (const Expr *Output : Asm->outputs())
      store(locate(Output), Result);
    noteEffect(false, nullptr);
    forget(nullptr);
    return;
  }
  default:
    for (const Stmt *Child : S->children())
      run(Child);
  }
}

void Execution::runLoop(const Stmt &Loop, bool KeepRolled) {
  bool IsCounted = Level == nullptr;
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  const auto *Do = dyn_cast<DoStmt>(&Loop);
  const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop);
  if (!IsCounted && For)
    run(For->getInit());
  if (!IsCounted && Range)
    for (const Stmt *Setup :
         {Range->getInit(), static_cast<const Stmt *>(Range->getRangeStmt()),
          static_cast<const Stmt *>(Range->getBeginStmt()),
          static_cast<const Stmt *>(Range->getEndStmt())})
      run(Setup);

  Levels.push_back(std::make_unique<LoopLevel>());
  LoopLevel *Inner = Levels.back().get();
  Inner->Loop = &Loop;
  Inner->Parent = Level;
  Inner->Conditional = !IsCounted && ConditionDepth > 0;
  if (!IsCounted) {
    Counts.Innermost = false;
    std::optional<int64_t> Trips;
    if (std::optional<AffineForm> Form = Current->Values->tripCount(Loop))
      Trips = resolved(*Form).asConstant();
    uint64_t Times = Trips ? std::max<int64_t>(*Trips, 0) : 1;
    Inner->Times = llvm::SaturatingMultiply(Level->Times, Times);
    Inner->Unrolled = Trips && *Trips <= MaxUnrolledTrips && !KeepRolled;
    if (!Inner->Unrolled) {
      for (LoopLevel *L = Level; L; L = L->Parent)
        Summaries[L->Loop].HasInnerLoop = true;
      if (!Trips && !Do) // compare and branch around the loop
        Graph.require(Graph.fresh(Level, {}, 2));
    }
  }
  if (Known)
    if (auto It = Known->find(&Loop); It != Known->end())
      Inner->HasInnerLoop = It->second.HasInnerLoop;
  LevelOfLoop[&Loop] = Inner;

  llvm::SmallSetVector<const VarDecl *, 8> Assigned;
  collectAssigned(&Loop, Assigned);
  if (Known)
    if (auto It = Known->find(&Loop); It != Known->end())
      Assigned.insert_range(It->second.ChangedOtherwise);
  noteExposed(&Loop);
  // What the loop changes is asked once: the second execution knows it.
  const Environment Before = Known ? Environment() : Env;
  Environment Entry;
  for (const VarDecl *V : Assigned) {
    Id Start =
        Env.try_emplace(V, Graph.value("variable", {}, 0, V)).first->second;
    Entry[V] = Env[V] = Graph.fresh(Inner, {Start}, 0);
  }
  // What the loop changes is not available when its next iteration begins.
  std::vector<AvailableValue> Outside = std::move(Available);
  Available.clear();
  {
    llvm::SaveAndRestore SavedLevel(Level, Inner);
    llvm::SaveAndRestore SavedDepth(ConditionDepth, 0u);
    auto Test = [&](const Expr *Condition) {
      if (Inner->Unrolled)
        return;
      Ids Tested;
      if (Condition)
        Tested.push_back(condition(Condition));
      Graph.require(Graph.fresh(Inner, Tested, 1));
    };
    if (For) {
      run(For->getConditionVariableDeclStmt());
      Test(For->getCond());
      run(For->getBody());
      run(For->getInc());
    } else if (While) {
      run(While->getConditionVariableDeclStmt());
      Test(isAlwaysTrue(*While->getCond()) ? nullptr : While->getCond());
      run(While->getBody());
    } else if (Do) {
      run(Do->getBody());
      Test(Do->getCond());
    } else {
      Test(Range->getCond());
      run(Range->getLoopVarStmt());
      run(Range->getBody());
      run(Range->getInc());
    }
  }
  if (!Known)
    noteOtherChanges(Loop, Before, Assigned.getArrayRef());
  for (const VarDecl *V : Assigned) {
    Graph.addArgument(Entry[V], Env[V]);
    if (IsCounted) {
      // Variables of outside are taken to be read after the loop.
      if (Current->Values->isDeclaredOutside(*V, Loop))
        Graph.require(Env[V]);
      continue;
    }
    Env[V] = Graph.fresh(Level, {Entry[V]}, 0);
  }
  Available = std::move(Outside);
  for (const Effect &E : Summaries[&Loop].Effects)
    if (E.IsBarrier)
      forget(nullptr);
    else if (E.IsStore)
      forget(&E.What);
}

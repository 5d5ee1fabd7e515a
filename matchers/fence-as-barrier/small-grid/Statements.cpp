// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a thread goes, and whether it surely comes there.

#include "matchers/source/Statements.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/fence-as-barrier/GridFence.h"
#include "matchers/fence-as-barrier/small-grid/Signals.h"
#include "matchers/fence-as-barrier/small-grid/ThreadRun.h"
#include "matchers/waiting/Waiting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::fence_as_barrier::small_grid {

ThreadTrace ThreadRun::run() {
  const FunctionDecl &Kernel = *R.Grid.effects().Kernel;
  Frame F(&Kernel);
  Top = &F;
  for (const ParmVarDecl *P : Kernel.parameters())
    F.Variables[P] = newObject({P, 0});
  execute(Kernel.getBody());
  return std::move(Trace);
}

void ThreadRun::endSilently(const Stmt &S) {
  if (mayWait(silentCallsOf(S)))
    wait();
}

void ThreadRun::declare(const DeclStmt &Decl) {
  for (const clang::Decl *D : Decl.decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || Var->hasGlobalStorage())
      continue;
    Object *O = newObject();
    Top->Variables[Var] = O;
    if (isa<DecompositionDecl>(Var))
      return giveUp();
    if (Var->getInit())
      initialize({O, 0}, Var->getType(), Var->getInit());
  }
  endSilently(Decl);
}

ThreadRun::Flow ThreadRun::execute(const Stmt *S) {
  if (!S || Ended)
    return Flow::Next;
  if (++R.Steps > MaxSteps) {
    giveUp();
    return Flow::Return;
  }
  if (const auto *E = dyn_cast<Expr>(S)) {
    if (E->isGLValue() && !isa<CallExpr, BinaryOperator, UnaryOperator>(E))
      (void)place(E);
    else
      (void)evaluate(E);
    return Flow::Next;
  }
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : Block->body())
      if (Flow F = execute(Child); F != Flow::Next || Ended)
        return F;
    return Flow::Next;
  }
  if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
    declare(*Decl);
    return Flow::Next;
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    return executeIf(*If);
  if (isLoop(*S))
    return executeLoop(*S);
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return executeSwitch(*Switch);
  if (const auto *Case = dyn_cast<SwitchCase>(S))
    return execute(Case->getSubStmt());
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return execute(Attributed->getSubStmt());
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return execute(Label->getSubStmt());
  if (isa<BreakStmt>(S))
    return Flow::Break;
  if (isa<ContinueStmt>(S))
    return Flow::Continue;
  if (const auto *Asm = dyn_cast<AsmStmt>(S))
    return executeAsm(*Asm);
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    const Expr *Result = Return->getRetValue();
    if (Result && Result->isGLValue())
      Top->Result = Value::pointer(place(Result));
    else if (Result && Result->getType()->isRecordType())
      initialize(Top->Destination.In ? Top->Destination
                                     : PlaceInObject{newObject(), 0},
                 Result->getType(), Result);
    else if (Result)
      Top->Result = evaluate(Result);
    if (Top->Result.Kind == Value::Pointer && !Top->Result.Target.In)
      Top->Result = Value::unknown(true);
    return Flow::Return;
  }
  if (!isa<NullStmt>(S))
    giveUp();
  return Flow::Next;
}

/// Runs all of \p Arms as what may happen or not, because \p Why is unknown.
ThreadRun::Flow ThreadRun::unsurely(const Value &Why,
                                    llvm::ArrayRef<const Stmt *> Arms) {
  if (Why.Foreign && R.Grid.hasSignals()) {
    wait();
    return Flow::Return;
  }
  ++Doubts;
  ForeignDoubts += Why.Foreign;
  for (const Stmt *Arm : Arms) {
    unsigned *Unsure = nullptr;
    switch (execute(Arm)) {
    case Flow::Next:
      continue;
    case Flow::Break:
      Unsure = BreakUnsure;
      break;
    case Flow::Continue:
      Unsure = LoopUnsure;
      break;
    case Flow::Return:
      Unsure = &Top->Unsure;
      break;
    }
    // A loop that another thread's doing ends is a wait.
    if (Why.Foreign && LoopUnsure)
      wait();
    if (!Unsure)
      continue;
    ++*Unsure;
    ++Doubts;
  }
  --Doubts;
  ForeignDoubts -= Why.Foreign;
  return Flow::Next;
}

/// Ends a loop or switch, which the thread may have left before under \p Unsure
/// conditions.
ThreadRun::Flow ThreadRun::leave(Flow Last, unsigned Unsure) {
  Doubts -= Unsure;
  if (Last == Flow::Break)
    return Flow::Next;
  if (Last == Flow::Return && Unsure) {
    ++Top->Unsure;
    ++Doubts;
    return Flow::Next;
  }
  return Last;
}

ThreadRun::Flow ThreadRun::executeIf(const IfStmt &If) {
  if (If.isConsteval()) {
    giveUp();
    return Flow::Return;
  }
  execute(If.getInit());
  execute(If.getConditionVariableDeclStmt());
  Value C = evaluate(If.getCond());
  if (Ended)
    return Flow::Return;
  if (C.isInt())
    return execute(C.Int ? If.getThen() : If.getElse());
  return unsurely(C, {If.getThen(), If.getElse()});
}

ThreadRun::Flow ThreadRun::executeLoop(const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  if (isa<CXXForRangeStmt>(Loop)) {
    giveUp();
    return Flow::Return;
  }
  if (For)
    execute(For->getInit());
  unsigned Unsure = 0;
  llvm::SaveAndRestore SaveLoop(LoopUnsure, &Unsure);
  llvm::SaveAndRestore SaveBreak(BreakUnsure, &Unsure);
  Flow Result = Flow::Next;
  bool First = true;
  while (!Ended) {
    const Expr *Condition = conditionOf(Loop);
    Value C = Value::integer(1);
    if (For)
      execute(For->getConditionVariableDeclStmt());
    if (const auto *While = dyn_cast<WhileStmt>(&Loop))
      execute(While->getConditionVariableDeclStmt());
    if (Condition && !(isa<DoStmt>(Loop) && First))
      C = evaluate(Condition);
    if (C.isInt() && !C.Int)
      break;
    if (!C.isInt() && C.Foreign) {
      wait();
      break;
    }
    // Another round of what may or may not happen would tell nothing new.
    bool Last = !C.isInt() || !isSure();
    if (!C.isInt()) {
      ++Doubts;
      ++Unsure;
    }
    Flow F = execute(bodyOf(Loop));
    if (F == Flow::Return) {
      Result = F;
      break;
    }
    if (F == Flow::Break)
      break;
    if (For && For->getInc())
      (void)execute(For->getInc());
    if (Last)
      break;
    First = false;
  }
  return leave(Result, Unsure);
}

ThreadRun::Flow ThreadRun::executeSwitch(const SwitchStmt &Switch) {
  execute(Switch.getInit());
  execute(Switch.getConditionVariableDeclStmt());
  Value C = evaluate(Switch.getCond());
  const auto *Body = dyn_cast<CompoundStmt>(Switch.getBody());
  if (!Body || Ended) {
    if (!Body)
      giveUp();
    return Flow::Return;
  }
  unsigned Unsure = 0;
  llvm::SaveAndRestore SaveBreak(BreakUnsure, &Unsure);
  if (!C.isInt())
    return leave(unsurely(C, llvm::SmallVector<const Stmt *, 8>(
                                 Body->body_begin(), Body->body_end())),
                 Unsure);
  unsigned Labels = 0, All = 0;
  const Stmt *Start = nullptr, *Default = nullptr;
  for (const Stmt *Child : Body->body())
    for (const auto *Label = dyn_cast<SwitchCase>(Child); Label;
         Label = dyn_cast<SwitchCase>(Label->getSubStmt())) {
      ++Labels;
      const auto *Case = dyn_cast<CaseStmt>(Label);
      if (!Case)
        Default = Child;
      else if (Case->caseStmtIsGNURange())
        giveUp();
      else if (Math.constant(*Case->getLHS()).Int == C.Int)
        Start = Child;
    }
  for (const SwitchCase *Label = Switch.getSwitchCaseList(); Label;
       Label = Label->getNextSwitchCase())
    ++All;
  if (Labels != All) // some stand deeper in the body
    giveUp();
  Start = Start ? Start : Default;
  bool Entered = false;
  for (const Stmt *Child : Body->body()) {
    Entered |= Child == Start;
    if (Flow F = Entered ? execute(Child) : Flow::Next;
        F != Flow::Next || Ended)
      return leave(F, Unsure);
  }
  return leave(Flow::Next, Unsure);
}

ThreadRun::Flow ThreadRun::executeAsm(const AsmStmt &Asm) {
  if (isFenceAsm(Asm))
    fence(Asm);
  else if (!facts::isPlainAsm(Asm))
    wait();
  else
    for (unsigned I = 0; I < Asm.getNumOutputs(); ++I) {
      const Expr *Output = cast<GCCAsmStmt>(Asm).getOutputExpr(I);
      store(place(Output), Output->getType(), nullptr, Value::unknown(true));
    }
  return Flow::Next;
}

} // namespace barricade::fence_as_barrier::small_grid

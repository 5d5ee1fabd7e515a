// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/Statements.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/grid-barrier/relaunch-loop/Data.h"
#include "matchers/grid-barrier/relaunch-loop/Entry.h"
#include "matchers/grid-barrier/relaunch-loop/HostFunctions.h"
#include "matchers/grid-barrier/relaunch-loop/Launches.h"
#include "matchers/host/HostCalls.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

static const Expr *withoutCleanups(const Expr &E) {
  const Expr *Plain = E.IgnoreParens();
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(Plain))
    Plain = Cleanups->getSubExpr()->IgnoreParens();
  return Plain;
}

/// The runtime's call that \p Body begins with, and what looks at its result.
static host::ErrorCheck runtimeCheck(llvm::ArrayRef<const Stmt *> Body,
                                     ASTContext &Context) {
  const Stmt &First = *Body.front();
  const bool IsUsersBlock =
      isa<CompoundStmt>(First) && First.getBeginLoc().isFileID();
  return IsUsersBlock ? host::ErrorCheck()
                      : host::readErrorCheck(Body, Context);
}

/// Statements that follow each other.
void StatementReader::readStatements(llvm::ArrayRef<const Stmt *> Body,
                                     bool InBlock) {
  while (!Body.empty()) {
    const host::ErrorCheck Check = runtimeCheck(Body, L.Context);
    if (Check.Call)
      readRuntimeCall(Body.take_front(Check.Length), Check, InBlock);
    else
      readPlainStatement(*Body.front(), InBlock);
    Body = Body.drop_front(std::max<size_t>(Check.Length, 1));
  }
}

void StatementReader::readPlainStatement(const Stmt &S, bool InBlock) {
  if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
    const std::vector<const Stmt *> Body(Block->body_begin(),
                                         Block->body_end());
    readStatements(Body, /*InBlock=*/true);
  } else if (const auto *If = dyn_cast<IfStmt>(&S)) {
    readIf(*If);
  } else if (isLoop(S)) {
    readLoop(S);
  } else if (const auto *Declaration = dyn_cast<DeclStmt>(&S)) {
    Values.beginStep(S, InBlock);
    for (const Decl *D : Declaration->decls())
      readDeclaration(*D);
    Values.endStep();
  } else if (const auto *E = dyn_cast<Expr>(&S)) {
    readExpressionStatement(*E, InBlock);
  } else if (isa<BreakStmt, ContinueStmt>(S)) {
    Certain = false;
  } else if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(S)) {
    L.refuse(ReasonId::Jump, S.getBeginLoc());
  } else if (!isa<NullStmt>(S)) {
    L.refuse(ReasonId::HostStatement, S.getBeginLoc());
  }
}

static bool leavesIteration(const Stmt *S) {
  return S && holds(S, [](const Stmt &Part) {
           return isa<BreakStmt, ContinueStmt>(Part);
         });
}

/// Reads \p Branch of an `if`.
void StatementReader::readBranch(const Stmt &Branch, const Expr &Condition,
                                 bool Is) {
  const SaveAndRestore OfBranch(Around);
  const SaveAndRestore OnCondition(UnderCondition, true);
  Around.add(Condition, Is);
  readStatement(Branch, /*InBlock=*/false);
}

void StatementReader::readIf(const IfStmt &If) {
  // What is constant here may be a parameter of the kernel.
  if (If.getInit() || If.getConditionVariable() || If.isConsteval() ||
      If.isConstexpr())
    return void(L.refuse(ReasonId::HostStatement, If.getBeginLoc()));
  Values.readControl(*If.getCond());
  {
    const SaveAndRestore Maybe(Certain, false);
    readBranch(*If.getThen(), *If.getCond(), true);
    if (If.getElse())
      readBranch(*If.getElse(), *If.getCond(), false);
  }
  Certain &= !leavesIteration(&If);
  // To the end of the loop's body.
  if (leavesIteration(If.getThen()))
    Around.add(*If.getCond(), false);
  else if (leavesIteration(If.getElse()))
    Around.add(*If.getCond(), true);
}

void StatementReader::readLoop(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop)) {
    if (For->getConditionVariable())
      return void(L.refuse(ReasonId::HostStatement, Loop.getBeginLoc()));
    const SaveAndRestore Decides(Values.InControl, true);
    if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(For->getInit())) {
      for (const Decl *D : Declaration->decls())
        readDeclaration(*D);
    } else if (For->getInit()) {
      Values.readValue(*cast<Expr>(For->getInit()));
    }
    if (For->getInc())
      Values.readValue(*For->getInc());
  } else if (const auto *While = dyn_cast<WhileStmt>(&Loop);
             (While && While->getConditionVariable()) ||
             isa<CXXForRangeStmt>(Loop)) {
    return void(L.refuse(ReasonId::HostStatement, Loop.getBeginLoc()));
  }
  if (const Expr *Condition = conditionOf(Loop)) {
    L.Conditions.push_back(Condition);
    Values.readControl(*Condition);
  }
  const SaveAndRestore OfBody(Certain,
                              &Loop == L.Result.Loop ||
                                  (Certain && entryOf(Loop, L.Context).Always));
  const SaveAndRestore WithinLoop(Around);
  // What comes with a launch comes wherever that does.
  if (&Loop != L.Result.Loop && !entryOf(Loop, L.Context).Always &&
      !host::holdsLaunch(Loop))
    Around.addLoop();
  readStatement(*bodyOf(Loop), /*InBlock=*/false);
}

void StatementReader::readDeclaration(const Decl &D) {
  const auto *Var = dyn_cast<VarDecl>(&D);
  if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
      !isPlainData(Var->getType(), L.Context))
    return void(L.refuse(ReasonId::HostVariable, D.getLocation()));
  if (hidesDeviceName(*Var))
    return void(L.refuse(ReasonId::NameClash, D.getLocation()));
  if (facts::dependsOnPlace(*Var, L.SM))
    return void(L.refuse(ReasonId::PlaceDependent, D.getLocation()));
  L.Locals.insert(Var);
  Values.note(*Var, /*Write=*/true);
  if (!Var->getInit())
    return;
  const bool IsHosts = callsHost(*Var->getInit(), L);
  if (IsHosts)
    L.OfHost.push_back(Var);
  const SaveAndRestore OnHost(Values.Capturing, Values.Capturing && !IsHosts);
  if (Var->getInitStyle() == VarDecl::ListInit)
    Values.readBraced(*Var->getInit());
  else
    Values.readValue(*Var->getInit());
}

void StatementReader::readExpressionStatement(const Expr &E, bool InBlock) {
  const Expr *Plain = withoutCleanups(E);
  const auto *Call = dyn_cast<CallExpr>(Plain);
  if (!Call || isa<CXXOperatorCallExpr>(Call)) {
    Values.beginStep(E, InBlock);
    Values.readValue(E);
    return Values.endStep();
  }
  if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(Call)) {
    L.Result.Actions.push_back(
        {LoopAction::Launch, &E, InBlock, unsigned(L.Result.Launches.size())});
    return readLaunch(*Launch, L, Values);
  }
  switch (host::classifyHostCall(*Call, L.SM)) {
  case host::HostCallKind::Swap:
    L.Result.Actions.push_back({LoopAction::Swap, &E, InBlock, 0, Call});
    Values.beginStep(E, InBlock);
    for (const Expr *Arg : Call->arguments())
      if (Values.readValue(*Arg))
        Values.readWrite(*Arg);
    return Values.endStep();
  case host::HostCallKind::Timing:
    return void(L.refuse(ReasonId::Timing, E.getBeginLoc()));
  default:
    return void(Values.refuseCall(*Call));
  }
}

/// \p Body is what \p Check consists of.
void StatementReader::readRuntimeCall(llvm::ArrayRef<const Stmt *> Body,
                                      const host::ErrorCheck &Check,
                                      bool InBlock) {
  const CallExpr &Call = *Check.Call;
  const std::optional<LoopAction::KindTy> Kind = readRuntimeCall(Call);
  if (!Kind)
    return;
  LoopAction A = {*Kind, Body.front(), InBlock, 0, &Call};
  if (Body.size() > 1)
    A.Last = Body.back();
  A.Certain = Certain;
  A.OnlyOnEntry = Kind == LoopAction::Synchronise;
  // Behind the loop it would wait even where the host never did.
  if (Kind == LoopAction::Synchronise && UnderCondition)
    L.refuse(ReasonId::HostStatement, Call.getBeginLoc());
  Checks.add(A, Check, Body, Around);
  L.Result.Actions.push_back(A);
}

std::optional<LoopAction::KindTy>
StatementReader::readRuntimeCall(const CallExpr &Call) {
  switch (host::classifyHostCall(Call, L.SM)) {
  case host::HostCallKind::Copy:
    return OfDevice.readCopy(Call);
  case host::HostCallKind::Fill:
    if (!OfDevice.readFill(Call))
      return std::nullopt;
    return LoopAction::Fill;
  case host::HostCallKind::Synchronise:
    L.Result.Waits = true;
    for (const Expr *Arg : Call.arguments())
      Values.readOutside(*Arg);
    return LoopAction::Synchronise;
  default:
    return LoopAction::Query;
  }
}

} // namespace barricade::grid_barrier::relaunch_loop

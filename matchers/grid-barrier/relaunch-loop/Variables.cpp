// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values go to the device, and which come back.

#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/grid-barrier/relaunch-loop/Data.h"
#include "matchers/grid-barrier/relaunch-loop/HostMemory.h"
#include "matchers/grid-barrier/relaunch-loop/Phases.h"
#include "matchers/host/ErrorCheck.h"
#include "matchers/host/HostCalls.h"
#include "matchers/source/DeviceLimits.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

/// Evaluating \p S reads the value of \p Var, whatever else it does.
static bool alwaysReads(const Stmt *S, const VarDecl &Var) {
  return alwaysEvaluates(S, [&](const Stmt &Part) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&Part);
    const auto *Ref =
        Cast && Cast->getCastKind() == CK_LValueToRValue
            ? dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens())
            : nullptr;
    return Ref && Ref->getDecl() == &Var;
  });
}

/// Before the host first waits for anything in \p Loop, the loop's head or a
/// statement of its body's begin has read \p Var, or the loop does not run.
static bool isReadBeforeWaits(const Stmt &Loop, const VarDecl &Var,
                              ASTContext &Context) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop);
      For && alwaysReads(For->getInit(), Var))
    return true;
  if (!isa<DoStmt>(Loop) && alwaysReads(conditionOf(Loop), Var))
    return true;
  const auto *Body = dyn_cast<CompoundStmt>(bodyOf(Loop));
  if (!Body)
    return false;
  for (const Stmt *S : Body->body()) {
    // Of a check, only what the call takes is sure to be read before it waits.
    if (const CallExpr *Call = host::readErrorCheck(S, Context).Call)
      return alwaysReads(Call, Var);
    if (!isa<Expr, DeclStmt>(S))
      return false;
    if (alwaysReads(S, Var))
      return true;
  }
  return false;
}

/// \p S gives the device nothing to do but copies that end with it, and does
/// not wait for another thread.
static bool beginsNothing(const Stmt &S, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const auto IsKnown = [&](const CallExpr &Call) {
    switch (host::classifyHostCall(Call, SM)) {
    case host::HostCallKind::Swap:
      return Call.getArg(0)->getType()->isScalarType();
    case host::HostCallKind::Copy:
      return host::keepsNoAddress(Call, SM);
    case host::HostCallKind::Extremum:
    case host::HostCallKind::Rounding:
    case host::HostCallKind::Query:
    case host::HostCallKind::Allocation:
      return true;
    default:
      return Call.getDirectCallee() &&
             host::isSilentFunction(*Call.getDirectCallee());
    }
  };
  return !holds(&S, [&](const Stmt &Part) {
    const auto *Call = dyn_cast<CallExpr>(&Part);
    const auto *Made = dyn_cast<CXXConstructExpr>(&Part);
    return (Call && !IsKnown(*Call)) ||
           (Made && !facts::isLibraryCode(*Made->getConstructor())) ||
           isa<CUDAKernelCallExpr, LabelStmt, SwitchCase, AtomicExpr, AsmStmt,
               LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXBindTemporaryExpr,
               CoroutineSuspendExpr>(Part);
  });
}

/// Behind the last statement before \p Loop that may begin something, another
/// one has read \p Var.
static bool isReadBefore(const Stmt &Loop, const VarDecl &Var,
                         ASTContext &Context) {
  const CompoundStmt *Block = blockOf(Loop, Context);
  if (!Block)
    return false;
  const auto At = llvm::find(Block->body(), &Loop);
  for (const Stmt *S :
       llvm::reverse(llvm::make_range(Block->body_begin(), At))) {
    if (!beginsNothing(*S, Context))
      return false;
    if (alwaysReads(S, Var))
      return true;
  }
  return false;
}

/// \p Var keeps its value while the loop runs, though others know of it. What
/// was launched before does not write it: that would be a race with a read
/// for which the host has not waited.
static void checkUnreached(const VarDecl &Var, ReasonId Id,
                           const DeclRefExpr &Ref, LoopReading &L) {
  // The function's own references may be bound to managed memory of its own.
  const bool MayBeOwn =
      Var.getType()->isReferenceType() && Var.isLocalVarDecl();
  const bool IsRead = isReadBeforeWaits(*L.Result.Loop, Var, L.Context) ||
                      isReadBefore(*L.Result.Loop, Var, L.Context);
  if (MayBeOwn || !IsRead || mayWriteHostMemory(L))
    L.refuse(Id, Ref.getBeginLoc());
}

/// Whether \p Var, a capture, has a value before the loop that the loop
/// needs.
static void readValueBefore(const VarDecl &Var, LoopReading &L) {
  const bool IsUnset = !L.Variables.hasValueBefore(Var, *L.Result.Loop);
  if (IsUnset)
    L.Result.Unset.insert(&Var);
  // Of arrays and classes all is copied.
  if (!IsUnset && !Var.getType()->isScalarType() &&
      !L.Variables.isSetBefore(Var, *L.Result.Loop))
    L.refuse(ReasonId::UnsetVariable, L.Reads.lookup(&Var)->getBeginLoc());
  // What has been given a value where it is declared can be copied.
  if (!IsUnset && (!facts::beginsUnset(Var) || !Var.getType()->isScalarType()))
    return;
  if (L.Variables.isSetAnew(Var, *L.Result.Loop, L.Filled))
    L.Result.SetAnew.insert(&Var);
  if (!L.Variables.mayBeReadFirst(Var, *L.Result.Loop, L.Filled))
    L.Result.NotAsked.insert(&Var);
}

/// At worst each parameter is aligned as the largest.
static void checkParameterSize(LoopReading &L) {
  uint64_t Bytes = sizeof(uint64_t) * (1 + L.Result.LiveOn.size());
  for (const LoopLaunch &Launch : L.Result.Launches)
    Bytes += Launch.GridFromHost ? 4 * sizeof(uint32_t) : 0;
  for (const VarDecl *Var : L.Result.Captures) {
    const uint64_t Elements = L.Result.Elements.lookup(Var);
    const auto Info = L.Context.getTypeInfoInChars(
        Elements ? Var->getType()->getPointeeType() : copyType(*Var));
    Bytes += llvm::alignTo(Info.Width.getQuantity() *
                               std::max<uint64_t>(Elements, 1),
                           std::max<uint64_t>(Info.Align.getQuantity(), 16));
  }
  if (Bytes > MaxParameterBytes)
    L.refuse(ReasonId::ParameterSize, L.Result.Loop->getBeginLoc());
}

void checkVariables(LoopReading &L) {
  for (const auto &[Var, Ref] : L.Writes) {
    if (L.Locals.contains(Var))
      continue;
    L.Result.Changed.insert(Var);
    if (Var->getType()->isReferenceType() || L.Variables.isShared(*Var))
      L.refuse(ReasonId::SharedVariable, Ref->getBeginLoc());
    if (!L.livesOn(*Var))
      continue;
    L.Result.LiveOn.insert(Var);
    // The host gets values back one by one.
    if (L.Result.ReadsBack && !(isPlainData(Var->getType(), L.Context) &&
                                hasAssignment(Var->getType(), L.Context)))
      L.refuse(ReasonId::HostVariable, Ref->getBeginLoc());
  }
  for (const VarDecl *Var : L.Result.Captures)
    if (Var->hasLocalStorage())
      readValueBefore(*Var, L);
  checkParameterSize(L);
  // Where the host waits, the device may have written what it can reach.
  if (!L.Result.Waits)
    return;
  for (const auto &[Var, Ref] : L.Reads)
    if (!Var->hasLocalStorage() && !Var->isStaticLocal() &&
        !Var->getType().isConstQualified())
      checkUnreached(*Var, ReasonId::GlobalVariable, *Ref, L);
    else if (Var->getType()->isReferenceType() || L.Variables.isShared(*Var))
      checkUnreached(*Var, ReasonId::SharedVariable, *Ref, L);
}

} // namespace barricade::grid_barrier::relaunch_loop

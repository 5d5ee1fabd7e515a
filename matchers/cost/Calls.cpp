// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call costs: an instruction, a few, or all that the callee does, which
// is executed with what it is given.

#include "matchers/cost/AssignedVariables.h"
#include "matchers/cost/Execution.h"
#include "matchers/cost/InstructionCost.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

/// Calls within calls that are looked into.
static constexpr unsigned MaxCallDepth = 8;

Id Execution::atomic(const CallExpr &Call) {
  const Expr *Pointer = Call.getNumArgs() ? Call.getArg(0) : nullptr;
  Ids Args;
  for (unsigned I = 1; I < Call.getNumArgs(); ++I)
    Args.push_back(evaluate(Call.getArg(I)));
  if (!Pointer || !Pointer->getType()->isPointerType())
    return effect(1, Args);
  Location At = memoryAt(Pointer, Pointer->getType()->getPointeeType(), &Call);
  Args.push_back(At.At.Value);
  Id Result = effect(1, Args);
  addOperation(MemoryOperation::Atomic, At, Result, *Level);
  noteEffect(true, &At);
  forget(&At);
  return Result;
}

/// \p Call is given, or made for, what may be global memory.
bool Execution::passesGlobal(const CallExpr &Call) {
  const Expr *Object = objectOf(Call, /*IsOperator=*/false);
  return (Object && leadsToGlobal(*Object)) ||
         llvm::any_of(Call.arguments(),
                      [&](const Expr *Arg) { return leadsToGlobal(*Arg); });
}

/// A lambda's captures have the names of what they capture.
static bool callsLambda(const FunctionDecl *Callee) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  return Method && Method->getParent()->isLambda();
}

/// \p Returned, if any, gets what a reference leads to that the call returns.
Id Execution::inlineCall(const CallExpr &Call, const FunctionDecl &Callee,
                         std::optional<Location> *Returned) {
  Frame Inner;
  FunctionValues *&Values = ValuesOf[&Callee];
  if (!Values) {
    CalleeValues.push_back(
        std::make_unique<FunctionValues>(Callee, Ctx, ForCostOnly()));
    Values = CalleeValues.back().get();
  }
  Inner.Function = &Callee;
  Inner.Values = Values;
  Inner.Caller = Current;
  Inner.Call = &Call;
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  // A member operator's first argument is its object, which has no parameter.
  Inner.Skipped =
      isa<CXXOperatorCallExpr>(Call) && Method && Method->isInstance();
  if (const Expr *Object = objectOf(Call, Inner.Skipped))
    Inner.Object = locateObject(*Object);
  for (const ParmVarDecl *P : Callee.parameters()) {
    const Expr *Arg = Inner.argument(P);
    if (!Arg || P->getType()->isReferenceType())
      continue;
    if (std::optional<AffineForm> Form = affine(Arg))
      Inner.Arguments[P] = *Form;
    Env[P] = evaluate(Arg);
  }
  llvm::SaveAndRestore Saved(Current, &Inner);
  run(Callee.getBody());
  if (Inner.Returned && Returned)
    *Returned = Inner.Returned;
  else if (Inner.Returned)
    return load(*Inner.Returned);
  return Inner.Result ? *Inner.Result : Graph.value("nothing", {}, 0);
}

Id Execution::evaluateCall(const CallExpr &Call,
                           std::optional<Location> *Returned) {
  const FunctionDecl *Direct = Call.getDirectCallee();
  auto Evaluated = [&] {
    Ids Args;
    for (const Expr *Arg : Call.arguments())
      Args.push_back(evaluate(Arg));
    return Args;
  };
  CallKind Kind = classifyCall(Call, Ctx.getSourceManager());
  if (facts::nameOf(Direct) == "__ldcv")
    Kind = CallKind::Load;
  if (callsLambda(Direct))
    Kind = CallKind::Visible;
  switch (Kind) {
  case CallKind::BlockBarrier:
  case CallKind::NamedBarrier:
  case CallKind::GridBarrier:
  case CallKind::WarpSync:
  case CallKind::Fence: {
    Id Value = effect(1, Evaluated());
    noteEffect(false, nullptr);
    forget(nullptr);
    return Value;
  }
  case CallKind::Exchange:
  case CallKind::Clock:
  case CallKind::Trap:
    return effect(1, Evaluated());
  case CallKind::Print:
    return effect(3 + Call.getNumArgs(), Evaluated());
  case CallKind::Atomic:
    return atomic(Call);
  case CallKind::Load:
    if (Call.getNumArgs() && Call.getArg(0)->getType()->isPointerType())
      return loadMemory(memoryAt(Call.getArg(0), Call.getType(), &Call));
    return effect(1, Evaluated());
  case CallKind::Assignment: {
    Id Value = evaluate(Call.getArg(Call.getNumArgs() - 1));
    if (const auto *Method = dyn_cast<CXXMemberCallExpr>(&Call))
      store(locate(Method->getImplicitObjectArgument()), Value);
    else
      store(locate(Call.getArg(0)), Value);
    return Value;
  }
  case CallKind::Store: {
    if (Call.getNumArgs() < 2 || !Call.getArg(0)->getType()->isPointerType())
      return effect(1, Evaluated());
    Id Value = evaluate(Call.getArg(1));
    storeMemory(memoryAt(Call.getArg(0), Call.getArg(1)->getType(), &Call),
                Value);
    return Value;
  }
  case CallKind::UniformIndex:
  case CallKind::ThreadIndex:
    return Graph.value("index", {}, 0, Direct);
  case CallKind::Pure: {
    // make_float4 and its like only name their arguments.
    if (isRecord(Call.getType()) &&
        facts::nameOf(Direct).starts_with("make_")) {
      llvm::SmallVector<const Expr *, 4> Args(Call.arguments());
      return evaluateConstruction(Call, Args);
    }
    QualType T = Call.getType();
    FunctionCost Cost =
        costOfFunction(facts::nameOf(Direct),
                       T->isRealFloatingType() ? Ctx.getTypeSize(T) : 32);
    Id Value = Graph.value("call", Evaluated(), Cost.Instructions,
                           Direct->getCanonicalDecl());
    if (const LoopLevel *At = Graph.level(Value); At && Cost.Transcendental)
      Counts.Transcendental += At->Times;
    return Value;
  }
  case CallKind::Visible: {
    const FunctionDecl *Callee = calleeDefinition(Call);
    bool IsRecursive = false;
    for (const Frame *F = Current; F; F = F->Caller)
      IsRecursive |= F->Function == Callee;
    if (Callee && !IsRecursive && Current->depth() < MaxCallDepth)
      return inlineCall(Call, *Callee, Returned);
    [[fallthrough]];
  }
  case CallKind::Unknown: {
    // The call, and for each argument and the result a move.
    Id Value = effect(2 + Call.getNumArgs(), Evaluated());
    Counts.Calls += Level->Times;
    Counts.PassesGlobal |= passesGlobal(Call);
    noteEffect(false, nullptr);
    forget(nullptr);
    return Value;
  }
  }
  llvm_unreachable("all kinds of calls are handled");
}

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call does: barriers and fences move the thread on, functions that can
// be seen run, and of all others a few are known.

#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Names.h"
#include "matchers/fence-as-barrier/GridFence.h"
#include "matchers/fence-as-barrier/small-grid/ThreadRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::fence_as_barrier::small_grid {

/// Calls within calls.
constexpr unsigned MaxDepth = 32;

Value ThreadRun::evaluateCall(const CallExpr &Call, PlaceInObject Destination) {
  CallKind Kind = classifyCall(Call, SM);
  switch (Kind) {
  case CallKind::Visible:
    return callVisible(Call, Destination);
  case CallKind::Assignment: {
    const Expr *To = Call.getArg(0), *From = Call.getArg(1);
    PlaceInObject Source = place(From), Target = place(To);
    copy(Target, Source, To->getType(), *From->IgnoreParenImpCasts(),
         To->IgnoreParens());
    return Target.In ? Value::pointer(Target) : Value::unknown(true);
  }
  case CallKind::Load:
  case CallKind::Store: {
    Value P = Call.getNumArgs() ? evaluate(Call.getArg(0)) : Value();
    Value V = Call.getNumArgs() > 1 ? evaluate(Call.getArg(1)) : Value();
    if (P.Kind != Value::Pointer || !Call.getArg(0)->getType()->isPointerType())
      return Value::unknown(true);
    QualType T = Call.getArg(0)->getType()->getPointeeType();
    if (Kind == CallKind::Load)
      return load(P.Target, T, Call);
    store(P.Target, T, &Call, V);
    return V;
  }
  default:
    break;
  }
  if (Kind == CallKind::Pure)
    return callOfValues(Call);
  if (Kind == CallKind::ThreadIndex)
    return callOfGroup(Call);
  for (const Expr *Arg : Call.arguments())
    (void)(Arg->isGLValue() ? (place(Arg), Value()) : evaluate(Arg));
  switch (Kind) {
  case CallKind::BlockBarrier:
    ++Now.Interval;
    return Value::unknown(true);
  case CallKind::GridBarrier:
    if (!isSure())
      wait();
    ++Now.Interval;
    ++Now.Epoch;
    return {};
  case CallKind::Fence:
    if (isGridFence(Call, SM))
      fence(Call);
    return {};
  case CallKind::NamedBarrier:
  case CallKind::Unknown:
    wait();
    return {};
  case CallKind::Trap:
    if (isSure())
      Ended = true;
    return {};
  case CallKind::Clock:
  case CallKind::WarpSync:
  case CallKind::Print:
  case CallKind::UniformIndex:
    return {};
  default:
    return Value::unknown(true);
  }
}

/// The few library functions of values that indices are made of.
Value ThreadRun::callOfValues(const CallExpr &Call) {
  llvm::SmallVector<Value, 2> Args;
  Value Unknown;
  for (const Expr *Arg : Call.arguments()) {
    Args.push_back(evaluate(Arg));
    Unknown = mix(Unknown, Args.back());
  }
  if (!Call.getType()->isIntegralOrEnumerationType() ||
      !llvm::all_of(Args, [](const Value &V) { return V.isInt(); }))
    return Unknown;
  llvm::StringRef Name = facts::calleeName(Call);
  if (Args.size() == 1 && (Name == "abs" || Name == "labs" || Name == "llabs"))
    return Value::integer(Args[0].Int < 0 ? -Args[0].Int : Args[0].Int);
  bool IsMin = llvm::StringSwitch<bool>(Name)
                   .Cases({"min", "umin", "llmin", "ullmin"}, true)
                   .Default(false);
  bool IsMax = llvm::StringSwitch<bool>(Name)
                   .Cases({"max", "umax", "llmax", "ullmax"}, true)
                   .Default(false);
  if (Args.size() != 2 || (!IsMin && !IsMax))
    return Unknown;
  Value Less =
      Math.compute(BO_LT, Args[0], Args[1], Call.getType(), Context.BoolTy);
  return (Less.Int != 0) == IsMin ? Args[0] : Args[1];
}

/// Ranks in cooperative groups.
Value ThreadRun::callOfGroup(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  if (!Member || facts::calleeName(Call) != "thread_rank")
    return Value::unknown(true);
  const LaunchShape &Shape = R.Grid.shape();
  auto Rank = [](const auto &Index, const auto &Extent) {
    return Index[0] + Extent[0] * (Index[1] + Extent[1] * Index[2]);
  };
  llvm::StringRef Group = Member->getRecordDecl()->getName();
  unsigned Thread = Rank(ThreadIndex, Shape.Block);
  if (Group == "thread_block")
    return Value::integer(Thread);
  if (Group == "grid_group")
    return Value::integer(Rank(BlockIndex, Shape.Grid) * Shape.threads() +
                          Thread);
  return Value::unknown(true);
}

Value ThreadRun::callVisible(const CallExpr &Call, PlaceInObject Destination) {
  const FunctionDecl *Callee = calleeDefinition(Call);
  Frame F(Callee);
  F.Destination = Destination;
  llvm::ArrayRef<const Expr *> Args(Call.getArgs(), Call.getNumArgs());
  if (const auto *Method = dyn_cast<CXXMemberCallExpr>(&Call)) {
    const Expr *Self = Method->getImplicitObjectArgument();
    if (Self->isGLValue())
      F.This = place(Self);
    else if (Value V = evaluate(Self); V.Kind == Value::Pointer)
      F.This = V.Target;
  } else if (isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee)) {
    F.This = place(Args.front());
    Args = Args.drop_front();
  }
  for (const auto &[Param, Arg] : llvm::zip(Callee->parameters(), Args)) {
    Object *O = newObject();
    initialize({O, 0}, Param->getType(), Arg);
    F.Variables[Param] = O;
  }
  return run(F);
}

Value ThreadRun::run(Frame &Callee) {
  if (Depth == MaxDepth)
    giveUp();
  if (Ended)
    return {};
  ++Depth;
  llvm::SaveAndRestore SaveTop(Top, &Callee);
  llvm::SaveAndRestore SaveLoop(LoopUnsure, static_cast<unsigned *>(nullptr));
  llvm::SaveAndRestore SaveBreak(BreakUnsure, static_cast<unsigned *>(nullptr));
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Callee.Function))
    for (const CXXCtorInitializer *Init : Constructor->inits()) {
      const auto *Default = dyn_cast<CXXDefaultInitExpr>(Init->getInit());
      if (Init->isAnyMemberInitializer() && Callee.This.In)
        initialize(
            Callee.This.plus(Context.getFieldOffset(Init->getAnyMember()) / 8),
            Init->getAnyMember()->getType(),
            Default ? Default->getExpr() : Init->getInit());
      else
        giveUp();
    }
  execute(Callee.Function->getBody());
  Doubts -= Callee.Unsure;
  --Depth;
  return Callee.Unsure ? Value::unknown(true) : Callee.Result;
}

} // namespace barricade::fence_as_barrier::small_grid

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/Copies.h"
#include "matchers/dependence/PointerCopies.h"
#include "matchers/facts/Constants.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/grid-barrier/relaunch-loop/Data.h"
#include "matchers/grid-barrier/relaunch-loop/HostMemory.h"
#include "matchers/grid-barrier/relaunch-loop/Invariance.h"
#include "matchers/grid-barrier/relaunch-loop/Traps.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

std::optional<LoopAction::KindTy> Copies::refuseCopy(const CallExpr &Call) {
  L.refuse(ReasonId::HostCopy, Call.getBeginLoc());
  return std::nullopt;
}

/// The local variable whose address \p E is, or null.
static const Expr *addressed(const Expr &E) {
  const auto *Op = dyn_cast<UnaryOperator>(E.IgnoreParenCasts());
  return Op && Op->getOpcode() == UO_AddrOf &&
                 isa<DeclRefExpr>(Op->getSubExpr()->IgnoreParens())
             ? Op->getSubExpr()->IgnoreParens()
             : nullptr;
}

/// Of a copy, which must be the launches'.
void Copies::readStream(const CallExpr &Copy, const Expr *Stream) {
  if (Stream)
    Values.readOutside(*Stream);
  L.Streams.push_back({&Copy, Stream});
}

/// A pointer into device memory that some launch of the loop takes, too.
bool Copies::readOnDevice(const Expr &Pointer) {
  L.Buffers.push_back(Pointer.IgnoreParenImpCasts());
  return Values.readValue(*Pointer.IgnoreImpCasts());
}

/// All \p Bytes of the variable at \p Host, and a value of its type on the
/// device.
bool Copies::readOneValue(const Expr &Device, const Expr &Host,
                          const Expr &Bytes) {
  const Expr *Variable = addressed(Host);
  const QualType Pointee =
      Device.IgnoreParenImpCasts()->getType()->getPointeeType();
  const auto Size = facts::integerOf(Bytes, L.Context);
  return Variable && !Pointee.isNull() &&
         // An array has no assignment.
         !Pointee->isArrayType() &&
         L.Context.hasSameUnqualifiedType(Pointee, Variable->getType()) &&
         !Pointee.isVolatileQualified() &&
         hasAssignment(Variable->getType(), L.Context) && Size &&
         Size->getZExtValue() ==
             uint64_t(L.Context.getTypeSizeInChars(Pointee).getQuantity()) &&
         Values.readValue(*Variable) && readOnDevice(Device);
}

/// \p Target gets its value from the device, after all else that \p Call
/// looks at.
void Copies::addFilled(const Expr &Target, const CallExpr &Call) {
  const auto *Ref = dyn_cast<DeclRefExpr>(Target.IgnoreParens());
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (Var && countUses(*Var, Call) == 1)
    L.Filled.insert(Ref);
}

std::optional<LoopAction::KindTy> Copies::readCopy(const CallExpr &Call) {
  const bool Async = Call.getNumArgs() == 5;
  const Expr &To = *Call.getArg(0), &From = *Call.getArg(1);
  const auto Kind = facts::integerOf(*Call.getArg(3), L.Context);
  if (!Kind)
    return refuseCopy(Call);
  // The values of cudaMemcpyKind.
  switch (Kind->getZExtValue()) {
  case 1:
    if (Async || !readOneValue(To, From, *Call.getArg(2)))
      return refuseCopy(Call);
    L.Streams.push_back({&Call, nullptr});
    Targets.push_back(To.IgnoreParenImpCasts());
    // Memory of the host that is not pinned waits for the stream.
    L.Result.Waits = true;
    return LoopAction::Upload;
  case 2:
    if (Async || !readOneValue(From, To, *Call.getArg(2)))
      return refuseCopy(Call);
    L.Streams.push_back({&Call, nullptr});
    L.Result.Waits = L.Result.ReadsBack = true;
    Flags.push_back(From.IgnoreParenImpCasts());
    Values.readWrite(*addressed(To));
    addFilled(*addressed(To), Call);
    return LoopAction::ReadBack;
  case 3:
    readStream(Call, Async ? Call.getArg(4) : nullptr);
    if (!readOnDevice(To) || !readOnDevice(From) ||
        !Values.readValue(*Call.getArg(2)))
      return refuseCopy(Call);
    Targets.push_back(To.IgnoreParenImpCasts());
    if (!Async)
      Fills.push_back(&Call);
    return LoopAction::Copy;
  default:
    return refuseCopy(Call);
  }
}

bool Copies::readFill(const CallExpr &Call) {
  const bool Async = Call.getNumArgs() == 4;
  readStream(Call, Async ? Call.getArg(3) : nullptr);
  Targets.push_back(Call.getArg(0)->IgnoreParenImpCasts());
  if (!Async)
    Fills.push_back(&Call);
  return (readOnDevice(*Call.getArg(0)) && Values.readValue(*Call.getArg(1)) &&
          Values.readValue(*Call.getArg(2))) ||
         L.refuse(ReasonId::HostCopy, Call.getBeginLoc());
}

void Copies::checkBuffers() {
  for (const Expr *Buffer : L.Buffers)
    if (llvm::none_of(L.Result.Launches, [&](const LoopLaunch &Launch) {
          return llvm::any_of(Launch.Call->arguments(), [&](const Expr *Arg) {
            return host::sameExpression(Arg->IgnoreParenImpCasts(), Buffer,
                                        L.Context);
          });
        }))
      L.refuse(ReasonId::HostCopy, Buffer->getBeginLoc());
}

void Copies::checkFills() {
  for (const CallExpr *Fill : Fills)
    if (mayBeShared(*Fill->getArg(0), L) ||
        (Fill->getNumArgs() == 4 && mayBeShared(*Fill->getArg(1), L)))
      L.refuse(ReasonId::HostCopy, Fill->getBeginLoc());
}

/// Of the \p Bytes at \p Pointer, which a statement touches that is \p Certain
/// to run.
void Copies::addRange(const Expr &Pointer, const Expr &Bytes, bool Certain) {
  const auto IsKnown = [&](const Expr &E) {
    return isInvariant(E, L) && (Certain || !mayTrap(E, L.Context)) &&
           hasValuesBefore(E, L);
  };
  if (!IsKnown(Bytes)) {
    L.refuse(ReasonId::TransferRange, Bytes.getBeginLoc());
    return;
  }
  const bool MayTrap = mayTrap(Bytes, L.Context);
  if (IsKnown(Pointer)) {
    L.Result.Ranges.push_back(
        {&Pointer, nullptr, &Bytes, MayTrap || mayTrap(Pointer, L.Context)});
    return;
  }
  const VarDecl *Var = variableNamedBy(*Pointer.IgnoreParenCasts());
  const dependence::PointerCopies Values(L.Result);
  if (!Var || !Values.isKnown(*Var)) {
    L.refuse(ReasonId::TransferRange, Pointer.getBeginLoc());
    return;
  }
  // What has no value before gets one of the others'.
  for (const VarDecl *Each : Values.relatives(*Var))
    if (!L.Locals.contains(Each) &&
        L.Variables.isSetBefore(*Each, *L.Result.Loop))
      L.Result.Ranges.push_back({nullptr, Each, &Bytes, MayTrap});
}

void Copies::checkRanges() {
  for (const LoopAction &A : L.Result.Actions) {
    const bool IsCopy = A.Kind == LoopAction::Copy;
    if (!IsCopy && A.Kind != LoopAction::Fill)
      continue;
    for (unsigned I = 0; I < (IsCopy ? 2 : 1); ++I)
      addRange(*A.Call->getArg(I), *A.Call->getArg(2), A.Certain);
  }
}

bool Copies::isWritten(const Expr &Flag) const {
  const auto IsSame = [&](const Expr *Other) {
    return host::sameExpression(Other->IgnoreParenImpCasts(), &Flag, L.Context);
  };
  return llvm::any_of(Targets, IsSame) ||
         llvm::any_of(L.Result.Launches, [&](const LoopLaunch &Launch) {
           const auto Writes = [&](const StepKernel *Step) {
             return llvm::any_of(
                 Step->Written, [&](const ParmVarDecl *Pointer) {
                   return IsSame(
                       Launch.Call->getArg(Pointer->getFunctionScopeIndex()));
                 });
           };
           return llvm::any_of(L.StepsOf(*Launch.Kernel), Writes);
         });
}

void Copies::checkFlags() {
  for (const Expr *Flag : Flags)
    if (!isWritten(*Flag))
      L.refuse(ReasonId::FlagNotWritten, Flag->getBeginLoc());
}

} // namespace barricade::grid_barrier::relaunch_loop

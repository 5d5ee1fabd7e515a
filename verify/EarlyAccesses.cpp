// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/EarlyAccesses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace barricade {
namespace {

/// What \p I says to the assembler; empty where it is no assembly.
StringRef assemblyOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->isInlineAsm()
             ? StringRef(
                   cast<InlineAsm>(Call->getCalledOperand())->getAsmString())
             : StringRef();
}

bool isWait(const Instruction &I) {
  return assemblyOf(I).contains("griddepcontrol.wait");
}

/// A thread's own memory, a block's, or what is the same for the whole launch.
bool isPrivate(const Value &Pointer) {
  const unsigned Space = Pointer.getType()->getPointerAddressSpace();
  if (Space == NVPTXAS::ADDRESS_SPACE_SHARED ||
      Space == NVPTXAS::ADDRESS_SPACE_LOCAL ||
      Space == NVPTXAS::ADDRESS_SPACE_PARAM ||
      Space == NVPTXAS::ADDRESS_SPACE_CONST)
    return true;
  return all_of(objectsOf(Pointer), [](const Value *Object) {
    const auto *Parameter = dyn_cast<Argument>(Object);
    return isa<AllocaInst>(Object) ||
           (Parameter && Parameter->hasByValAttr()) || isConstant(*Object) ||
           Object->getType()->getPointerAddressSpace() ==
               NVPTXAS::ADDRESS_SPACE_SHARED;
  });
}

/// \p I touches memory that other threads of the GPU may.
bool touchesShared(const Instruction &I) {
  // Operands in memory are spelled in brackets.
  if (assemblyOf(I).contains('['))
    return true;
  if (isWait(I) || !I.mayReadOrWriteMemory() || I.isLifetimeStartOrEnd() ||
      I.isDebugOrPseudoInst() || isa<NoAliasScopeDeclInst>(I))
    return false;
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return !isPrivate(*Pointer);
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  switch (classify(*Call)) {
  case DeviceCall::Uniform:
  case DeviceCall::Computes:
    return false;
  case DeviceCall::BlockBarrier:
    return false;
  default:
    return !Call->onlyAccessesArgMemory() ||
           any_of(Call->args(), [](const Use &Arg) {
             return Arg->getType()->isPointerTy() && !isPrivate(*Arg);
           });
  }
}

/// What \p I, an access or a copy, leads to; empty: it is something else.
SmallVector<const Value *, 2> pointersOf(const Instruction &I) {
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return {Pointer};
  if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return {Atomic->getPointerOperand()};
  if (const auto *Atomic = dyn_cast<AtomicCmpXchgInst>(&I))
    return {Atomic->getPointerOperand()};
  SmallVector<const Value *, 2> Result;
  // Atomic operations that LLVM has no instruction for are calls, too.
  if (const auto *Call = dyn_cast<CallBase>(&I);
      Call && Call->onlyAccessesArgMemory())
    copy_if(Call->args(), std::back_inserter(Result),
            [](const Value *Arg) { return Arg->getType()->isPointerTy(); });
  return Result;
}

/// A function that was inlined promises that nothing else leads to what \p I
/// accesses. Of memory that nobody knows the kernel was given that concerns
/// accesses of the same function only.
bool isPromised(const Instruction &I, const Instruction &Wait) {
  const auto IsHidden = [](const Value *Pointer) {
    return all_of(objectsOf(*Pointer), [](const Value *Object) {
      return isOpaque(*Object) || isPrivate(*Object);
    });
  };
  const SmallVector<const Value *, 2> Pointers = pointersOf(I);
  return I.getAAMetadata().Scope &&
         (Pointers.empty() || Wait.getAAMetadata().NoAlias ||
          !all_of(Pointers, IsHidden));
}

/// The assembly \p Wait is no obstacle to moving \p I.
bool mayPass(const Instruction &I, const Instruction &Wait) {
  if (I.hasMetadata(LLVMContext::MD_invariant_load) || isPromised(I, Wait) ||
      (!assemblyOf(I).empty() && !I.mayWriteToMemory()))
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (Call && classify(*Call) == DeviceCall::Reads)
    return true;
  return any_of(pointersOf(I), [](const Value *Pointer) {
    return any_of(objectsOf(*Pointer), [](const Value *Object) {
      const auto *Parameter = dyn_cast<Argument>(Object);
      return Parameter && Parameter->hasNoAliasAttr() &&
             !Parameter->hasByValAttr();
    });
  });
}

} // namespace

std::vector<EarlyAccess> findEarlyAccesses(DeviceCode &Code) {
  std::vector<EarlyAccess> Result;
  for (Function *F : Code.kernels()) {
    const auto All = instructions(*F);
    const auto Wait = find_if(All, isWait);
    if (Wait == All.end())
      continue;
    const DominatorTree Dominators(*F);
    for (const Instruction &I : All)
      if (touchesShared(I) &&
          (!Dominators.dominates(&*Wait, &I) || mayPass(I, *Wait)))
        Result.push_back({placesOf(I), placesOf(*Wait)});
  }
  return Result;
}

} // namespace barricade

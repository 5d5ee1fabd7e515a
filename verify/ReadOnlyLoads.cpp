// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/ReadOnlyLoads.h"
#include "verify/KernelMemory.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace barricade {
namespace {

using Scopes = SmallPtrSet<const Metadata *, 4>;

/// The promises of `__restrict__` under which \p Tags accesses memory: one for
/// each such pointer of a function that was inlined.
Scopes scopesOf(const AAMDNodes &Tags) {
  Scopes Result;
  if (Tags.Scope)
    for (const MDOperand &Each : Tags.Scope->operands())
      Result.insert(Each.get());
  return Result;
}

/// The same computation, without a look at memory.
bool isSameValue(const Value &A, const Value &B) {
  const auto *Left = dyn_cast<Instruction>(&A);
  const auto *Right = dyn_cast<Instruction>(&B);
  return &A == &B ||
         (Left && Right && !isa<PHINode>(Left) &&
          !Left->mayReadOrWriteMemory() && Left->isSameOperationAs(Right) &&
          all_of(zip(Left->operands(), Right->operands()), [](auto Each) {
            return isSameValue(*std::get<0>(Each), *std::get<1>(Each));
          }));
}

/// Optimisation removes a store of what was loaded from there.
bool putsBack(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const auto *Load =
      Store ? dyn_cast<LoadInst>(Store->getValueOperand()) : nullptr;
  return Load &&
         isSameValue(*Load->getPointerOperand(), *Store->getPointerOperand());
}

/// One kernel.
class Finder {
public:
  Finder(Function &F, DeviceCode &Code, std::vector<StaleLoad> &Found)
      : F(F), Memory(F, Code.aliases(F)), Found(Found),
        HasGridBarrier(any_of(instructions(F), isPartOfGridBarrier)) {
    for (const MemoryWrite &W : Memory.writes()) {
      if (!putsBack(*W.By))
        Written.insert_range(scopesOf(W.Tags));
      if (W.Pointer)
        for (const Value *Object : objectsOf(*W.Pointer))
          WriterOf.try_emplace(Object, W.By);
    }
  }

  void run() {
    for (const Instruction &I : instructions(F)) {
      const auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && isReadOnly(*Load))
        check(I, *Load->getPointerOperand());
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Call && classify(*Call) == DeviceCall::Reads &&
          Call->getArgOperand(0)->getType()->isPointerTy())
        check(I, *Call->getArgOperand(0));
    }
  }

private:
  /// What the programmer says nobody writes, or what a function only reads
  /// through a pointer that it promises is the only way to that memory: unless
  /// nobody can tell that this comes from the kernel's parameters
  /// (barricade::coherent).
  bool isReadOnly(const LoadInst &Load) const {
    if (Load.getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST ||
        Load.getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_PARAM)
      return false;
    if (Load.hasMetadata(LLVMContext::MD_invariant_load))
      return true;
    const auto Objects = objectsOf(*Load.getPointerOperand());
    return !all_of(Objects, [](auto *Object) { return isOpaque(*Object); }) &&
           any_of(scopesOf(Load.getAAMetadata()), [&](const Metadata *Scope) {
             return !Written.contains(Scope);
           });
  }

  void check(const Instruction &I, const Value &Pointer) {
    for (const Value *Object : objectsOf(Pointer))
      if (const Instruction *Writer = writerOf(*Object)) {
        Found.push_back({placesOf(I), placesOf(*Writer)});
        return;
      }
  }

  /// The host may have two pointers into the same memory. Before and behind a
  /// grid barrier a kernel may use one each.
  const Instruction *writerOf(const Value &Object) const {
    if (const Instruction *Writer = WriterOf.lookup(&Object))
      return Writer;
    if (!HasGridBarrier || !isFromHost(Object))
      return nullptr;
    for (const auto &[Other, Writer] : WriterOf)
      if (isFromHost(*Other))
        return Writer;
    return nullptr;
  }

  static bool isFromHost(const Value &Object) {
    return isa<Argument>(Object) || isOpaque(Object);
  }

  Function &F;
  KernelMemory Memory;
  Scopes Written; ///< Promises under which something is written.
  /// The first that writes into an object.
  MapVector<const Value *, const Instruction *> WriterOf;
  std::vector<StaleLoad> &Found;
  const bool HasGridBarrier;
};

} // namespace

std::vector<StaleLoad> findStaleLoads(DeviceCode &Code) {
  std::vector<StaleLoad> Result;
  for (Function *F : Code.kernels())
    Finder(*F, Code, Result).run();
  return Result;
}

} // namespace barricade

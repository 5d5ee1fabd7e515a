// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/ReadOnlyLoads.h"
#include "verify/KernelMemory.h"
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

/// One kernel.
class Finder {
public:
  Finder(Function &F, DeviceCode &Code, std::vector<StaleLoad> &Found)
      : F(F), Memory(F, Code.aliases(F)), Found(Found) {
    for (const MemoryWrite &W : Memory.writes()) {
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
  /// through a pointer that it promises is the only way to that memory.
  bool isReadOnly(const LoadInst &Load) const {
    if (Load.getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST ||
        Load.getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_PARAM)
      return false;
    return Load.hasMetadata(LLVMContext::MD_invariant_load) ||
           any_of(scopesOf(Load.getAAMetadata()), [&](const Metadata *Scope) {
             return !Written.contains(Scope);
           });
  }

  void check(const Instruction &I, const Value &Pointer) {
    for (const Value *Object : objectsOf(Pointer))
      if (const Instruction *Writer = WriterOf.lookup(Object)) {
        Found.push_back({placesOf(I), placesOf(*Writer)});
        return;
      }
  }

  Function &F;
  KernelMemory Memory;
  Scopes Written; ///< Promises under which something is written.
  /// The first that writes into an object.
  DenseMap<const Value *, const Instruction *> WriterOf;
  std::vector<StaleLoad> &Found;
};

} // namespace

std::vector<StaleLoad> findStaleLoads(DeviceCode &Code) {
  std::vector<StaleLoad> Result;
  for (Function *F : Code.kernels())
    Finder(*F, Code, Result).run();
  return Result;
}

} // namespace barricade

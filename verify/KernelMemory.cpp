// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/KernelMemory.h"
#include "verify/DeviceCode.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace barricade {

KernelMemory::KernelMemory(const Function &F, AAResults &Aliases)
    : Aliases(Aliases) {
  for (const Argument &Arg : F.args())
    if (Arg.hasByValAttr())
      collectLocal(Arg);
  for (const Instruction &I : instructions(F))
    if (isa<AllocaInst>(I))
      collectLocal(I);
  for (const Instruction &I : instructions(F))
    collectWrite(I);
}

/// Follows all pointers into \p Object.
void KernelMemory::collectLocal(const Value &Object) {
  Local &Here = Locals[&Object];
  SmallVector<const Value *, 8> Work = {&Object};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty())
    for (const Use &U : Work.pop_back_val()->uses()) {
      const auto *User = cast<Instruction>(U.getUser());
      if (isa<LoadInst>(User) || User->isLifetimeStartOrEnd() ||
          User->isDebugOrPseudoInst())
        continue;
      const auto *Transfer = dyn_cast<MemTransferInst>(User);
      const bool IsTarget =
          (isa<StoreInst>(User) &&
           U.getOperandNo() == StoreInst::getPointerOperandIndex()) ||
          (isa<AnyMemIntrinsic>(User) && U.getOperandNo() == 0);
      if (IsTarget) {
        Here.Writers.push_back(User);
      } else if (Transfer && U.getOperandNo() == 1) {
        continue; // read
      } else if (isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst>(User)) {
        if (Seen.insert(User).second)
          Work.push_back(User);
      } else {
        Here.Varies = true;
      }
    }
}

/// What \p I promises of the memory that it accesses. Clang does not say of
/// which type an atomic operation is. The runtime's arithmetic ones are of the
/// types of their values, but for exchanges (of floats as integers) and those
/// of 64 bits (`long`, `long long`).
static AAMDNodes tagsOf(const Instruction &I) {
  AAMDNodes Tags = I.getAAMetadata();
  const auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
  if (!Atomic || Tags.TBAA || Atomic->getOperation() == AtomicRMWInst::Xchg)
    return Tags;
  const Type &Of = *I.getType();
  const StringRef Name = Of.isIntegerTy(32) ? "int"
                         : Of.isFloatTy()   ? "float"
                         : Of.isDoubleTy()  ? "double"
                                            : "";
  if (Name.empty())
    return Tags;
  MDBuilder Builder(I.getContext());
  MDNode *Bytes = Builder.createTBAAScalarTypeNode(
      "omnipotent char", Builder.createTBAARoot("Simple C++ TBAA"));
  MDNode *Scalar = Builder.createTBAAScalarTypeNode(Name, Bytes);
  Tags.TBAA = Builder.createTBAAStructTagNode(Scalar, Scalar, 0);
  return Tags;
}

void KernelMemory::collectWrite(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    addWrite(I, Store->getPointerOperand());
  else if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    addWrite(I, Atomic->getPointerOperand());
  else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    addWrite(I, Exchange->getPointerOperand());
  else if (const auto *Block = dyn_cast<AnyMemIntrinsic>(&I))
    addWrite(I, Block->getDest());
  else if (const auto *Call = dyn_cast<CallBase>(&I))
    collectCallWrites(*Call);
}

void KernelMemory::collectCallWrites(const CallBase &Call) {
  switch (classify(Call)) {
  case DeviceCall::Unknown:
    if (Call.mayWriteToMemory())
      addWrite(Call, nullptr);
    return;
  case DeviceCall::Varying:
  case DeviceCall::Computes:
    if (!Call.doesNotAccessMemory())
      for (const Value *Arg : Call.args())
        if (Arg->getType()->isPointerTy())
          addWrite(Call, Arg);
    return;
  case DeviceCall::BlockBarrier:
  case DeviceCall::Uniform:
  case DeviceCall::Reads:
  case DeviceCall::Silent:
    return;
  }
}

/// Writes to local variables are known by those, and a grid barrier's are its
/// own.
void KernelMemory::addWrite(const Instruction &I, const Value *Pointer) {
  if (isInGridBarrier(I))
    return;
  if (Pointer && all_of(objectsOf(*Pointer), [&](const Value *Object) {
        return Locals.contains(Object);
      }))
    return;
  const AAMDNodes Tags = Pointer ? tagsOf(I) : AAMDNodes();
  Writes.push_back({&I, Pointer, Tags});
  WritesTo[{Pointer ? getUnderlyingObject(Pointer) : nullptr, Tags}].push_back(
      &I);
}

/// Where in an object each pointer leads does not matter: another thread's, or
/// another iteration's, leads elsewhere.
static MemoryLocation anywhereFrom(const Value &Pointer,
                                   const AAMDNodes &Tags) {
  return MemoryLocation::getBeforeOrAfter(&Pointer, Tags);
}

/// Walks from \p Start in one direction up to the next barriers that pass
/// \p Ends, and collects what lies before those.
template <typename Next>
static void collectPhase(const Instruction &Start, Next BlocksNext,
                         bool Forward,
                         function_ref<bool(const Instruction &)> Ends,
                         SmallPtrSetImpl<const Instruction *> &Phase) {
  SmallVector<const Instruction *, 8> Work = {&Start};
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    while (const Instruction *Step =
               Forward ? I->getNextNode() : I->getPrevNode()) {
      I = Step;
      if (Ends(*I) || !Phase.insert(I).second) {
        I = nullptr;
        break;
      }
    }
    if (I)
      for (const BasicBlock *B : BlocksNext(I->getParent())) {
        const Instruction &First = Forward ? B->front() : B->back();
        if (!Ends(First) && Phase.insert(&First).second)
          Work.push_back(&First);
      }
  }
}

/// What other threads may do while one is at \p At: all that no barrier keeps
/// apart from it. Barriers of the grid hold for all memory, those of a block
/// for what only the block has.
static SmallPtrSet<const Instruction *, 32> phaseAround(const Instruction &At,
                                                        bool OfBlock) {
  auto Ends = [&](const Instruction &I) {
    return OfBlock ? isBlockBarrier(I) : isPartOfGridBarrier(I);
  };
  SmallPtrSet<const Instruction *, 32> Phase;
  collectPhase(
      At, [](const BasicBlock *B) { return successors(B); }, true, Ends, Phase);
  // Both ways may share blocks, as in a loop.
  SmallPtrSet<const Instruction *, 32> Before;
  collectPhase(
      At, [](const BasicBlock *B) { return predecessors(B); }, false, Ends,
      Before);
  Phase.insert(Before.begin(), Before.end());
  return Phase;
}

static bool isShared(const Value &Object) {
  const auto *Variable = dyn_cast<GlobalVariable>(&Object);
  return Variable &&
         Variable->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// What the host knows the address of: no shared memory.
static bool isOfHost(const Value &Object) {
  return isa<Argument>(Object) ||
         (isa<GlobalVariable>(Object) && !isShared(Object));
}

SmallVector<const Instruction *, 4>
KernelMemory::writersOf(const Value &Pointer, const AAMDNodes &Tags) const {
  SmallVector<const Instruction *, 4> Result;
  const bool IsOfHost =
      all_of(objectsOf(Pointer), [](auto *O) { return isOfHost(*O); });
  for (const auto &[To, By] : WritesTo) {
    const auto &[Object, WriteTags] = To;
    const bool IsApart =
        Object && ((IsOfHost && isShared(*Object)) ||
                   Aliases.isNoAlias(anywhereFrom(Pointer, Tags),
                                     anywhereFrom(*Object, WriteTags)));
    if (!IsApart)
      append_range(Result, By);
  }
  return Result;
}

bool KernelMemory::mayBeWritten(const Value &Pointer, const AAMDNodes &Tags,
                                const Instruction &At) const {
  const auto Suspects = writersOf(Pointer, Tags);
  if (Suspects.empty())
    return false;
  const auto Phase = phaseAround(
      At, all_of(objectsOf(Pointer), [](auto *O) { return isShared(*O); }));
  return any_of(Suspects,
                [&](const Instruction *I) { return Phase.contains(I); });
}

bool KernelMemory::isNeverWritten(const LoadInst &Load) const {
  const Value &Pointer = *Load.getPointerOperand();
  return Load.isSimple() &&
         none_of(objectsOf(Pointer),
                 [&](auto *Object) { return Locals.contains(Object); }) &&
         writersOf(Pointer, Load.getAAMetadata()).empty();
}

bool KernelMemory::isUniform(const Value &Pointer, const AAMDNodes &Tags,
                             const Instruction &At) const {
  if (isReadOnlySpace(Pointer))
    return true;
  bool Shared = false;
  for (const Value *Object : objectsOf(Pointer)) {
    auto It = Locals.find(Object);
    Shared |= It == Locals.end() && !isConstant(*Object);
    if (It != Locals.end() && It->second.Varies)
      return false;
  }
  return !Shared || !mayBeWritten(Pointer, Tags, At);
}

bool KernelMemory::isUniform(const LoadInst &Load) const {
  const auto IsOwn = [&](const Value *Object) {
    return Locals.contains(Object);
  };
  // Nobody else changes a thread's own variable, be it volatile.
  if (Load.isVolatile() && !all_of(objectsOf(*Load.getPointerOperand()), IsOwn))
    return false;
  return !Load.isAtomic() &&
         (Load.hasMetadata(LLVMContext::MD_invariant_load) ||
          isUniform(*Load.getPointerOperand(), Load.getAAMetadata(), Load));
}

bool KernelMemory::isUniform(const CallBase &Load) const {
  const Value *Pointer = Load.getArgOperand(0);
  return !Pointer->getType()->isPointerTy() ||
         isUniform(*Pointer, Load.getAAMetadata(), Load);
}

void KernelMemory::forEachLocalWriter(
    function_ref<void(const Instruction &)> Visit) const {
  for (const auto &[Object, Here] : Locals)
    for (const Instruction *Writer : Here.Writers)
      Visit(*Writer);
}

bool KernelMemory::reconsiderLocals(
    function_ref<bool(const Instruction &)> Varies) {
  bool Changed = false;
  auto BringsVariation = [&](const Instruction *Writer) {
    const auto *Transfer = dyn_cast<MemTransferInst>(Writer);
    return Varies(*Writer) || (Transfer && !isUniform(*Transfer->getSource(),
                                                      AAMDNodes(), *Transfer));
  };
  for (auto &[Object, Here] : Locals)
    if (!Here.Varies && any_of(Here.Writers, BringsVariation))
      Here.Varies = Changed = true;
  return Changed;
}

} // namespace barricade

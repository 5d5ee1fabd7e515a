// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/ControlDependence.h"
#include "verify/CountedLoops.h"
#include "verify/DeviceCode.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace barricade {

/// What \p I reads may be another thread's doing.
static bool readsSharedState(const Instruction &I) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  return I.mayReadFromMemory() && !I.isLifetimeStartOrEnd() &&
         !(Load &&
           all_of(objectsOf(*Load->getPointerOperand()), [](auto *Object) {
             return isConstant(*Object) || isa<AllocaInst>(Object);
           }));
}

/// However many rounds they take, threads come out of the blocks \p Part, which
/// lead to one another.
static bool endsByItself(ArrayRef<const BasicBlock *> Part,
                         const LoopInfo &Loops, const KernelMemory &Memory) {
  const Loop *Outermost = Loops.getLoopFor(Part.front());
  while (Outermost && Outermost->getParentLoop())
    Outermost = Outermost->getParentLoop();
  return Outermost && all_of(Outermost->getLoopsInPreorder(), [&](auto *Each) {
           return isCounted(*Each) || isLeftByOwnState(*Each, Memory);
         });
}

/// Where a thread leaves the kernel, and waits for nobody on its way.
static SmallPtrSet<const BasicBlock *, 8>
blocksThatLeave(const Function &F, const LoopInfo &Loops,
                const KernelMemory &Memory) {
  SmallPtrSet<const BasicBlock *, 8> Result;
  const ValueSet Deciding = valuesBehind(terminatorsOf(F));
  ReversePostOrderTraversal<const Function *> Order(&F);
  const bool IsOfLoops =
      !containsIrreducibleCFG<const BasicBlock *>(Order, Loops);
  // For others to come, or round and round until they have written something.
  auto Waits = [&](const BasicBlock &B, bool InCycle) {
    return any_of(B, [&](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return (Call && waitsForOthers(*Call)) ||
             (InCycle && Deciding.contains(&I) && readsSharedState(I));
    });
  };
  // A limit that is asked for anew may be what others are to change.
  auto MayGoOn = [&](ArrayRef<const BasicBlock *> Part) {
    return !IsOfLoops || !endsByItself(Part, Loops, Memory) ||
           any_of(Part, [](const BasicBlock *B) {
             return any_of(*B, [](const Instruction &I) {
               return I.isVolatile() || I.isAtomic() ||
                      (isa<CallBase>(I) && I.mayReadFromMemory());
             });
           });
  };
  // What a part leads to comes before it.
  for (auto Part = scc_begin(&F); !Part.isAtEnd(); ++Part) {
    const bool InCycle = Part.hasCycle() && MayGoOn(*Part);
    if (none_of(*Part, [&](const BasicBlock *B) {
          return Waits(*B, InCycle) ||
                 any_of(successors(B), [&](const BasicBlock *S) {
                   return !Result.contains(S) && !is_contained(*Part, S);
                 });
        }))
      Result.insert(Part->begin(), Part->end());
  }
  return Result;
}

static bool isTrap(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::trap;
}

/// From where all ways lead to a trap, which ends the whole grid: who comes
/// there, and waits for nobody on its way, keeps nobody waiting.
static SmallPtrSet<const BasicBlock *, 8> blocksThatTrap(const Function &F) {
  SmallPtrSet<const BasicBlock *, 8> Result;
  for (const BasicBlock *B : post_order(&F)) {
    const bool Traps = succ_empty(B)
                           ? any_of(*B, isTrap)
                           : all_of(successors(B), [&](const BasicBlock *S) {
                               return Result.contains(S);
                             });
    if (Traps && none_of(*B, [](const Instruction &I) {
          const auto *Call = dyn_cast<CallBase>(&I);
          return Call && waitsForOthers(*Call);
        }))
      Result.insert(B);
  }
  return Result;
}

/// Nobody ever comes to \p B: the default of a switch that Clang writes for the
/// ways out of a scope.
static bool isImpossible(const BasicBlock &B) {
  return isa<UnreachableInst>(B.front());
}

ControlDependence::ControlDependence(const Function &F,
                                     const KernelMemory &Memory)
    : Dominators(const_cast<Function &>(F)), Loops(Dominators) {
  for (const BasicBlock &B : F)
    Ids.insert({&B, Ids.size()});
  // One more, where all that return meet.
  const unsigned End = Ids.size();
  All.Successors.resize(End + 1);
  const auto Trapping = blocksThatTrap(F);
  for (const BasicBlock &B : F) {
    for (const BasicBlock *S : successors(&B))
      if (!isImpossible(*S) && !Trapping.contains(S))
        All.Successors[idOf(B)].push_back(idOf(*S));
    if (All.Successors[idOf(B)].empty())
      All.Successors[idOf(B)].push_back(End);
  }
  Staying = withoutLeaving(F, Memory);
  All.computePostDominators();
  Staying.computePostDominators();
}

ControlDependence::Flow
ControlDependence::withoutLeaving(const Function &F,
                                  const KernelMemory &Memory) const {
  Flow Result = All;
  const auto Leaving = blocksThatLeave(F, Loops, Memory);
  for (const BasicBlock &B : F)
    if (!Leaving.contains(&B) && succ_size(&B) > 1)
      erase_if(Result.Successors[idOf(B)], [&](unsigned S) {
        return any_of(successors(&B), [&](const BasicBlock *To) {
          return idOf(*To) == S && Leaving.contains(To);
        });
      });
  // The end of a kernel's last loop does not only leave, nor does that of the
  // kernel itself.
  while (openDeadEnds(Result))
    ;
  return Result;
}

/// The blocks of \p Loop, of which no way leads on, where it is decided whether
/// to go round once more: at its beginning, and at its end. Others return
/// early.
static SmallVector<unsigned, 4>
conditionsOf(const BitVector &Loop, ArrayRef<std::vector<unsigned>> Ways) {
  BitVector Entries(Ways.size());
  for (const auto &[Id, Successors] : enumerate(Ways))
    for (unsigned S : Successors)
      if (Loop[S] && !Loop[Id])
        Entries.set(S);
  SmallVector<unsigned, 4> Result;
  for (unsigned Id : Loop.set_bits())
    if (Entries[Id] || any_of(Ways[Id], [&](unsigned S) { return Entries[S]; }))
      Result.push_back(Id);
  return Result;
}

/// Gives blocks of \p Cut that come to no end their successors back: those of
/// parts from which no way leads on. Whether there were any.
bool ControlDependence::openDeadEnds(Flow &Cut) const {
  const unsigned End = Ids.size();
  std::vector<BitVector> Reached;
  for (unsigned Id = 0; Id <= End; ++Id)
    Reached.push_back(Cut.reachableFrom(Id));
  BitVector Seen(End + 1);
  bool Changed = false;
  auto IsCut = [&](unsigned Id) {
    return Cut.Successors[Id] != All.Successors[Id];
  };
  for (unsigned Id = 0; Id < End; ++Id) {
    if (Seen[Id] || Reached[Id][End] ||
        !all_of(Reached[Id].set_bits(),
                [&](unsigned Other) { return Reached[Other][Id]; }))
      continue;
    BitVector Part = Reached[Id];
    Part.set(Id);
    Seen |= Part;
    auto Conditions = conditionsOf(Part, All.Successors);
    if (none_of(Conditions, IsCut))
      Conditions.assign(Part.set_bits().begin(), Part.set_bits().end());
    Changed |= any_of(Conditions, IsCut);
    for (unsigned Each : Conditions)
      Cut.Successors[Each] = All.Successors[Each];
  }
  return Changed;
}

void ControlDependence::Flow::computePostDominators() {
  const unsigned Count = Successors.size(), End = Count - 1;
  ReachesEnd.resize(Count);
  for (unsigned Id = 0; Id < Count; ++Id)
    if (Id == End || reachableFrom(Id)[End])
      ReachesEnd.set(Id);
  PostDominators.assign(Count, BitVector(Count, true));
  PostDominators[End].reset();
  PostDominators[End].set(End);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned Id = End; Id-- > 0;) {
      BitVector New(Count, true);
      for (unsigned S : Successors[Id])
        if (ReachesEnd[S])
          New &= PostDominators[S];
      New.set(Id);
      if (New != PostDominators[Id]) {
        PostDominators[Id] = std::move(New);
        Changed = true;
      }
    }
  }
}

BitVector ControlDependence::Flow::reachableFrom(unsigned From) const {
  BitVector Seen(Successors.size());
  SmallVector<unsigned, 16> Work = {From};
  while (!Work.empty())
    for (unsigned S : Successors[Work.pop_back_val()])
      if (!Seen[S]) {
        Seen.set(S);
        Work.push_back(S);
      }
  return Seen;
}

BitVector ControlDependence::Flow::regionOf(unsigned Branch) const {
  // Who never leaves a loop meets nobody behind it.
  if (!ReachesEnd[Branch])
    return reachableFrom(Branch);
  // Behind any block that all ways come to, the threads are together again.
  BitVector Meeting = PostDominators[Branch];
  Meeting.reset(Branch);
  BitVector Seen(Successors.size());
  SmallVector<unsigned, 16> Work = {Branch};
  while (!Work.empty())
    for (unsigned S : Successors[Work.pop_back_val()])
      if (!Seen[S] && !Meeting[S]) {
        Seen.set(S);
        Work.push_back(S);
      }
  return Seen;
}

bool ControlDependence::decides(const BasicBlock &Branch,
                                const BasicBlock &Block) const {
  const unsigned From = idOf(Branch), To = idOf(Block);
  if (Staying.Successors[From].size() > 1 && Staying.regionOf(From)[To])
    return true;
  const Loop *Around = Loops.getLoopFor(&Block);
  return Around && Around->contains(&Branch) && All.regionOf(From)[To];
}

} // namespace barricade

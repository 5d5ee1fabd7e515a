// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches decide what threads come to a block of the control flow
// graph, and how often.

#ifndef BARRICADE_VERIFY_CONTROLDEPENDENCE_H
#define BARRICADE_VERIFY_CONTROLDEPENDENCE_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace barricade {

class KernelMemory;

class ControlDependence {
public:
  ControlDependence(const llvm::Function &F, const KernelMemory &Memory);

  /// May threads that take different ways at the end of \p Branch come to
  /// \p Block a different number of times? Threads that leave the kernel there,
  /// and wait for nobody any more, do not count: a barrier waits for those only
  /// that are still there. They do count in the innermost loop around \p Block,
  /// all of whose threads are to come to its end.
  bool decides(const llvm::BasicBlock &Branch,
               const llvm::BasicBlock &Block) const;

private:
  /// Control flow with or without the edges by which threads only leave.
  struct Flow {
    std::vector<std::vector<unsigned>> Successors;
    std::vector<llvm::BitVector> PostDominators;
    llvm::BitVector ReachesEnd;
    void computePostDominators();
    /// What lies between \p Branch and where its ways meet again.
    llvm::BitVector regionOf(unsigned Branch) const;
    llvm::BitVector reachableFrom(unsigned From) const;
  };

  Flow withoutLeaving(const llvm::Function &F,
                      const KernelMemory &Memory) const;
  bool openDeadEnds(Flow &Cut) const;
  unsigned idOf(const llvm::BasicBlock &B) const { return Ids.at(&B); }

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Ids;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  Flow All, Staying;
};

} // namespace barricade

#endif

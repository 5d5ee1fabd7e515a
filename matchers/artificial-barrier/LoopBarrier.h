// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule artificial-barrier's pattern and its legality (papers: P1, P2).
//
// Before:                                 After:
//   for (int k = 0; k < n; ++k)             for (int k = 0; k < n; ++k) {
//     sum += a[k * stride + i];               sum += a[k * stride + i];
//                                             __syncthreads();
//                                           }
//
// A barrier at the end of every iteration is legal where every thread of the
// block that has not exited comes there equally often, and where no thread can
// wait for something that another does only after the barrier.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_LOOPBARRIER_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_LOOPBARRIER_H

#include "matchers/Program.h"
#include "matchers/artificial-barrier/Reasons.h"
#include "matchers/artificial-barrier/StridedLoop.h"
#include "matchers/cost/LoopFacts.h"
#include "matchers/divergence/Divergence.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class IfStmt;
} // namespace clang

namespace barricade::artificial_barrier {

/// A loop of device code with global memory traffic.
struct LoopCandidate {
  const clang::Stmt *Loop = nullptr;
  const clang::FunctionDecl *Function = nullptr;
  /// The kernel in whose context the function was looked at; null where no
  /// kernel of this translation unit reaches it.
  const clang::FunctionDecl *Kernel = nullptr;
  /// Those of that kernel, or null.
  const KernelEffects *Effects = nullptr;
  CostOnly<LoopFacts> Facts;
  /// What no rewriting of this loop can mend.
  std::vector<Blocker> Blockers;
  /// What forbids a bare barrier at the end of the body and no form mends.
  std::vector<Blocker> Divergences;
  /// Threads may leave the loop at different times, by its condition or a break
  /// of its own: all must go on until the last is done.
  bool NeedsVote = false;
  /// Where they do so because their counters start at the thread's index: one
  /// counter then tells for all when the last is done.
  std::optional<StridedLoop> Strided;
  /// Conditions around the loop that only some threads pass, outermost first:
  /// they must move inside.
  llvm::SmallVector<const clang::IfStmt *, 2> Guards;
  /// Loops around this one that threads leave at different times, outermost
  /// first: they must keep all threads until the last is done, too.
  llvm::SmallVector<const clang::Stmt *, 1> OuterLoops;
  /// Loops within those or the guards that all threads may run, and then run
  /// equally often.
  llvm::SmallVector<const clang::ForStmt *, 1> EnclosingLoops;
  /// Returns before the loop that only some threads take. Legal from sm_70 on.
  llvm::SmallVector<const clang::ReturnStmt *, 2> EarlyExits;
  /// On all targets a barrier waits only for threads that have not exited.
  bool ExitsAreSafe = false;
  /// The loop around this one to which a rewriting gave its barrier, or null.
  const clang::Stmt *LoopInPhase = nullptr;
  /// Threads per block, where all launches in sight agree on a constant.
  std::optional<uint64_t> BlockThreads;

  /// The outermost of the guards and outer loops, which must change with the
  /// loop; null where there is none.
  const clang::Stmt *outermost() const;
};

/// Everything that candidates refer to; keep it as long as they are used.
class LoopSearch {
public:
  LoopSearch(const PassView &Pass, const Program &Whole);
  ~LoopSearch();
  const std::vector<LoopCandidate> &candidates() const { return Candidates; }
  /// Loops of the host pass where this pass has none, as kernels under
  /// `#ifndef __CUDA_ARCH__` have them: no GPU runs them.
  std::vector<LoopCandidate> hostOnlyLoops() const;

private:
  struct Impl;
  std::unique_ptr<Impl> I;
  std::vector<LoopCandidate> Candidates;
};

/// The first architecture on which a barrier waits for the threads that have
/// not exited, thread by thread (CUDA C++ Programming Guide, "Independent
/// Thread Scheduling"; PTX ISA, `exit`).
constexpr unsigned FirstSmWithExitedThreads = 70;

} // namespace barricade::artificial_barrier

#endif

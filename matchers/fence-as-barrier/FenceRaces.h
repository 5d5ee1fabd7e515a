// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences that are taken for grid barriers (papers: P5, system 20).
//
//   old[i] = c[i];
//   __threadfence();
//   c[i + off] ^= b[i];   // Thread i + off may not have read c[i + off] yet.
//
// A fence orders the accesses of the thread that executes it. It makes nobody
// wait, so a thread past its own fence knows nothing of another block's
// threads.

#ifndef BARRICADE_MATCHERS_FENCEASBARRIER_FENCERACES_H
#define BARRICADE_MATCHERS_FENCEASBARRIER_FENCERACES_H

#include "matchers/facts/DeviceFunctions.h"
#include "matchers/fence-as-barrier/SmallGrid.h"
#include <string>

namespace barricade::fence_as_barrier {

/// One thread's part in a race.
struct RacingAccess {
  const clang::Expr *Access = nullptr; ///< The lvalue, or a call that loads it.
  const clang::FunctionDecl *Function = nullptr;
  bool IsStore = false;

  auto operator<=>(const RacingAccess &) const = default;
};

/// Two threads of different blocks that meet at one place of global memory: one
/// before a fence, the other after it.
struct FenceRace {
  const clang::Stmt *Fence = nullptr;
  const clang::FunctionDecl *Function = nullptr; ///< Holds the fence.
  const clang::FunctionDecl *Kernel = nullptr;
  RacingAccess Before, After;

  /// Where the grid has one dimension: how far the thread of `Before` is from
  /// that of `After`, counted through the grid, if it is always as far.
  std::optional<int64_t> Distance;

  /// One case in which they meet.
  struct Meeting {
    LaunchShape Shape;
    unsigned BlockBefore, ThreadBefore; ///< Counted in x, then y, then z.
    unsigned BlockAfter, ThreadAfter;
    int64_t Element;
    std::vector<std::pair<std::string, int64_t>> Scalars;
  } Example;
};

/// The races over fences in the kernel of \p Effects, one for each pair of
/// accesses.
///
/// Only what surely is a race is given: both threads come to their accesses
/// whatever memory holds, neither may have waited for another block before, and
/// they meet for every choice of the host's scalars that was tried and in which
/// both come to their accesses in different blocks at all.
std::vector<FenceRace> findFenceRaces(const KernelEffects &Effects,
                                      const UserCode &Code);

} // namespace barricade::fence_as_barrier

#endif

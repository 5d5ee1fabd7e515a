// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much a relaunch loop runs, as far as the source says.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_LOOPSIZE_H
#define BARRICADE_MATCHERS_GRIDBARRIER_LOOPSIZE_H

#include "matchers/cost/CostOnly.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include <cstdint>
#include <optional>

namespace barricade::grid_barrier {

struct LoopSize {
  /// Of the persistent kernel: those of the largest grid.
  std::optional<uint64_t> Blocks;
  std::optional<uint64_t> BlockThreads;
  /// How often the body runs, each time with all launches.
  std::optional<uint64_t> Iterations;
};

/// \p L was read and is understood.
CostOnly<LoopSize> sizeOf(const RelaunchLoop &L, clang::ASTContext &Context);

/// The loop makes the same launches again and again, in groups of two, four,
/// eight or sixteen: it changes nothing that they are given but by a swap of
/// two variables in each iteration.
CostOnly<bool> repeatsInGroups(const RelaunchLoop &L);

} // namespace barricade::grid_barrier

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a fused kernel takes of a multiprocessor, as far as the source shows it.
// Registers are the compiler's choice: the runtime header compares occupancies
// before it launches.

#ifndef BARRICADE_MATCHERS_LAUNCHFUSION_FUSEDRESOURCES_H
#define BARRICADE_MATCHERS_LAUNCHFUSION_FUSEDRESOURCES_H

#include "matchers/launch-fusion/FusionPlan.h"
#include "matchers/launch-fusion/LaunchSequence.h"
#include <cstdint>
#include <string>
#include <vector>

namespace barricade::launch_fusion {

struct FusedResources {
  uint64_t StaticSharedBytes = 0; ///< Of all kernels together, at most.
  /// `__launch_bounds__(...) ` as all kernels have it, or nothing.
  std::string LaunchBounds;
  std::vector<Blocker> Blockers;
};

FusedResources checkResources(const LaunchSequence &S,
                              const std::vector<KernelViews> &Views,
                              const Program &Whole, clang::ASTContext &Host);

/// Blocks that a multiprocessor of architecture \p Sm (90 for sm_90) holds, by
/// its threads and shared memory. Source: CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability".
unsigned residentBlocks(unsigned Sm, uint64_t BlockThreads,
                        uint64_t SharedBytes);

} // namespace barricade::launch_fusion

#endif

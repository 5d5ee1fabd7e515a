// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the kernel that launches in a row become, and its launch, with the
// launches as they were for the fallback. Decides nothing: the sequence was
// read, its kernels are steps, and the plan says what stands between them.
//
// Before:
//   void update(Word *old, Word *c, const Word *b, int shift, int words) {
//     const int blocks = (words + 511) / 512;
//     copyWords<<<blocks, 512>>>(old, c, words);
//     addShifted<<<blocks, 512>>>(c, b, shift, words);
//   }
//
// After:
//   /// copyWords and addShifted of update() as one launch.
//   static __global__ void update_fused(barricade::GridBarrier bar, Word *old,
//                                       Word *c, int words, const Word *b,
//                                       int shift) {
//     copyWords_step(blockIdx, old, c, words);
//     __gpu_sync(bar);
//     addShifted_step(blockIdx, c, b, shift, words);
//   }
//
//   void update(Word *old, Word *c, const Word *b, int shift, int words) {
//     const int blocks = (words + 511) / 512;
//     if (barricade::launch_persistent_exact(update_fused, blocks, 512, 0, 0,
//                                            old, c, words, b, shift) !=
//         cudaSuccess) {
//       copyWords<<<blocks, 512>>>(old, c, words);
//       addShifted<<<blocks, 512>>>(c, b, shift, words);
//     }
//   }
//
// Arguments are evaluated on the host as they were; the kernel takes each once.
// Where the plan has limits, barricade::grid_below(blocks, 512, words) stands
// for the grid.

#ifndef BARRICADE_REWRITERS_LAUNCHFUSION_FUSEDTEXT_H
#define BARRICADE_REWRITERS_LAUNCHFUSION_FUSEDTEXT_H

#include "matchers/launch-fusion/FusionPlan.h"
#include "rewriters/Rule.h"
#include "rewriters/grid-barrier/StepText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace barricade::launch_fusion {

/// What the caller chooses.
struct FusedNames {
  std::string Kernel;    ///< Of the fused kernel.
  SyncStrategy Strategy; ///< Of the run's grid barriers.
  RuntimeHeader Header;
  /// `__launch_bounds__(...) ` as all of the kernels have it, or nothing.
  std::string LaunchBounds;
};

struct FusedText {
  std::vector<Edit> Edits;
  std::vector<Blocker> Blockers;
};

/// \p StepOf gives the step of a launched kernel.
FusedText writeFused(const LaunchSequence &S, const FusionPlan &Plan,
                     const FusedNames &Names,
                     llvm::function_ref<const grid_barrier::StepText &(
                         const clang::FunctionDecl &)>
                         StepOf,
                     const PassView &Host);

} // namespace barricade::launch_fusion

#endif

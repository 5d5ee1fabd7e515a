// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel that waits for the grid before is as fast as it was. Nothing
// here says whether that is legal.

#ifndef BARRICADE_MATCHERS_LAUNCHOVERLAP_PROFIT_H
#define BARRICADE_MATCHERS_LAUNCHOVERLAP_PROFIT_H

#include "matchers/launch-overlap/WaitingKernel.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace barricade::launch_overlap {

/// The only part of the launch rules that looks at what a kernel does.
struct Profit {
  /// A loop of \p Kernel, or of what it calls, may read through a pointer to
  /// `const` that is `__restrict__`. Of such memory compilers know that it
  /// stays, and load it by `ld.global.nc` ahead of branches and barriers, many
  /// loads at a time. Of a kernel that waits they must not know it
  /// (barricade::coherent), which has cost more than overlapping saves
  /// (docs/results/launch-overlap.md, "What read-only loads are worth").
  static bool losesReadOnlyLoads(const WaitingKernel &Kernel,
                                 clang::ASTContext &Context);
};

} // namespace barricade::launch_overlap

#endif

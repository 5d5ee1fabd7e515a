// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much must stand between the kernels of a sequence once they are one.

#ifndef BARRICADE_MATCHERS_LAUNCHFUSION_FUSIONPLAN_H
#define BARRICADE_MATCHERS_LAUNCHFUSION_FUSIONPLAN_H

#include "matchers/dependence/ElementOwners.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/launch-fusion/LaunchSequence.h"
#include <string>
#include <vector>

namespace barricade::launch_fusion {

using dependence::Scope;

/// What stands between a kernel and the next one, and why no less.
struct Boundary {
  Scope Between = Scope::None;
  std::string Why;
};

struct FusionPlan {
  std::vector<Boundary> Boundaries; ///< One less than launches.
  /// Arguments of launches, integers, each once. The plan holds only if none is
  /// negative, and the grid's number of threads above each is still an int.
  std::vector<const clang::Expr *> Limits;
  Scope strongest() const;
};

/// The views that the device passes have of one launch's kernel.
using KernelViews = std::vector<const grid_barrier::StepKernel *>;

/// Finds for each boundary of \p S the least that is proved enough. \p Views
/// has an entry for each launch. \p IsFixed: in all builds their kernels do the
/// same; else nothing is known of which threads touch what.
FusionPlan planFusion(const LaunchSequence &S,
                      const std::vector<KernelViews> &Views,
                      clang::ASTContext &Host, bool IsFixed);

} // namespace barricade::launch_fusion

#endif

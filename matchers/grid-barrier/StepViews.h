// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as a step, as each device pass of a unit sees it.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_STEPVIEWS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_STEPVIEWS_H

#include "matchers/grid-barrier/DeviceKernels.h"
#include "matchers/grid-barrier/StepKernel.h"
#include <vector>

namespace barricade::grid_barrier {

/// The kernels of one device pass.
using DevicePass = DeviceKernels<StepKernel>;

class StepViews {
public:
  explicit StepViews(const Program &Whole);

  /// Those of \p Kernel, of whatever pass.
  std::vector<const StepKernel *> of(const clang::FunctionDecl &Kernel);

  std::vector<DevicePass> &passes() { return Passes; }

private:
  std::vector<DevicePass> Passes;
};

} // namespace barricade::grid_barrier

#endif

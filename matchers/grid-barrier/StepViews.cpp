// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/StepViews.h"

using namespace clang;

namespace barricade::grid_barrier {

StepViews::StepViews(const Program &Whole) {
  for (const PassView &Pass : Whole.Passes)
    if (Pass.IsDevice)
      Passes.emplace_back(
          Pass, [&Whole](const FunctionDecl &Kernel, const PassView &Its) {
            return inspectStep(Kernel, Whole, Its);
          });
}

std::vector<const StepKernel *> StepViews::of(const FunctionDecl &Kernel) {
  std::vector<const StepKernel *> Steps;
  for (DevicePass &Pass : Passes)
    if (const StepKernel *Step = Pass.find(keyOf(Kernel)))
      Steps.push_back(Step);
  return Steps;
}

} // namespace barricade::grid_barrier

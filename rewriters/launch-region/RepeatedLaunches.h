// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops for timing: they make one launch again and again, and are measured to
// tell what that takes.

#ifndef BARRICADE_REWRITERS_LAUNCHREGION_REPEATEDLAUNCHES_H
#define BARRICADE_REWRITERS_LAUNCHREGION_REPEATEDLAUNCHES_H

#include "matchers/Program.h"
#include "matchers/launch-region/LaunchRegion.h"
#include "rewriters/Rule.h"
#include "rewriters/grid-barrier/StepCache.h"
#include <optional>

namespace barricade::launch_region {

class RepeatedLaunches {
public:
  RepeatedLaunches(const Program &P, const RuleOptions &Options)
      : Whole(P), Options(Options) {}

  /// Each iteration of \p R does what the last one did, as far as names tell:
  /// nothing that a kernel in sight writes is read by any. For cost alone.
  bool repeat(const LaunchRegion &R);

private:
  const Program &Whole;
  const RuleOptions &Options;
  std::optional<grid_barrier::StepCache> Steps; ///< Once they are asked for.
};

} // namespace barricade::launch_region

#endif

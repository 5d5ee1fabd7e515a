// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_LAUNCHREGION_INSTANCEFINDINGS_H
#define BARRICADE_REWRITERS_LAUNCHREGION_INSTANCEFINDINGS_H

#include "matchers/Finding.h"
#include "matchers/launch-region/LaunchRegion.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace barricade::launch_region {

/// What \p Find says of \p R. Of a template's region: what it says of all
/// instances, whose text is one. Where they differ, why the first instance that
/// has reasons is not rewritten, or else what \p Find says of a template of
/// which nothing is known.
std::vector<Finding> findInInstances(
    const LaunchRegion &R,
    llvm::function_ref<std::vector<Finding>(const LaunchRegion &)> Find);

} // namespace barricade::launch_region

#endif

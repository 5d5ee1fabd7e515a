// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The regions of a function template: those that all of its instances have at
// the same places. Which functions it calls, and what it launches, only they
// know; what is written is the template's text, for all of them.

#ifndef BARRICADE_MATCHERS_LAUNCHREGION_TEMPLATEREGIONS_H
#define BARRICADE_MATCHERS_LAUNCHREGION_TEMPLATEREGIONS_H

#include "matchers/launch-region/LaunchRegion.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace barricade::launch_region {

/// The regions of \p Pattern, each with its instances, as \p Search finds them
/// in those. Nothing where they differ, where not all of the text is some
/// instance's, or where another unit or build may have other instances.
std::optional<std::vector<LaunchRegion>> regionsOfTemplate(
    const clang::FunctionDecl &Pattern,
    llvm::function_ref<std::vector<LaunchRegion>(const clang::FunctionDecl &)>
        Search);

} // namespace barricade::launch_region

#endif

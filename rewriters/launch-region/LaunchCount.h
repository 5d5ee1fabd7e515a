// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_LAUNCHREGION_LAUNCHCOUNT_H
#define BARRICADE_REWRITERS_LAUNCHREGION_LAUNCHCOUNT_H

#include <cstdint>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Stmt;
} // namespace clang

namespace barricade {
class SourceText;

namespace launch_region {

/// How often a loop runs, as far as its head tells. For cost alone: it is known
/// before the loop, but a body may leave earlier, or change the bound.
struct LaunchCount {
  /// An expression for the place before the loop; empty: nobody knows.
  std::string Text;
  /// Its value, where that is a constant.
  std::optional<int64_t> Known;
};

LaunchCount countLaunches(const clang::Stmt &Loop, const SourceText &Source,
                          clang::ASTContext &Context);

/// `barricade::ReplayedLaunches object(steps);` \p OfCallees: functions that
/// are called launch by it, too.
std::string declareReplay(const std::string &Object, const LaunchCount &Count,
                          bool OfCallees = false);

/// The function of \p Object that makes a launch. \p Overlaps: its kernel waits
/// for the grid before.
std::string replayedBy(const std::string &Object, bool Overlaps);

} // namespace launch_region
} // namespace barricade

#endif

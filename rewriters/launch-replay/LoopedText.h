// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that go on by a number which is read back, with an object that has the
// device go around them.

#ifndef BARRICADE_REWRITERS_LAUNCHREPLAY_LOOPEDTEXT_H
#define BARRICADE_REWRITERS_LAUNCHREPLAY_LOOPEDTEXT_H

#include "matchers/launch-region/ReadLoop.h"
#include <optional>
#include <string>

namespace barricade {
class SourceText;

namespace launch_replay {

/// `barricade::LoopedLaunches object(barricade::while_read<int>(...));`;
/// nothing where macros are in the way. \p NewLine: with the loop's
/// indentation.
std::optional<std::string> declareLooped(const launch_region::ReadLoop &Loop,
                                         const std::string &Object,
                                         const std::string &NewLine,
                                         const SourceText &Source,
                                         const clang::ASTContext &Context);

/// `object.next(counter, bound);`; nothing where macros are in the way.
std::optional<std::string> nextIteration(const launch_region::ReadLoop &Loop,
                                         const std::string &Object,
                                         const SourceText &Source);

} // namespace launch_replay
} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that go on by a number which is read back, with an object that has the
// device go around them.

#ifndef BARRICADE_REWRITERS_LAUNCHREPLAY_LOOPEDTEXT_H
#define BARRICADE_REWRITERS_LAUNCHREPLAY_LOOPEDTEXT_H

#include "matchers/launch-region/ReadLoop.h"
#include "clang/Basic/SourceLocation.h"
#include <optional>
#include <string>

namespace barricade {
class SourceText;

namespace launch_replay {

struct LoopedText {
  /// `barricade::LoopedLaunches object(barricade::while_read<int>(...));`, with
  /// the loop's indentation.
  std::string Declaration;
  std::string Next; ///< `object.next(counter, bound);`
};

/// For \p Object before \p Loop, which begins at \p Begin; nothing where macros
/// are in the way.
std::optional<LoopedText> loopedText(const launch_region::ReadLoop &Loop,
                                     clang::SourceLocation Begin,
                                     const std::string &Object,
                                     const SourceText &Source,
                                     const clang::ASTContext &Context);

} // namespace launch_replay
} // namespace barricade

#endif

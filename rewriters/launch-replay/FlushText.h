// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has an object make all that it holds back, and tells of an error as the
// loop does:
//
//   CHECK(replay.flush());
//
// What keeps an error in a variable, or asks for the last one, does so for an
// error only, for nobody may have waited where the loop did not run:
//
//   if (replay.flush() != cudaSuccess) {
//     last = replay.flush_error();
//     if (last != cudaSuccess)
//       exit(1);
//   }

#ifndef BARRICADE_REWRITERS_LAUNCHREPLAY_FLUSHTEXT_H
#define BARRICADE_REWRITERS_LAUNCHREPLAY_FLUSHTEXT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class SourceLocation;
class SourceManager;
} // namespace clang

namespace barricade {
class SourceText;

namespace launch_region {
struct LastCheck;
} // namespace launch_region

namespace launch_replay {

/// `object.flush();` and \p Asked, what asks last for errors in the loop at
/// \p Loop. Its lines are indented as if the first was not. Nothing where
/// macros, or lines that cannot be indented, are in the way.
std::optional<std::string> flushText(llvm::StringRef Object,
                                     const launch_region::LastCheck &Asked,
                                     clang::SourceLocation Loop,
                                     const SourceText &Source,
                                     const clang::SourceManager &SM);

/// \p Text, each line of which but the first begins with \p Line, a line's end
/// and blanks.
std::string onLines(llvm::StringRef Text, llvm::StringRef Line);

} // namespace launch_replay
} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands that measure, `barricade run` and its like: programs of eval/,
// which lie under the prefix, or in the source tree of a build.

#ifndef BARRICADE_TOOL_SUBCOMMANDS_H
#define BARRICADE_TOOL_SUBCOMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <utility>

namespace barricade {

/// Each with what it does.
inline constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
    Subcommands[] = {
        {"run", "build, check and time what --variants wrote"},
        {"tune", "find what makes your program faster, loop by loop"},
        {"apply", "write the best variants of a run into the sources"},
        {"calibrate", "make a profile of this machine's GPU"},
};

/// The one that the program itself is; see tool/Explain.h.
inline constexpr llvm::StringLiteral ExplainCommand = "explain";
/// See tool/IndexCommands.h.
inline constexpr llvm::StringLiteral IndexCommand = "index",
                                     LinkCommand = "link";

bool isSubcommand(llvm::StringRef Word);

/// Becomes the command that \p Args name first, with the rest as its arguments.
/// Returns where that fails only.
llvm::Error becomeSubcommand(llvm::ArrayRef<const char *> Args);

} // namespace barricade

#endif

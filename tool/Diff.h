// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unified diffs, for LLVM's libraries have none.

#ifndef BARRICADE_TOOL_DIFF_H
#define BARRICADE_TOOL_DIFF_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace barricade {

/// The diff that turns \p Old into \p New, in Git's form: paths are those below
/// the repository's root, quoted as Git quotes them. Lines are bytes up to and
/// with a line feed, so carriage returns are part of them. Empty where both are
/// equal. `git apply` and `patch -p1` take it.
///
/// Lines are matched by E. Myers, "An O(ND) difference algorithm and its
/// variations", 1986.
std::string unifiedDiff(llvm::StringRef Path, llvm::StringRef Old,
                        llvm::StringRef New, unsigned Context = 3);

} // namespace barricade

#endif

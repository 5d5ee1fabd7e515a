// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name for a finding that lasts while the code around it changes.

#ifndef BARRICADE_TOOL_FINGERPRINT_H
#define BARRICADE_TOOL_FINGERPRINT_H

#include "tool/Report.h"

namespace barricade {

/// Fills in the fingerprints of the findings of \p R: a hash of its rule, the
/// path of its file below the project's root, its function, the first line of
/// its statement without blanks, and its number among those that agree in all
/// that. It outlives changes elsewhere in the file, other indentation and
/// another checkout; it changes where the statement's head, the function's name
/// or the file's path do. \p ProjectRoot: empty, to be found from each file.
///
/// To be called before findings are left out, for they are numbered.
void addFingerprints(Report &R, llvm::StringRef ProjectRoot);

} // namespace barricade

#endif

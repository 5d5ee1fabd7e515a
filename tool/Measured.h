// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What eval/run measured of rewrites, beside the findings they belong to.

#ifndef BARRICADE_TOOL_MEASURED_H
#define BARRICADE_TOOL_MEASURED_H

#include "tool/Report.h"
#include "llvm/Support/Error.h"

namespace barricade {

/// Adds to \p R the times of \p ResultsPath, a results.json of eval/run, and
/// returns how many findings got some. The manifest that it names, or one
/// beside or above it, says which findings each variant rewrote. A finding in a
/// file that is not what was measured gets none. Fails where either file cannot
/// be read or is none of eval's, and where they do not belong together.
llvm::Expected<unsigned> addMeasurements(Report &R,
                                         llvm::StringRef ResultsPath);

} // namespace barricade

#endif

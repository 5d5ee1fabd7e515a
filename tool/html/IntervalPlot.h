// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured gains beside each other: for each variant a dot with its 95 %
// interval, left of the original's line where it is slower.

#ifndef BARRICADE_TOOL_HTML_INTERVALPLOT_H
#define BARRICADE_TOOL_HTML_INTERVALPLOT_H

#include "tool/Report.h"
#include "tool/html/Html.h"

namespace barricade::html {

/// Draws \p Measured, which is not empty.
void writeIntervalPlot(Writer &W, llvm::ArrayRef<Measurement> Measured);

} // namespace barricade::html

#endif

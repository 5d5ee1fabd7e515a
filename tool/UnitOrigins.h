// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a translation unit is made of, as summaries have it.

#ifndef BARRICADE_TOOL_UNITORIGINS_H
#define BARRICADE_TOOL_UNITORIGINS_H

#include "program/UnitSummary.h"

namespace barricade {

struct TranslationUnit;

/// The files of \p Unit outside of system headers, with hashes of the texts as
/// they were parsed, and its command.
program::UnitOrigin originOf(const TranslationUnit &Unit);

/// A summary of \p Unit, whose ASTs \p P shows.
program::UnitSummary summaryOf(const TranslationUnit &Unit, const Program &P);

} // namespace barricade

#endif

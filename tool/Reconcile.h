// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several translation units may speak of the same place. What they say is
// brought together here, before anything is printed or edited.

#ifndef BARRICADE_TOOL_RECONCILE_H
#define BARRICADE_TOOL_RECONCILE_H

#include "rewriters/Rule.h"
#include <vector>

namespace barricade {

/// The reasons that reconciling and selecting add to those of the rules.
llvm::ArrayRef<ReasonInfo> commandReasons();

/// Merges findings with the same key. A refusal by one translation unit wins
/// over a rewrite by another, for code must be right in all of them; reasons
/// and facts of all are kept. Two rewrites that differ refuse each other
/// (`conflicting-edits`). The result is in order of first appearance of the
/// file, then by offset.
std::vector<Finding> reconcile(std::vector<Finding> Findings);

/// Holds back (`overlapping-edit`) every finding whose edits would meet those
/// of an earlier one that applies.
void holdBackOverlaps(std::vector<Finding> &Findings);

} // namespace barricade

#endif

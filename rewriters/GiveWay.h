// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_GIVEWAY_H
#define BARRICADE_REWRITERS_GIVEWAY_H

#include "matchers/Blocker.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace barricade {

/// Leaves \p F, what could \p Could, for \p Why, which is seen at \p Where.
void leave(Finding &F, llvm::StringRef Could, const ReasonInfo &Why,
           const Place &Where);

/// Leaves the rewrites of the rule \p RuleId, what each "\p Could", where one
/// that another rule makes \p IsInTheWay, for \p Why.
void giveWay(std::vector<Finding> &Findings, llvm::StringRef RuleId,
             llvm::StringRef Could, const ReasonInfo &Why,
             llvm::function_ref<bool(const Finding &Own, const Finding &Other)>
                 IsInTheWay);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/GiveWay.h"

namespace barricade {

void giveWay(std::vector<Finding> &Findings, llvm::StringRef RuleId,
             llvm::StringRef Could, const ReasonInfo &Why,
             llvm::function_ref<bool(const Finding &Own, const Finding &Other)>
                 IsInTheWay) {
  for (const Finding &Other : Findings) {
    if (Other.Rule == RuleId || !Other.applies())
      continue;
    for (Finding &Own : Findings)
      if (Own.Rule == RuleId && Own.Outcome == Verdict::Rewrite &&
          IsInTheWay(Own, Other)) {
        Own.Outcome = Verdict::NotProfitable;
        Own.Reasons.push_back(
            {Why.Id.str(), Other.Where, Why.Summary.str(), {}});
        Own.Message = Own.Subject + " could " + Could.str() + ", but " +
                      Why.Summary.str();
      }
  }
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/GiveWay.h"

namespace barricade {

void leave(Finding &F, llvm::StringRef Could, const ReasonInfo &Why,
           const Place &Where) {
  F.Outcome = Verdict::NotProfitable;
  F.Reasons.push_back({Why.Id.str(), Where, Why.Summary.str(), {}});
  F.Message =
      F.Subject + " could " + Could.str() + ", but " + Why.Summary.str();
}

void giveWay(std::vector<Finding> &Findings, llvm::StringRef RuleId,
             llvm::StringRef Could, const ReasonInfo &Why,
             llvm::function_ref<bool(const Finding &Own, const Finding &Other)>
                 IsInTheWay) {
  for (const Finding &Other : Findings) {
    if (Other.Rule == RuleId || !Other.applies())
      continue;
    for (Finding &Own : Findings)
      if (Own.Rule == RuleId && Own.Outcome == Verdict::Rewrite &&
          IsInTheWay(Own, Other))
        leave(Own, Could, Why, Other.Where);
  }
}

} // namespace barricade

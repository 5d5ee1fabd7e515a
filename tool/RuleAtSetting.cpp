// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/RuleAtSetting.h"
#include "tool/Reconcile.h"
#include "tool/Suppress.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace barricade {

void RuleAtSetting::run(const Program &P, const RuleOptions &OfRun,
                        std::vector<Finding> &Findings) const {
  std::vector<Finding> Found;
  RuleOptions Options = S.Options;
  Options.Replays |= OfRun.Replays;
  Base.run(P, Options, Found);
  for (Finding &F : Found)
    F.Rule = Id;
  append_range(Findings, std::move(Found));
}

std::vector<Finding> RuleAtSetting::findingsIn(const Report &R) const {
  Report Own;
  Own.Texts = R.Texts;
  for (const Finding &F : R.Findings)
    if (F.Rule == Id) {
      Own.Findings.push_back(F);
      Own.Findings.back().Rule = Base.id();
    }
  suppressByComments(Own);
  Base.choose(Own.Findings);
  holdBackOverlaps(Own.Findings);
  return std::move(Own.Findings);
}

} // namespace barricade

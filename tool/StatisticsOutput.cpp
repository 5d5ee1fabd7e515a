// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Names.h"
#include "tool/Output.h"
#include "tool/Summary.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace barricade {
namespace {

class StatisticsOutput : public Output {
public:
  void print(const Report &R, raw_ostream &OS) const override {
    for (const std::string &Rule : R.Rules) {
      OS << Rule << ":\n";
      for (Standing Each : AllStandings)
        print(Rule, Each, R, OS);
    }
  }

private:
  /// The findings of \p Rule that stand so, with their reasons.
  static void print(StringRef Rule, Standing Each, const Report &R,
                    raw_ostream &OS) {
    Report Part;
    copy_if(R.Findings, std::back_inserter(Part.Findings),
            [&](const Finding &F) {
              return F.Rule == Rule && standing(F) == Each;
            });
    if (Part.Findings.empty())
      return;
    OS << formatv("{0,8} {1}\n", Part.Findings.size(), standingWords(Each));
    for (const auto &[Id, Count] : byFrequency(summarize(Part)))
      OS << formatv("{0,14} {1}\n", Count, Id);
  }
};

} // namespace

std::unique_ptr<Output> makeStatisticsOutput() {
  return std::make_unique<StatisticsOutput>();
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which legal rewrites are proposed. Three kinds of knowledge speak to that,
// the first that there is decides:
//
//   measured   eval/run timed this rewrite of this program (Measured.h)
//   expected   the profile of the GPU says what such a rewrite does
//   (Profiles.h) none       it is legal, and nobody knows
//
// What makes a program slower, or no faster, becomes not profitable, with the
// figure and its source; what nobody knows likewise, and is told as a remark.

#ifndef BARRICADE_TOOL_KNOWLEDGE_PROFIT_H
#define BARRICADE_TOOL_KNOWLEDGE_PROFIT_H

#include "tool/Options.h"
#include "tool/Report.h"
#include "tool/RuleAtSetting.h"
#include "tool/knowledge/Measured.h"
#include "tool/knowledge/Profiles.h"

namespace barricade {

/// The reasons that speak against the profit of what is legal.
llvm::ArrayRef<ReasonInfo> profitReasons();

class Profit {
public:
  /// What speaks for or against a rewrite.
  struct Opinion {
    std::string Against; ///< The reason's id; empty: it pays.
    std::string Why;     ///< The reason's text.
    std::string Told;    ///< The figures, behind the headline.
    std::string Setting; ///< The fastest one that was measured; else empty.
  };

  /// Reads what \p Opts name, and the profiles that there are. \p Rules outlive
  /// the object.
  static llvm::Expected<Profit>
  create(const Options &Opts, llvm::ArrayRef<std::unique_ptr<Rule>> Rules);

  /// Adds to \p Chosen those rules again, at the settings that were measured to
  /// be faster. judge() takes their findings away, and proposes some of them.
  void addMeasured(std::vector<const Rule *> &Chosen) const;

  /// Decides which findings of \p R are proposed; they are merged, and no rule
  /// has chosen among them yet. Where several settings were measured, the
  /// fastest one is proposed.
  void judge(Report &R) const;

  /// Tells in \p Findings, of the program of \p Files, what is expected, and
  /// decides nothing.
  void tell(std::vector<Finding> &Findings,
            llvm::ArrayRef<FileReport> Files) const;

  /// What it goes by for \p Files: one sentence for the user.
  std::string explanation(llvm::ArrayRef<FileReport> Files) const;

private:
  const Profile *profileFor(llvm::ArrayRef<FileReport> Files) const;
  KnownGain wanted(const Profile *Gpu) const;
  /// Nothing where nothing is expected of \p F; else its facts say what.
  std::optional<Opinion> expected(Finding &F, const Profile *Gpu) const;
  Opinion unknown(llvm::ArrayRef<FileReport> Files) const;

  KnownGain Asked = KnownGain::Automatic;
  std::optional<Profile> Chosen; ///< By --calibration or --gpu.
  Profiles Known;
  std::optional<Measured> Results;
  std::vector<std::unique_ptr<RuleAtSetting>> FasterRules;
};

} // namespace barricade

#endif

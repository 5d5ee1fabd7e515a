// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule at one of its settings, beside the rule itself: for measuring, and for
// what was measured to be better than the rule's default.

#ifndef BARRICADE_TOOL_RULEATSETTING_H
#define BARRICADE_TOOL_RULEATSETTING_H

#include "rewriters/Rule.h"
#include "tool/Report.h"
#include "llvm/ADT/Twine.h"

namespace barricade {

/// Its findings carry the setting in their rule's name, so that those of
/// several settings stay apart.
class RuleAtSetting : public Rule {
public:
  RuleAtSetting(const Rule &Base, Setting S)
      : Base(Base), S(std::move(S)), Id(idFor(Base.id(), this->S.Name)) {}

  /// `artificial-barrier@k4`
  static std::string idFor(llvm::StringRef Rule, llvm::StringRef Setting) {
    return (Rule + "@" + Setting).str();
  }
  static bool isIdOfOne(llvm::StringRef Id) { return Id.contains('@'); }

  llvm::StringRef id() const override { return Id; }
  llvm::StringRef summary() const override { return Base.summary(); }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return Base.reasons(); }
  const Rule &base() const { return Base; }
  const Setting &setting() const { return S; }

  void run(const Program &P, const RuleOptions &OfRun,
           std::vector<Finding> &Findings) const override;

  /// What this rule says in \p R, as the rule itself would have said it.
  std::vector<Finding> findingsIn(const Report &R) const;

private:
  const Rule &Base;
  Setting S;
  std::string Id;
};

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_SUMMARY_H
#define BARRICADE_TOOL_SUMMARY_H

#include "tool/Report.h"
#include <map>

namespace barricade {

/// A report in numbers.
struct Summary {
  std::map<FileReport::State, unsigned> Files;
  std::map<Standing, unsigned> Findings;
  std::map<std::string, unsigned> Reasons; ///< Findings by reason id.

  unsigned count(FileReport::State S) const { return countOf(Files, S); }
  unsigned count(Standing S) const { return countOf(Findings, S); }

private:
  template <typename K>
  static unsigned countOf(const std::map<K, unsigned> &Counts, K Key) {
    auto It = Counts.find(Key);
    return It == Counts.end() ? 0 : It->second;
  }
};

Summary summarize(const Report &R);

/// Reasons with their counts, the most frequent first.
std::vector<std::pair<std::string, unsigned>> byFrequency(const Summary &S);

} // namespace barricade

#endif

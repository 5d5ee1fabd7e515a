// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings that are known already, so that others stand out. A baseline is a
// text file: lines of a fingerprint and, for the reader, rule and place;
// comments begin with `#`.

#ifndef BARRICADE_TOOL_BASELINE_H
#define BARRICADE_TOOL_BASELINE_H

#include "tool/Report.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace barricade {

class Baseline {
public:
  /// Fails with the line that is no entry.
  static llvm::Expected<Baseline> read(llvm::StringRef Path);
  static llvm::Expected<Baseline> parse(llvm::StringRef Path,
                                        llvm::StringRef Text);

  /// Marks the findings that the baseline lists. Those that a comment silences
  /// stay as they are.
  void suppress(Report &R) const;

private:
  std::string Path;
  llvm::StringMap<unsigned> Lines; ///< By fingerprint.
};

/// A baseline of what \p R tells the user of, and of what the baseline that it
/// was run with lists. Sorted, so that it can be merged and compared.
std::string baselineText(const Report &R);

} // namespace barricade

#endif

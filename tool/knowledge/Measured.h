// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What eval/run measured of rewrites, beside the findings they belong to.

#ifndef BARRICADE_TOOL_KNOWLEDGE_MEASURED_H
#define BARRICADE_TOOL_KNOWLEDGE_MEASURED_H

#include "tool/Report.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace barricade {

/// A results.json of eval/run, with the manifest of what it measured.
class Measured {
public:
  /// The manifest is the one that the results name, or one beside or above
  /// them. Fails where either file cannot be read or is none of eval's, and
  /// where they do not belong together.
  static llvm::Expected<Measured> read(llvm::StringRef ResultsPath);

  /// Adds the times to the findings of \p R that they belong to. A finding in a
  /// file that is not what was measured gets none.
  void addTo(Report &R) const;

  /// Whether some rewrite of the rule \p Rule at \p Setting was faster.
  bool hasFaster(llvm::StringRef Rule, llvm::StringRef Setting) const;

private:
  /// A finding that a variant rewrites.
  struct Target {
    std::string Rule, File;
    unsigned Offset;
  };
  struct Row {
    std::vector<Target> Targets;
    Measurement Times;
  };

  void readRows(const llvm::json::Object &Results,
                const llvm::json::Object &Manifest);

  std::string Folder, Root; ///< Of the manifest, and of the project it is of.
  std::vector<Row> Rows;
};

} // namespace barricade

#endif

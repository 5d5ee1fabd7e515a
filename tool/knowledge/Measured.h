// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What eval/run measured of rewrites, beside the findings they belong to.

#ifndef BARRICADE_TOOL_KNOWLEDGE_MEASURED_H
#define BARRICADE_TOOL_KNOWLEDGE_MEASURED_H

#include "tool/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace barricade {

/// A results.json of eval/run.
class Measured {
public:
  /// Results of earlier versions do not say what their variants rewrite: that
  /// is taken from the manifest that they name, or one beside or above them.
  /// Fails where a file cannot be read or is none of eval's, and where the two
  /// do not belong together.
  static llvm::Expected<Measured> read(llvm::StringRef ResultsPath);

  /// Adds the times to the findings of \p R that they belong to. A finding in a
  /// file that is not what was measured gets none.
  void addTo(Report &R) const;

  /// Whether some rewrite of the rule \p Rule at \p Setting was faster.
  bool hasFaster(llvm::StringRef Rule, llvm::StringRef Setting) const;

private:
  /// A finding that a variant rewrites, wherever its file lies by now.
  struct Target {
    std::string Rule;
    std::string Sha256; ///< Of the file as it was measured.
    unsigned Offset;
  };
  struct Row {
    std::vector<Target> Targets;
    Measurement Times;
  };

  using TargetsOf =
      llvm::function_ref<std::vector<Target>(const llvm::json::Object &Timed)>;
  void readRows(const llvm::json::Object &Results, TargetsOf Targets);
  static std::vector<Target> targetsIn(const llvm::json::Object &Timed);
  /// By the id of the variant.
  static llvm::StringMap<std::vector<Target>>
  targetsIn(const llvm::json::Object &Manifest, llvm::StringRef Folder);

  std::vector<Row> Rows;
};

} // namespace barricade

#endif

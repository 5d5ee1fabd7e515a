// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blanks and line ends of the user's that a rewrite makes wrong: in front of
// lines that move, in lines that become too long. A statement's are changed
// only where its lines are indented as the formatter does it.

#ifndef BARRICADE_TOOL_BLANKSOFUSER_H
#define BARRICADE_TOOL_BLANKSOFUSER_H

#include "matchers/Finding.h"
#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace barricade {

/// Whether \p Change, of \p Text, is one of blanks and line ends alone.
bool changesBlanks(const clang::tooling::Replacement &Change,
                   llvm::StringRef Text);

/// Those of \p Ranges that overlap as one, in the order of the text: what asks
/// the formatter for many takes long.
std::vector<clang::tooling::Range>
united(std::vector<clang::tooling::Range> Ranges);

/// A part of the new text that is the user's.
struct KeptText {
  size_t Begin, End; ///< In the new text.
  size_t OldBegin;   ///< In the old one.
};

class BlanksOfUser {
public:
  /// \p Old: the text as it is. \p Statements: its parts that are rewritten.
  BlanksOfUser(const clang::format::FormatStyle &Style, llvm::StringRef Path,
               llvm::StringRef Old,
               const std::vector<clang::tooling::Range> &Statements);

  /// Those statements whose lines are indented as the formatter does it, or
  /// unions of them.
  llvm::ArrayRef<clang::tooling::Range> statementsInStep() const {
    return InStep;
  }

  /// What \p Changes, the formatter's of blanks in the new text \p New, ask of
  /// those within \p Parts, as edits of the old text in its order.
  std::vector<Edit>
  editsFor(llvm::ArrayRef<clang::tooling::Replacement> Changes,
           llvm::StringRef New, llvm::ArrayRef<KeptText> Parts) const;

private:
  using Replacement = clang::tooling::Replacement;
  /// How far lines of the new text move, by where their words begin.
  using MovedLines = std::map<size_t, int64_t>;

  bool keepsIndentation(const Replacement &Change) const;
  bool isInStep(size_t Begin, size_t End) const;
  const Replacement *knownChange(size_t Begin, size_t End) const;
  std::optional<std::string> blanksInstead(llvm::StringRef Was,
                                           const Replacement *Known,
                                           llvm::StringRef Now,
                                           int64_t LineMoved) const;

  llvm::StringRef Path, Old;
  bool HasTabs;
  std::vector<clang::tooling::Range> InStep;
  std::vector<clang::tooling::Range> Covered; ///< Their indentation, too.
  /// What the formatter changes in them as they are, by where that begins.
  std::map<size_t, Replacement> Known;
};

} // namespace barricade

#endif

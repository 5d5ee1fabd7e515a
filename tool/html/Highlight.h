// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source text as an editor colours it, by Clang's own lexer.

#ifndef BARRICADE_TOOL_HTML_HIGHLIGHT_H
#define BARRICADE_TOOL_HTML_HIGHLIGHT_H

#include "tool/html/Html.h"
#include <vector>

namespace barricade::html {

/// A text with what its lexer says of it.
class Highlighted {
public:
  /// \p Text must outlive this object and be followed by a NUL.
  explicit Highlighted(llvm::StringRef Text);

  llvm::StringRef text() const { return Text; }

  /// Writes bytes [\p Begin, \p End) as spans of the classes `comment`,
  /// `string`, `number`, `keyword` and `directive`; what is in
  /// [\p MarkBegin, \p MarkEnd) stands in an element \p Mark.
  void write(Writer &W, size_t Begin, size_t End,
             llvm::StringLiteral Mark = "mark", size_t MarkBegin = 0,
             size_t MarkEnd = 0) const;

  /// Where the token that begins at \p Offset ends; for any other place, the
  /// next.
  size_t tokenEnd(size_t Offset) const;

private:
  /// No class: a token like any other.
  struct Token {
    size_t Begin, End;
    llvm::StringRef Class;
  };

  void writeTokens(Writer &W, size_t Begin, size_t End) const;
  std::vector<Token>::const_iterator firstAfter(size_t Offset) const;

  llvm::StringRef Text;
  std::vector<Token> Tokens; ///< By place.
};

} // namespace barricade::html

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte offsets in a text, and the positions that editors speak of: lines, and
// UTF-16 code units in them, both counted from 0. Lines end in "\n" or "\r\n";
// a "\r" alone is an ordinary character, as it is to Neovim and Emacs.

#ifndef BARRICADE_TOOL_LSP_POSITIONS_H
#define BARRICADE_TOOL_LSP_POSITIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LSP/Protocol.h"
#include <vector>

namespace barricade::lsp {

class Positions {
public:
  /// Reads \p Text, which must outlive this object.
  explicit Positions(llvm::StringRef Text);

  /// An offset inside of a character means that character; one beyond the end
  /// means the end.
  llvm::lsp::Position at(size_t Offset) const;
  llvm::lsp::Range range(size_t Begin, size_t End) const {
    return {at(Begin), at(End)};
  }

  /// A position beyond the end of its line means that end, before the line
  /// break, as the protocol says; one between the halves of a surrogate pair
  /// means the character. Fails where there is no such line.
  llvm::Expected<size_t> offset(llvm::lsp::Position Where) const;

  /// The line's bytes without its line break.
  llvm::StringRef line(unsigned Line) const;
  size_t lineStart(unsigned Line) const { return Starts[Line]; }
  /// "\n" or "\r\n"; empty for a last line without one.
  llvm::StringRef lineBreak(unsigned Line) const;

private:
  llvm::StringRef withBreak(unsigned Line) const {
    return Text.slice(Starts[Line], Line + 1 < Starts.size() ? Starts[Line + 1]
                                                             : Text.size());
  }

  llvm::StringRef Text;
  std::vector<size_t> Starts; ///< Of lines; never empty.
};

} // namespace barricade::lsp

#endif

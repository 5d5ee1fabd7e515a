// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/lsp/Positions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace barricade::lsp {
namespace {
struct Character {
  size_t Bytes;
  unsigned Units; ///< UTF-16 code units.
};
} // namespace

/// The character that begins \p Text, which is not empty. A byte that is not
/// UTF-8 is one character, as editors show it.
static Character firstCharacter(StringRef Text) {
  const auto *Begin = reinterpret_cast<const UTF8 *>(Text.bytes_begin());
  size_t Bytes = getNumBytesForUTF8(*Begin);
  if (Bytes == 1 || Bytes > Text.size() ||
      !isLegalUTF8Sequence(Begin, Begin + Bytes))
    return {1, 1};
  return {Bytes, Bytes == 4 ? 2u : 1u};
}

Positions::Positions(StringRef Text) : Text(Text), Starts{0} {
  for (size_t At = Text.find('\n'); At != StringRef::npos;
       At = Text.find('\n', At + 1))
    Starts.push_back(At + 1);
}

StringRef Positions::line(unsigned Line) const {
  StringRef Result = withBreak(Line);
  if (Result.consume_back("\n"))
    Result.consume_back("\r");
  return Result;
}

StringRef Positions::lineBreak(unsigned Line) const {
  return withBreak(Line).substr(line(Line).size());
}

llvm::lsp::Position Positions::at(size_t Offset) const {
  Offset = std::min(Offset, Text.size());
  unsigned Line = upper_bound(Starts, Offset) - Starts.begin() - 1;
  StringRef Rest = Text.slice(Starts[Line], Offset);
  // The bytes after the offset tell a character that ends there from one that
  // goes on.
  StringRef Whole = Text.substr(Starts[Line]);
  unsigned Units = 0;
  for (size_t Done = 0; Done < Rest.size();) {
    Character C = firstCharacter(Whole.substr(Done));
    if (Done + C.Bytes > Rest.size())
      break;
    Units += C.Units;
    Done += C.Bytes;
  }
  return llvm::lsp::Position(int(Line), int(Units));
}

Expected<size_t> Positions::offset(llvm::lsp::Position Where) const {
  if (Where.line < 0 || Where.character < 0 ||
      size_t(Where.line) >= Starts.size())
    return createStringError("the document has no line %d", Where.line);
  StringRef Line = line(Where.line);
  unsigned Left = Where.character;
  size_t Done = 0;
  while (Done < Line.size()) {
    Character C = firstCharacter(Line.substr(Done));
    if (Left < C.Units)
      break;
    Left -= C.Units;
    Done += C.Bytes;
  }
  return Starts[Where.line] + Done;
}

} // namespace barricade::lsp

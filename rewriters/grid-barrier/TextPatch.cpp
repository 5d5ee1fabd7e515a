// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace barricade::grid_barrier {
namespace {

constexpr size_t Columns = 80;

/// The start of the line before the one that starts at \p Start.
size_t previousLine(llvm::StringRef Text, size_t Start) {
  const size_t Newline =
      Start < 2 ? llvm::StringRef::npos : Text.rfind('\n', Start - 1);
  return Newline == llvm::StringRef::npos ? 0 : Newline + 1;
}

/// \p Line is a comment of its own, and ends no other.
bool isComment(llvm::StringRef Line) {
  return Line.trim().starts_with("//") && !Line.contains("*/");
}

} // namespace

void TextPatch::remove(unsigned Begin, unsigned End) {
  size_t Start = Text.rfind('\n', Begin);
  const size_t Stop = Text.find('\n', End);
  if (Start == llvm::StringRef::npos || Stop == llvm::StringRef::npos)
    return replace(Begin, End, "");
  ++Start;
  const llvm::StringRef Rest = Text.slice(End, Stop).trim();
  if (!Text.slice(Start, Begin).trim().empty() ||
      !(Rest.empty() || Rest.starts_with("//")))
    return replace(Begin, End, "");
  // The first line is the loop's own.
  for (size_t Above = previousLine(Text, Start);
       Above > 0 && isComment(Text.slice(Above, Start));
       Above = previousLine(Text, Start))
    Start = Above;
  replace(unsigned(Start), unsigned(Stop) + 1, "");
}

bool TextPatch::replaces(unsigned Where) const {
  return llvm::any_of(
      Parts, [&](const Part &P) { return P.Begin <= Where && Where < P.End; });
}

std::string TextPatch::str() const {
  std::vector<const Part *> Sorted;
  for (const Part &P : Parts)
    Sorted.push_back(&P);
  llvm::sort(Sorted,
             [](const Part *A, const Part *B) { return A->Begin < B->Begin; });
  std::string Result;
  unsigned Copied = 0;
  for (const Part *P : Sorted) {
    Result += Text.slice(Copied, P->Begin);
    Result += P->New;
    Copied = P->End;
  }
  return Result + Text.substr(Copied).str();
}

std::string reindent(llvm::StringRef Text, llvm::StringRef From,
                     llvm::StringRef To) {
  llvm::SmallVector<llvm::StringRef, 16> Lines;
  Text.split(Lines, '\n');
  std::string Result = Lines.front().str();
  for (llvm::StringRef Line : llvm::drop_begin(Lines)) {
    Result += '\n';
    if (!Line.trim().empty() && Line.consume_front(From))
      Result += To;
    Result += Line;
  }
  return Result;
}

std::string wrapList(llvm::StringRef Indentation, llvm::StringRef Head,
                     llvm::ArrayRef<std::string> Items, llvm::StringRef Tail,
                     llvm::StringRef LineEnding) {
  std::string Margin = Indentation.str() + std::string(Head.size(), ' ');
  std::string Result = Head.str();
  // Behind a long head the first item begins a line of its own.
  const size_t Behind = Items.size() == 1 ? Tail.size() : 1;
  if (!Items.empty() &&
      Margin.size() + Items.front().size() + Behind > Columns) {
    Margin = Indentation.str() + "    ";
    Result += LineEnding.str() + Margin;
  }
  size_t Column = Margin.size();
  for (const auto &[Index, Item] : llvm::enumerate(Items)) {
    const bool Last = Index + 1 == Items.size();
    const size_t Length = Item.size() + (Last ? Tail.size() : 1);
    if (Index > 0) {
      const bool Break = Column + 1 + Length > Columns;
      Result += Break ? LineEnding.str() + Margin : " ";
      Column = Break ? Margin.size() : Column + 1;
    }
    Result += Item;
    Result += Last ? "" : ",";
    Column += Item.size() + 1;
  }
  return Result + Tail.str();
}

void forEachWord(llvm::StringRef Text,
                 llvm::function_ref<void(llvm::StringRef)> Visit) {
  while (!Text.empty()) {
    const llvm::StringRef Word =
        Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    if (!Word.empty())
      Visit(Word);
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
}

bool holdsWord(llvm::StringRef Text, llvm::StringRef Word) {
  bool Found = false;
  forEachWord(Text, [&](llvm::StringRef Each) { Found |= Each == Word; });
  return Found;
}

bool spellsVariable(llvm::StringRef Text, llvm::StringRef Name) {
  const std::string Terminated = Text.str();
  clang::LangOptions Language;
  Language.CPlusPlus = Language.CPlusPlus11 = true;
  clang::Lexer Lexer(clang::SourceLocation(), Language, Terminated.data(),
                     Terminated.data(), Terminated.data() + Terminated.size());
  clang::Token Before, Each;
  Before.startToken();
  for (bool Ended = false; !Ended; Before = Each) {
    Ended = Lexer.LexFromRawLexer(Each);
    if (Each.is(clang::tok::raw_identifier) &&
        Each.getRawIdentifier() == Name &&
        !Before.isOneOf(clang::tok::period, clang::tok::arrow,
                        clang::tok::coloncolon))
      return true;
  }
  return false;
}

} // namespace barricade::grid_barrier

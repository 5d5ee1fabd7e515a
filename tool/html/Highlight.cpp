// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/html/Highlight.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace barricade::html {

static clang::LangOptions cudaOptions() {
  clang::LangOptions Options;
  Options.LineComment = Options.CPlusPlus = Options.CPlusPlus11 =
      Options.CPlusPlus14 = Options.CPlusPlus17 = Options.CPlusPlus20 =
          Options.CUDA = Options.Bool = true;
  return Options;
}

/// `__global__`, `__shared__`, ...: macros that read as keywords.
static bool isAttributeMacro(StringRef Name) {
  return Name.size() > 4 && Name.starts_with("__") && Name.ends_with("__");
}

static StringRef classOf(const clang::Token &T, bool NamesDirective,
                         clang::IdentifierTable &Identifiers) {
  if (NamesDirective || (T.is(clang::tok::hash) && T.isAtStartOfLine()))
    return "directive";
  if (T.is(clang::tok::comment))
    return "comment";
  if (T.is(clang::tok::numeric_constant))
    return "number";
  if (clang::tok::isLiteral(T.getKind()))
    return "string";
  if (T.is(clang::tok::raw_identifier) &&
      (isAttributeMacro(T.getRawIdentifier()) ||
       Identifiers.get(T.getRawIdentifier()).getTokenID() !=
           clang::tok::identifier))
    return "keyword";
  return "";
}

Highlighted::Highlighted(StringRef Text) : Text(Text) {
  static const clang::LangOptions Options = cudaOptions();
  clang::IdentifierTable Identifiers(Options);
  clang::Lexer Lexer(clang::SourceLocation(), Options, Text.begin(),
                     Text.begin(), Text.end());
  Lexer.SetCommentRetentionState(true);
  bool AfterHash = false;
  clang::Token T;
  auto LexNext = [&] {
    Lexer.LexFromRawLexer(T);
    return T.isNot(clang::tok::eof);
  };
  while (LexNext()) {
    const size_t End = Lexer.getBufferLocation() - Text.begin();
    Tokens.push_back({End - T.getLength(), End,
                      classOf(T, AfterHash && T.is(clang::tok::raw_identifier),
                              Identifiers)});
    AfterHash = T.is(clang::tok::hash) && T.isAtStartOfLine();
  }
}

std::vector<Highlighted::Token>::const_iterator
Highlighted::firstAfter(size_t Offset) const {
  return partition_point(Tokens,
                         [&](const Token &T) { return T.End <= Offset; });
}

size_t Highlighted::tokenEnd(size_t Offset) const {
  auto It = firstAfter(Offset);
  return It != Tokens.end() && It->Begin == Offset ? It->End : Offset + 1;
}

void Highlighted::writeTokens(Writer &W, size_t Begin, size_t End) const {
  auto Plain = [&](size_t From, size_t To) {
    if (From < To)
      W.text(Text.slice(From, To));
  };
  for (auto It = firstAfter(Begin); It != Tokens.end() && It->Begin < End;
       ++It) {
    if (It->Class.empty())
      continue;
    const size_t From = std::max(Begin, It->Begin);
    const size_t To = std::min(End, It->End);
    Plain(Begin, From);
    W.element("span", {{"class", It->Class.str()}}, Text.slice(From, To));
    Begin = To;
  }
  Plain(Begin, End);
}

void Highlighted::write(Writer &W, size_t Begin, size_t End, StringLiteral Mark,
                        size_t MarkBegin, size_t MarkEnd) const {
  MarkBegin = std::clamp(MarkBegin, Begin, End);
  MarkEnd = std::clamp(MarkEnd, MarkBegin, End);
  writeTokens(W, Begin, MarkBegin);
  if (MarkBegin < MarkEnd)
    W.element(Mark, {}, [&] { writeTokens(W, MarkBegin, MarkEnd); });
  writeTokens(W, MarkEnd, End);
}

} // namespace barricade::html

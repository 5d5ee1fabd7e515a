// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-replay/FlushText.h"
#include "matchers/launch-region/LastCheck.h"
#include "matchers/source/SourcePlaces.h"
#include "rewriters/SourceText.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::launch_replay {

std::string onLines(llvm::StringRef Text, llvm::StringRef Line) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.split(Lines, '\n');
  return llvm::join(Lines, Line);
}

/// \p Text, which begins behind \p Indentation, as if it did not.
static std::string unindented(llvm::StringRef Text,
                              llvm::StringRef Indentation) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.split(Lines, '\n');
  for (llvm::StringRef &Line : Lines) {
    Line = Line.rtrim('\r');
    if (!Line.consume_front(Indentation) && &Line != &Lines.front())
      Line = Line.ltrim();
  }
  return llvm::join(Lines, "\n");
}

/// The text from \p Begin to \p End, with \p Error in place of \p Wait.
static std::string textWith(const CallExpr &Wait, const std::string &Error,
                            SourceLocation Begin, SourceLocation End,
                            const SourceText &Source, const SourceManager &SM) {
  const auto Between = [&](SourceLocation From, SourceLocation To) {
    return Source.text(CharSourceRange::getCharRange(From, To)).str();
  };
  return Between(Begin, writtenAt(Wait.getBeginLoc(), SM)) + Error +
         Between(Source.afterToken(writtenAt(Wait.getEndLoc(), SM)), End);
}

std::optional<std::string> flushText(llvm::StringRef Object,
                                     const launch_region::LastCheck &Asked,
                                     SourceLocation Loop,
                                     const SourceText &Source,
                                     const SourceManager &SM) {
  const std::string Flush = Object.str() + ".flush()";
  if (Asked.Statements.empty())
    return Flush + ";";
  const auto First = Source.fileRange(*Asked.Statements.front());
  const auto Last = Source.fileRange(*Asked.Statements.back());
  if (!First || !Last ||
      Source.hasSplitLines(First->getBegin(), Last->getEnd()))
    return std::nullopt;
  const SourceLocation Begin = First->getBegin();
  std::string Text = unindented(
      Asked.OfLastError
          ? Source.text(CharSourceRange::getCharRange(Begin, Last->getEnd()))
                .str()
          : textWith(*Asked.Call,
                     Asked.OnlyOnError ? Object.str() + ".flush_error()"
                                       : Flush,
                     Begin, Last->getEnd(), Source, SM),
      Source.indentation(Begin));
  if (Text.back() != ';' && Text.back() != '}')
    Text += ";";
  const bool OnError = Asked.OnlyOnError || Asked.OfLastError;
  if (OnError || Asked.declares()) {
    llvm::StringRef Deeper = Source.indentation(Begin);
    if (!Deeper.consume_front(Source.indentation(Loop)) || Deeper.empty())
      Deeper = "  ";
    const std::string Line = "\n" + Deeper.str();
    Text = (OnError ? "if (" + Flush + " != cudaSuccess) {" : "{") + Line +
           onLines(Text, Line) + "\n}";
  }
  return Text;
}

} // namespace barricade::launch_replay

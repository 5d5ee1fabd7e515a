// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-replay/Pauses.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "rewriters/launch-replay/FlushText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::launch_replay {

void writeFirst(const CompoundStmt &Block, const std::string &Statement,
                const SourceText &Source, std::vector<Edit> &Edits) {
  const SourceLocation Brace = Block.getLBracLoc();
  const SourceLocation First = Block.body_front()->getBeginLoc();
  const SourceLocation Behind =
      Source.afterTrailingComment(Source.afterToken(Brace));
  const bool IsOneLine = !Source.isLastOnLine(Behind);
  const std::string Line =
      Source.lineEnding(Brace).str() + Source.deeper(Brace, First);
  Edits.push_back(Source.insertion(Behind, (IsOneLine ? " " : Line) +
                                               onLines(Statement, Line)));
}

/// One past the semicolon of \p S, which a macro may spell but for that. Behind
/// braces none need be there.
static SourceLocation afterSemicolon(const Stmt &S, SourceLocation AfterLast,
                                     const SourceText &Source) {
  if (SourceText::isWritable(S.getEndLoc()))
    return Source.afterStatement(S);
  const SourceLocation Next = Source.afterBlanks(AfterLast);
  if (Source.text(
          CharSourceRange::getCharRange(Next, Next.getLocWithOffset(1))) == ";")
    return Next.getLocWithOffset(1);
  return isa<CompoundStmt>(S) ? AfterLast : SourceLocation();
}

bool writeFlush(const Stmt &Branch, llvm::StringRef Flush, ASTContext &Context,
                const SourceText &Source, std::vector<Edit> &Edits) {
  if (const auto *Block = dyn_cast<CompoundStmt>(&Branch);
      Block && SourceText::isWritable(Block->getLBracLoc())) {
    writeFirst(*Block, Flush.str(), Source, Edits);
    return true;
  }
  const SourceLocation Header =
      Source.afterHeader(*cast<IfStmt>(parentOf(Branch, Context)), Branch);
  const auto Range = Source.fileRange(Branch);
  const SourceLocation End =
      Range ? afterSemicolon(Branch, Range->getEnd(), Source)
            : SourceLocation();
  if (Header.isInvalid() || End.isInvalid())
    return false;
  const SourceLocation Begin = Range->getBegin();
  const auto Insert = [&](SourceLocation Where, const std::string &Text) {
    Edits.push_back(Source.insertion(Where, Text));
  };
  const std::string NewLine = Source.lineEnding(Header).str();
  const std::string Indented = NewLine + Source.indentation(Begin).str();
  const std::string Lines = onLines(Flush, Indented);
  if (Source.onOneLine(Header, Begin)) {
    Insert(Begin, "{ " + Lines + " ");
    Insert(End, " }");
    return true;
  }
  const std::string Line = Indented + Lines;
  const SourceLocation Behind = Source.afterTrailingComment(Header);
  Insert(Header, Behind == Header ? " {" + Line : " {");
  if (Behind != Header)
    Insert(Behind, Line);
  Insert(Source.afterTrailingComment(End),
         NewLine + Source.indentation(Header).str() + "}");
  return true;
}

} // namespace barricade::launch_replay

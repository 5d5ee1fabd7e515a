// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/LoopText.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::artificial_barrier {

SourceLocation beginWithPragmas(const Stmt &Loop, const SourceText &Source,
                                ASTContext &Context) {
  SourceLocation First = Loop.getBeginLoc();
  const auto *Attributed =
      dyn_cast<AttributedStmt>(&withAttributes(Loop, Context));
  if (!Attributed || !SourceText::isWritable(First))
    return First;
  for (const Attr *A : Attributed->getAttrs()) {
    if (A->getSyntax() != AttributeCommonInfo::AS_Pragma ||
        !SourceText::isWritable(A->getLocation()))
      return SourceLocation();
    SourceLocation Line = Source.lineStart(A->getLocation());
    First = std::min(
        First, Line.getLocWithOffset(int(Source.indentation(Line).size())));
  }
  llvm::SmallVector<llvm::StringRef, 2> Lines;
  Source.text(CharSourceRange::getCharRange(First, Loop.getBeginLoc()))
      .split(Lines, '\n');
  // A `_Pragma` begins no line with `#`.
  bool Plain =
      Lines.front().starts_with("#") &&
      llvm::all_of(Lines, [](llvm::StringRef Line) {
        Line = Line.ltrim();
        return !Line.consume_front("#") || Line.ltrim().starts_with("pragma");
      });
  return Plain ? First : SourceLocation();
}

Edit declareBefore(const Stmt &Loop, const std::string &Declaration,
                   const SourceText &Source, ASTContext &Context) {
  SourceLocation Begin = beginWithPragmas(Loop, Source, Context);
  if (!Source.isFirstOnLine(Begin))
    return Source.insertion(Begin, Declaration + " ");
  llvm::StringRef Blanks = Source.indentation(Begin);
  llvm::StringRef Deeper =
      Source.indentation(Loop.getBeginLoc()).drop_front(Blanks.size());
  return Source.insertion(Source.beforeLineComment(Begin),
                          Deeper.str() + Declaration +
                              Source.lineEnding(Begin).str() + Blanks.str());
}

SourceLocation headerEnd(const Stmt &Loop, const SourceText &Source) {
  SourceLocation Last;
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    Last = For->getRParenLoc();
  else if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    Last = Range->getRParenLoc();
  else if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    Last = While->getRParenLoc();
  else
    Last = cast<DoStmt>(&Loop)->getDoLoc();
  return SourceText::isWritable(Last) ? Source.afterToken(Last)
                                      : SourceLocation();
}

void breakLineBehind(const Stmt &Loop, const SourceText &Source,
                     std::vector<Edit> &Edits) {
  const SourceLocation End = Source.afterStatement(Loop);
  const SourceLocation Next = SourceText::isWritable(End)
                                  ? Source.afterNextToken(End)
                                  : SourceLocation();
  if (!SourceText::isWritable(Next) || !Source.onOneLine(End, Next))
    return;
  Edits.push_back(
      Source.insertion(End, Source.lineEnding(End).str() +
                                Source.indentation(Loop.getBeginLoc()).str()));
}

bool mayHaveOperators(const Expr &E) {
  const QualType Type = E.IgnoreUnlessSpelledInSource()->getType();
  return Type->isEnumeralType() ||
         !(Type->isArithmeticType() || Type->isPointerType() ||
           Type->isVoidType());
}

llvm::StringRef openCondition(const Expr &Condition) {
  return mayHaveOperators(Condition) ? "static_cast<bool>(" : "(";
}

} // namespace barricade::artificial_barrier

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Place.h"
#include "matchers/source/Statements.h"
#include "rewriters/Macros.h"
#include "rewriters/SourceText.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

void choosePlace(Plan &P) {
  P.Begin = P.L.Loop->getBeginLoc();
  P.Site = siteBefore(*P.L.Function, P.Source);
  if (!SourceText::isWritable(P.Begin) ||
      P.SM.getFileID(P.Begin) != P.SM.getFileID(P.Site.Place))
    P.refuse(ReasonId::InMacro, P.Begin);
  else if (P.End = P.Source.afterStatement(*P.L.Loop); P.End.isInvalid())
    P.refuse(ReasonId::InMacro, P.Begin);
  else if (!isUndirected(P.Begin, P.End, P.Site, P.Source) ||
           mayMeetPragma(*P.L.Loop, P.End, P.Source, P.Context, P.PP))
    P.refuse(ReasonId::Preprocessor, P.Begin);
  else if (P.Others.mayRespell(P.Begin, P.End, P.L.Loop) ||
           P.Others.mayCallElse(*P.L.Loop))
    P.refuse(ReasonId::OtherBuild, P.Begin);
  else if (P.Source.hasSplitLines(P.Begin, P.End))
    P.refuse(ReasonId::SplitLine, P.Begin);
}

void chooseIndentation(Plan &P) {
  P.Indent = P.Source.indentation(P.Begin).str();
  const bool HasTabs = llvm::StringRef(P.Indent).contains('\t');
  if (P.Indent.empty() ||
      HasTabs == llvm::StringRef(P.Site.Unit).contains('\t'))
    return;
  const Stmt *Inner = bodyOf(*P.L.Loop);
  if (const auto *Block = dyn_cast<CompoundStmt>(Inner);
      Block && !Block->body_empty())
    Inner = Block->body_front();
  P.Site.Unit =
      P.Source.deeper(P.Begin, P.SM.getExpansionLoc(Inner->getBeginLoc()))
          .substr(P.Indent.size());
}

bool meansTheSame(const Plan &P, IdentifierInfo &Name, SourceLocation At,
                  llvm::SmallPtrSetImpl<const IdentifierInfo *> &Seen) {
  if (!Seen.insert(&Name).second)
    return true;
  const MacroInfo *Macro =
      P.PP.getMacroDefinitionAtLoc(&Name, At).getMacroInfo();
  return Macro ==
             P.PP.getMacroDefinitionAtLoc(&Name, P.Site.Place).getMacroInfo() &&
         (!Macro || llvm::all_of(Macro->tokens(), [&](const Token &T) {
           return !T.getIdentifierInfo() ||
                  meansTheSame(P, *T.getIdentifierInfo(), At, Seen);
         }));
}

void checkMacros(const Plan &P) {
  const LangOptions &Lang = P.Context.getLangOpts();
  llvm::SmallPtrSet<const IdentifierInfo *, 16> Seen;
  for (SourceLocation At = P.Begin;
       P.SM.isBeforeInTranslationUnit(At, P.End);) {
    const std::optional<Token> Next = Lexer::findNextToken(At, P.SM, Lang);
    Token Raw;
    if (!Lexer::getRawToken(At, Raw, P.SM, Lang, /*IgnoreWhiteSpace=*/true) &&
        Raw.is(tok::raw_identifier) &&
        !meansTheSame(P, *P.PP.getIdentifierInfo(Raw.getRawIdentifier()), At,
                      Seen))
      return P.refuse(ReasonId::MacroRedefined, At);
    if (!Next)
      return;
    At = Next->getLocation();
  }
}

} // namespace barricade::grid_barrier::persistent

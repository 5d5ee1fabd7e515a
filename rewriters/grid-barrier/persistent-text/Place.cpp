// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Place.h"
#include "matchers/source/Statements.h"
#include "rewriters/Macros.h"
#include "rewriters/SourceText.h"
#include "clang/Basic/SourceManager.h"

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
  else if (P.Others.mayBelongTo(*P.L.Loop) ||
           P.Others.mayRespell(P.Begin, P.End, P.L.Loop) ||
           P.Others.mayCallElse(*P.L.Loop) || P.Others.mayNameElse(*P.L.Loop))
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

void checkMacros(const Plan &P) {
  if (const SourceLocation At =
          firstRedefined(P.Begin, P.End, P.Site.Place, P.Context, P.PP);
      At.isValid())
    P.refuse(ReasonId::MacroRedefined, At);
}

} // namespace barricade::grid_barrier::persistent

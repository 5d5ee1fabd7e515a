// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "matchers/source/Statements.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

llvm::StringRef loopText(const Plan &P) {
  return P.Source.text(CharSourceRange::getCharRange(P.Begin, P.End));
}

/// One past the semicolon that follows \p Where; else \p Where.
static SourceLocation afterSemicolon(const Plan &P, SourceLocation Where) {
  const llvm::StringRef Rest =
      P.Source.text(CharSourceRange::getCharRange(Where, P.End));
  const llvm::StringRef Next = Rest.ltrim();
  return Next.starts_with(";")
             ? Where.getLocWithOffset(int(Rest.size() - Next.size()) + 1)
             : Where;
}

std::pair<SourceLocation, SourceLocation> extentOf(const Plan &P,
                                                   const Stmt &S) {
  SourceLocation Start = S.getBeginLoc(), Stop;
  const bool EndsInMacro =
      isa<Expr>(S) && !SourceText::isWritable(S.getEndLoc());
  if (SourceText::isWritable(Start) && !EndsInMacro) {
    Stop = P.Source.afterStatement(S);
  } else if (const auto Range = P.Source.fileRange(S)) {
    Start = Range->getBegin();
    Stop = afterSemicolon(P, Range->getEnd());
  }
  if (Stop.isInvalid())
    P.refuse(ReasonId::InMacro, S.getBeginLoc());
  return {Start, Stop};
}

std::pair<SourceLocation, SourceLocation> extentOf(const Plan &P,
                                                   const LoopAction &A) {
  const auto [Start, Stop] = extentOf(P, *A.Statement);
  return {Start, A.Last ? extentOf(P, *A.Last).second : Stop};
}

void removeText(const Plan &P, std::pair<SourceLocation, SourceLocation> Extent,
                bool InBlock, TextPatch &Patch) {
  const auto [Start, Stop] = Extent;
  if (Stop.isInvalid())
    return;
  if (InBlock)
    Patch.remove(P.offset(Start), P.offset(Stop));
  else
    Patch.replace(P.offset(Start), P.offset(Stop), ";");
}

SourceLocation removeInit(const Plan &P, TextPatch &Patch) {
  if (!P.Continued || P.Continued->Init.isInvalid())
    return P.Begin;
  const SourceLocation Behind = P.Continued->Init.getEnd();
  Patch.replace(P.offset(P.Continued->Init.getBegin()), P.offset(Behind), "");
  return Behind;
}

void markUnused(const Plan &P, const NameSet &Left, TextPatch &Patch) {
  const auto IsLeftUnused = [&](const Decl *D) {
    const auto *Var = dyn_cast<VarDecl>(D);
    return Var && !Var->hasAttr<UnusedAttr>() && isOnlySet(P, *Var, Left) &&
           llvm::any_of(P.Uses.of(*Var), [&](const facts::VariableUse &U) {
             return Left.contains(U.Name);
           });
  };
  const auto Mark = [&](const Stmt *S) {
    const auto *Declaration = dyn_cast_or_null<DeclStmt>(S);
    const SourceLocation At =
        Declaration ? Declaration->getBeginLoc() : SourceLocation();
    if (SourceText::isWritable(At) && !Patch.replaces(P.offset(At)) &&
        llvm::any_of(Declaration->decls(), IsLeftUnused))
      Patch.replace(P.offset(At), P.offset(At), MaybeUnused.str());
  };
  (void)holds(P.L.Loop, [&](const Stmt &S) {
    if (const auto *For = dyn_cast<ForStmt>(&S))
      Mark(For->getInit());
    return false;
  });
  for (const HostStep &Step : P.L.Steps)
    Mark(Step.Statement);
}

SourceLocation parentBegin(const Plan &P, const Stmt &S) {
  const Stmt *Parent = parentOf(S, P.Context);
  return Parent ? Parent->getBeginLoc() : S.getBeginLoc();
}

std::string movedText(const Plan &P, SourceLocation From, SourceLocation To,
                      const std::string &Margin) {
  return reindent(P.Source.text(CharSourceRange::getCharRange(From, To)),
                  P.Source.indentation(From), Margin);
}

std::string inBlock(const Plan &P, llvm::ArrayRef<std::string> Statements,
                    const std::string &Margin) {
  const std::string Line = P.Site.NewLine.str() + Margin;
  std::string Text = "{";
  for (const std::string &Statement : Statements)
    Text += Line + P.Site.Unit + Statement;
  return Text + Line + "}";
}

} // namespace barricade::grid_barrier::persistent

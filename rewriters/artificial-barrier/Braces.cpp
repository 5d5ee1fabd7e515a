// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/Braces.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/LoopText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// Behind the `)`, `do` or `else` after which \p Body stands.
SourceLocation braceBefore(const Stmt &Owner, const Stmt &Body,
                           const SourceText &Source) {
  const auto *If = dyn_cast<IfStmt>(&Owner);
  return If ? Source.afterHeader(*If, Body) : headerEnd(Owner, Source);
}

/// The loop or `if` of which \p S is the body or a branch by itself. An `else
/// if` stays one.
const Stmt *ownerWithoutBraces(const Stmt &S, ASTContext &Context) {
  const DynTypedNodeList Parents = Context.getParents(S);
  const Stmt *Owner = Parents.size() == 1 ? Parents[0].get<Stmt>() : nullptr;
  if (!Owner || isa<CompoundStmt>(S))
    return nullptr;
  if (const auto *If = dyn_cast<IfStmt>(Owner))
    return If->getThen() == &S || (If->getElse() == &S && !isa<IfStmt>(S))
               ? Owner
               : nullptr;
  return isLoop(*Owner) && bodyOf(*Owner) == &S ? Owner : nullptr;
}

} // namespace

void addBraces(const Stmt &Owner, const Stmt &Body, llvm::StringRef Last,
               const SourceText &Source, RewriteResult &Result) {
  SourceLocation Header = braceBefore(Owner, Body, Source);
  SourceLocation Begin = Body.getBeginLoc();
  SourceLocation End = Source.afterStatement(Body);
  if (!SourceText::isWritable(Header) || !SourceText::isWritable(Begin) ||
      !SourceText::isWritable(End))
    return Result.refuse(ReasonId::InMacro, Owner.getBeginLoc());
  if (Source.hasDirectiveBetween(Header, End))
    return Result.refuse(ReasonId::Preprocessor, Begin);
  auto Insert = [&](SourceLocation Where, std::string Text) {
    Result.Edits.push_back(Source.insertion(Where, std::move(Text)));
  };
  Insert(Header, " {");
  if (Source.onOneLine(Header, End))
    return Insert(End, (Last.empty() ? "" : " ") + Last.str() + " }");
  std::string Line = Source.lineEnding(Header).str();
  std::string Outer = Source.indentation(Owner.getBeginLoc()).str();
  std::string Inner = Source.deeper(Owner.getBeginLoc(), Begin);
  closeBody(Owner, End,
            (Last.empty() ? "" : Line + Inner) + Last.str() + Line + Outer,
            Source, Result);
}

static bool endsWithElse(const Stmt &S) {
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return If->getElse() || endsWithElse(*If->getThen());
  if (const auto *Labelled = dyn_cast<LabelStmt>(&S))
    return endsWithElse(*Labelled->getSubStmt());
  if (const auto *Attributed = dyn_cast<AttributedStmt>(&S))
    return endsWithElse(*Attributed->getSubStmt());
  return isa<ForStmt, WhileStmt, CXXForRangeStmt>(S) &&
         endsWithElse(*bodyOf(S));
}

void guardBodyOf(const Stmt &Loop, llvm::StringRef Guard,
                 const SourceText &Source, RewriteResult &Result) {
  Result.Edits.push_back(
      Source.insertion(headerEnd(Loop, Source), " " + Guard.str()));
  // What stands behind a do loop's body is no part of the `if`.
  const bool IsOpen = isa<DoStmt>(Loop) && !isa<CompoundStmt>(bodyOf(Loop));
  if (IsOpen || endsWithElse(*bodyOf(Loop)))
    addBraces(Loop, *bodyOf(Loop), "", Source, Result);
}

void closeBody(const Stmt &Owner, SourceLocation End, std::string Before,
               const SourceText &Source, RewriteResult &Result) {
  SourceLocation After = Source.afterTrailingComment(End);
  Result.Edits.push_back(Source.insertion(After, std::move(Before) + "}"));
  const auto *Do = dyn_cast<DoStmt>(&Owner);
  if (!Do || !SourceText::isWritable(Do->getWhileLoc()))
    return;
  auto Between = CharSourceRange::getCharRange(After, Do->getWhileLoc());
  if (Source.text(Between).trim().empty())
    Result.Edits.push_back(Source.replacement(After, Do->getWhileLoc(), " "));
}

bool makeRoomBefore(const Stmt &S, const SourceText &Source,
                    RewriteResult &Result, ASTContext &Context) {
  if (mayDeclareBefore(S, Context))
    return true;
  const Stmt *Owner = ownerWithoutBraces(S, Context);
  if (Owner)
    addBraces(*Owner, S, "", Source, Result);
  return Owner;
}

} // namespace barricade::artificial_barrier

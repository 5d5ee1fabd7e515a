// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a barrier at a loop's end. Refuses where a macro or a directive
// stands there.

#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/Braces.h"
#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

constexpr llvm::StringLiteral Barrier = "__syncthreads();";

class Appender {
public:
  Appender(const Stmt &Loop, ASTContext &Context)
      : Loop(Loop), Body(*bodyOf(Loop)), Source(Context) {}

  RewriteResult appendToBody() {
    if (const auto *Block = dyn_cast<CompoundStmt>(&Body))
      appendToBlock(*Block);
    else
      addBraces(Loop, Body, Barrier, Source, Result);
    return std::move(Result);
  }

  RewriteResult appendToIncrement() {
    const auto &For = *cast<ForStmt>(&Loop);
    const Expr *Increment = For.getInc();
    if (!SourceText::isWritable(For.getRParenLoc()) ||
        (Increment && !SourceText::isWritable(Increment->getEndLoc())))
      Result.refuse(ReasonId::InMacro, Loop.getBeginLoc());
    else if (Increment)
      insert(Source.afterToken(Increment->getEndLoc()), ", __syncthreads()");
    else
      insert(For.getRParenLoc(), "__syncthreads()");
    return std::move(Result);
  }

private:
  void appendToBlock(const CompoundStmt &Block) {
    SourceLocation Close = Block.getRBracLoc();
    if (!SourceText::isWritable(Close) ||
        !SourceText::isWritable(Block.getLBracLoc()))
      return Result.refuse(ReasonId::InMacro, Loop.getBeginLoc());
    if (!Source.isFirstOnLine(Close))
      return insert(Close, Block.body_empty() ||
                                   Source.text(Block).drop_back().ends_with(" ")
                               ? (Barrier + " ").str()
                               : (" " + Barrier + " ").str());
    SourceLocation Inner =
        Block.body_empty() ? Close : Block.body_back()->getBeginLoc();
    std::string Indent = SourceText::isWritable(Inner) && Inner != Close
                             ? Source.deeper(Close, Inner)
                             : Source.deeper(Close, Close);
    insert(Source.lineStart(Close),
           Indent + Barrier.str() + Source.lineEnding(Close).str());
  }

  void insert(SourceLocation Where, std::string Text) {
    Result.Edits.push_back(Source.insertion(Where, std::move(Text)));
  }

  const Stmt &Loop;
  const Stmt &Body;
  SourceText Source;
  RewriteResult Result;
};

} // namespace

RewriteResult appendBarrier(const Stmt &Loop, ASTContext &Context) {
  return Appender(Loop, Context).appendToBody();
}

RewriteResult appendToIncrement(const ForStmt &Loop, ASTContext &Context) {
  return Appender(Loop, Context).appendToIncrement();
}

} // namespace barricade::artificial_barrier

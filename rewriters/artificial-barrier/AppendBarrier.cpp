// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/LoopJumps.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/Braces.h"
#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "rewriters/artificial-barrier/LoopText.h"
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

  RewriteResult run() {
    LoopJumps Jumps = jumpsOf(Loop);
    if (!Jumps.Continues.empty())
      appendToIncrement(*Jumps.Continues.front());
    else if (const auto *Block = dyn_cast<CompoundStmt>(&Body))
      appendToBlock(*Block);
    else
      addBraces(Loop, Body, Barrier, Source, Result);
    return std::move(Result);
  }

private:
  /// A `continue` comes to the increment of a for loop as well.
  void appendToIncrement(const Stmt &Continue) {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    if (!For)
      return Result.refuse(ReasonId::Continue, Continue.getBeginLoc());
    if (!SourceText::isWritable(For->getRParenLoc()) ||
        (For->getInc() && !SourceText::isWritable(For->getInc()->getEndLoc())))
      return Result.refuse(ReasonId::InMacro, Loop.getBeginLoc());
    if (For->getInc())
      insert(Source.afterToken(For->getInc()->getEndLoc()),
             ", __syncthreads()");
    else
      insert(For->getRParenLoc(), "__syncthreads()");
  }

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
  return Appender(Loop, Context).run();
}

} // namespace barricade::artificial_barrier

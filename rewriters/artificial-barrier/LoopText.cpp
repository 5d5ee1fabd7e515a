// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/LoopText.h"
#include "matchers/Statements.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

void collect(const Stmt *S, bool OwnBreak, bool OwnContinue, LoopJumps &Jumps) {
  if (!S || isa<LambdaExpr>(S))
    return;
  if (isa<BreakStmt>(S) && OwnBreak)
    Jumps.Breaks.push_back(S);
  else if (isa<ContinueStmt>(S) && OwnContinue)
    Jumps.Continues.push_back(S);
  else if (isa<ReturnStmt>(S))
    Jumps.Returns.push_back(S);
  else if (isa<GotoStmt, IndirectGotoStmt, LabelStmt>(S))
    Jumps.Gotos.push_back(S);
  bool Loop = isLoop(*S);
  for (const Stmt *Child : S->children())
    collect(Child, OwnBreak && !Loop && !isa<SwitchStmt>(S),
            OwnContinue && !Loop, Jumps);
}

} // namespace

LoopJumps jumpsOf(const Stmt &Loop) { return jumpsOutOf(*bodyOf(Loop)); }

LoopJumps jumpsOutOf(const Stmt &S) {
  LoopJumps Jumps;
  collect(&S, true, true, Jumps);
  return Jumps;
}

bool mayDeclareBefore(const Stmt &S, ASTContext &Context) {
  const CompoundStmt *Block = blockOf(S, Context);
  return Block && llvm::none_of(Block->body(), [](const Stmt *Sibling) {
           return isa<SwitchCase, LabelStmt>(Sibling);
         });
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

} // namespace barricade::artificial_barrier

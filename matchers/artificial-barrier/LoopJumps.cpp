// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/LoopJumps.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

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

} // namespace barricade::artificial_barrier

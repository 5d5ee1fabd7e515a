// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that nothing follows in their thread: traps, exits, and calls of
// what does so at last.

#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Names.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Impl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::waiting {
namespace {

bool endsThread(const Stmt &Statement, unsigned Depth) {
  const auto *E = dyn_cast<Expr>(&Statement);
  const Stmt &S = E ? *E->IgnoreParenCasts() : Statement;
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(&S)) {
    const std::string Text = Asm->getAsmString();
    const llvm::StringRef Code = llvm::StringRef(Text).trim();
    return Code.starts_with("exit;") || Code.starts_with("trap;");
  }
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || isa<CUDAKernelCallExpr>(Call))
    return false;
  if (Callee->isNoReturn() ||
      llvm::StringSwitch<bool>(facts::nameOf(Callee))
          .Cases({"__trap", "__assertfail", "__assert_fail"}, true)
          .Default(false))
    return true;
  const FunctionDecl *Definition = calleeDefinition(*Call);
  const auto *Body = Definition
                         ? dyn_cast_or_null<CompoundStmt>(Definition->getBody())
                         : nullptr;
  return Body && Depth < 4 &&
         !holds(
             Body, [](const Stmt &Part) { return isa<ReturnStmt>(Part); }) &&
         llvm::any_of(
             Body->body(),
             [&](const Stmt *Part) { return endsThread(*Part, Depth + 1); });
}

} // namespace

bool endsThread(const Stmt &S) { return endsThread(S, 0); }

} // namespace barricade::waiting

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/fence-as-barrier/small-grid/Signals.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/fence-as-barrier/GridFence.h"
#include "matchers/source/Statements.h"
#include "matchers/waiting/Waiting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::fence_as_barrier::small_grid {

bool hasSignals(const KernelEffects &Effects) {
  for (const KernelEffects::Sync &S : Effects.Syncs)
    if (S.Kind == CallKind::Atomic || S.Kind == CallKind::Unknown)
      return true;
  for (const auto &[Asm, Function] : Effects.Asm)
    if (!isFenceAsm(*cast<AsmStmt>(Asm)) &&
        !facts::isPlainAsm(*cast<AsmStmt>(Asm)))
      return true;
  return llvm::any_of(Effects.Functions, [&](const FunctionDecl *F) {
    return codeHolds(*F, [&](const Stmt &S) {
      if (const auto *Call = dyn_cast<CallExpr>(&S))
        // Reads what is in the cache that all blocks share.
        return facts::calleeName(*Call) == "__ldcg";
      const auto *E = dyn_cast<Expr>(&S);
      return E && (isa<AtomicExpr>(E) ||
                   (E->isLValue() && E->getType().isVolatileQualified()));
    });
  });
}

/// More than straight-line code that computes and writes.
static bool mayWait(const FunctionDecl &Function, unsigned Depth) {
  constexpr unsigned MaxDepth = 8;
  const FunctionDecl *Definition = nullptr;
  if (Depth > MaxDepth || !Function.hasBody(Definition))
    return true;
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  return mayWait(silentCallsOf(*Definition), Depth + 1) ||
         codeHolds(*Definition, [&](const Stmt &S) {
           if (isLoop(S) ||
               isa<AsmStmt, AtomicExpr, GotoStmt, IndirectGotoStmt>(S) ||
               mayWait(silentCallsOf(S), Depth + 1))
             return true;
           const auto *Call = dyn_cast<CallExpr>(&S);
           if (!Call)
             return false;
           const CallKind Kind = classifyCall(*Call, SM);
           return Kind == CallKind::Visible
                      ? mayWait(*calleeDefinition(*Call), Depth + 1)
                      : !llvm::is_contained(
                            {CallKind::Pure, CallKind::Print,
                             CallKind::Assignment, CallKind::ThreadIndex,
                             CallKind::UniformIndex, CallKind::Store},
                            Kind);
         });
}

bool mayWait(const SilentCalls &Calls, unsigned Depth) {
  return Calls.AreSeveral ||
         llvm::any_of(Calls.Callees, [&](const FunctionDecl *Callee) {
           return mayWait(*Callee, Depth);
         });
}

} // namespace barricade::fence_as_barrier::small_grid

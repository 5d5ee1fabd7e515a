// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-region/PrintingKernel.h"
#include "matchers/Program.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/Names.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::launch_region {

static bool prints(const CallExpr &Call, const SourceManager &SM) {
  return classifyCall(Call, SM) == CallKind::Print &&
         !facts::nameOf(Call.getDirectCallee()).contains("assert");
}

/// It may call what prints.
static bool calls(const Stmt &S) {
  const auto *Asm = dyn_cast<GCCAsmStmt>(&S);
  return (Asm && llvm::StringRef(Asm->getAsmString()).contains("call")) ||
         isa<MSAsmStmt>(S);
}

SourceLocation findPrint(const FunctionDecl &Kernel, const PassView &Pass) {
  const SourceManager &SM = Pass.Context->getSourceManager();
  const KernelEffects Effects =
      collectKernelEffects(Kernel, /*RestrictParams=*/false);
  for (const KernelEffects::Sync &Sync : Effects.Syncs)
    if (Sync.Kind == CallKind::Unknown)
      return Sync.At->getBeginLoc();
  SourceLocation Found;
  for (const FunctionDecl *Function : Effects.Functions)
    if (codeHolds(*Function, [&](const Stmt &S) {
          const auto *Call = dyn_cast<CallExpr>(&S);
          if (!(Call && prints(*Call, SM)) && !calls(S))
            return false;
          Found = S.getBeginLoc();
          return true;
        }))
      return Found;
  return {};
}

} // namespace barricade::launch_region

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/fence-as-barrier/GridFence.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::fence_as_barrier {

bool isFenceAsm(const AsmStmt &Asm) {
  const auto *Gcc = dyn_cast<GCCAsmStmt>(&Asm);
  if (!Gcc)
    return false;
  std::string Text = Gcc->getAsmString();
  llvm::StringRef Opcode = llvm::StringRef(Text).trim(" \t\r\n;");
  return !Opcode.contains_insensitive("cta") && !Opcode.contains(';') &&
         (Opcode == "membar.gl" || Opcode == "membar.sys" ||
          (Opcode.starts_with("fence.") &&
           (Opcode.ends_with(".gpu") || Opcode.ends_with(".sys"))));
}

namespace {

/// `cuda::thread_scope` counts up from system over device to block, the
/// built-in scopes from thread over block and cluster to device and system.
bool isWideScope(const CallExpr &Call, bool WideIsSmall) {
  if (Call.getNumArgs() < 2)
    return true;
  const auto Scope = facts::integerOf(*Call.getArg(1),
                                      Call.getDirectCallee()->getASTContext());
  return !Scope || (WideIsSmall ? *Scope <= 1 : *Scope >= 3);
}

bool isFenceCall(const CallExpr &Call, const SourceManager &SM) {
  if (classifyCall(Call, SM) != CallKind::Fence)
    return false;
  llvm::StringRef Name = facts::calleeName(Call);
  if (Name == "atomic_thread_fence")
    return isWideScope(Call, /*WideIsSmall=*/true);
  if (Name == "__nv_atomic_thread_fence")
    return isWideScope(Call, /*WideIsSmall=*/false);
  return llvm::StringSwitch<bool>(Name)
      .Cases({"__threadfence", "__threadfence_system", "__nvvm_membar_gl",
              "__nvvm_membar_sys"},
             true)
      .Default(false);
}

} // namespace

bool isGridFence(const Stmt &S, const SourceManager &SM) {
  if (const auto *Asm = dyn_cast<AsmStmt>(&S))
    return isFenceAsm(*Asm);
  const auto *Call = dyn_cast<CallExpr>(&S);
  return Call && isFenceCall(*Call, SM);
}

} // namespace barricade::fence_as_barrier

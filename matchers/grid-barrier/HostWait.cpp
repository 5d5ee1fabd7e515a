// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/HostWait.h"
#include "matchers/DeviceFunctions.h"
#include "matchers/KernelEffects.h"
#include "matchers/Program.h"
#include "matchers/SourcePlaces.h"
#include "matchers/Statements.h"
#include "matchers/Waiting.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/grid-barrier/UnitUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// A method of libcu++'s that returns once another thread, or the host, has
/// written.
bool isLibraryWait(const Stmt &S) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(&S);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !facts::isLibraryCode(*Method))
    return false;
  const llvm::StringRef Name = facts::nameOf(Method),
                        Class = Method->getParent()->getName();
  return (Name == "wait" || Name == "acquire" || Name == "arrive_and_wait") &&
         (Class.contains("atomic") || Class.contains("semaphore") ||
          Class.contains("latch"));
}

/// Where \p Function waits, be it for its own grid.
HostWait waitOf(const FunctionDecl &Function, const KernelEffects &Effects,
                const SourceManager &SM) {
  HostWait Found;
  const bool Waits = codeHolds(Function, [&](const Stmt &S) {
    if (isLoop(S))
      Found.Read = findWait(S, Function, SM, Effects);
    else if (isLibraryWait(S))
      Found.Read = S.getBeginLoc();
    Found.Loop = S.getBeginLoc();
    return Found.Read.isValid();
  });
  if (!Waits)
    Found.Loop = Found.Read = findGotoWait(Function, SM, Effects);
  return Found;
}

/// \p Root is a kernel, or a function that a library's kernel may call.
std::optional<HostWait> findIn(const FunctionDecl &Root, bool HostMayWrite,
                               const SourceManager &SM) {
  const KernelEffects Effects =
      collectKernelEffects(Root, /*RestrictParams=*/false);
  // What writes nothing waits for somebody else. What writes may wait for the
  // grid's own locks.
  const bool OnlyReads =
      Effects.Stores.empty() && Effects.OpaqueStore.isInvalid();
  if (!OnlyReads && !HostMayWrite)
    return std::nullopt;
  for (const FunctionDecl *Function : Effects.Functions) {
    // Barriers of the runtime's wait for the same grid.
    if (isInRuntimeHeader(Function->getLocation(), SM))
      continue;
    if (const HostWait Found = waitOf(*Function, Effects, SM);
        Found.Read.isValid())
      return Found;
  }
  if (Effects.Recursive && OnlyReads)
    return HostWait{Root.getLocation(), Root.getLocation()};
  return std::nullopt;
}

std::optional<HostWait> findIn(const PassView &Pass, bool HostMayWrite) {
  const UserCode Code = collectUserCode(*Pass.Context);
  std::vector<const FunctionDecl *> Roots = Code.Kernels;
  llvm::copy_if(Code.DeviceFunctions, std::back_inserter(Roots),
                [&](const FunctionDecl *Function) {
                  return !Code.Callers.contains(Function->getCanonicalDecl());
                });
  for (const FunctionDecl *Root : Roots)
    if (auto Found =
            findIn(*Root, HostMayWrite, Pass.Context->getSourceManager()))
      return Found;
  return std::nullopt;
}

std::optional<HostWait> findIn(const Program &Whole) {
  const PassView *Host = Whole.host();
  const bool HostMayWrite = Host && UnitUses(*Host->Context).sharesMemory();
  if (Host)
    if (auto Found = findIn(*Host, HostMayWrite))
      return Found;
  for (const PassView &Pass : Whole.Passes)
    if (Pass.IsDevice && findIn(Pass, HostMayWrite))
      return HostWait();
  return std::nullopt;
}

} // namespace

std::optional<Blocker> HostWaits::against(Blocker Why) {
  if (!Found)
    Found = findIn(Whole);
  if (!*Found)
    return std::nullopt;
  if ((*Found)->Loop.isValid()) {
    Why.Where = (*Found)->Loop;
    Why.Notes.push_back(
        {(*Found)->Read, "the host may change what this reads"});
  }
  return Why;
}

} // namespace barricade::grid_barrier

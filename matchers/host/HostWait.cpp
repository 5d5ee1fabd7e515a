// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/HostWait.h"
#include "matchers/Program.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/host/UnitUses.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "matchers/waiting/Waiting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::host {
namespace {

/// `try_acquire_for`, `try_wait_parity_until`.
bool triesForATime(llvm::StringRef Name) {
  return Name.starts_with("try_") &&
         (Name.ends_with("_for") || Name.ends_with("_until"));
}

/// A method or function of libcu++'s that returns once another thread, or the
/// host, has written, or some time has passed.
bool isLibraryWait(const Stmt &S) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !facts::isLibraryCode(*Callee))
    return false;
  const llvm::StringRef Name = facts::nameOf(Callee);
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (!Method)
    return Name.starts_with("atomic_") && Name.contains("wait");
  return (Name.starts_with("wait") || Name == "acquire" ||
          Name == "arrive_and_wait" || triesForATime(Name)) &&
         isMeetingPlace(*Method->getParent());
}

/// Where a loop of \p Function may wait for the host.
HostWait loopWaitOf(const FunctionDecl &Function, const KernelEffects &Effects,
                    const SourceManager &SM) {
  HostWait Found;
  codeHolds(Function, [&](const Stmt &S) {
    if (isLoop(S) && !isOfPattern(S))
      Found = {S.getBeginLoc(), findHostWait(S, Function, SM, Effects)};
    return Found.Read.isValid();
  });
  return Found;
}

/// Where the library waits in \p Function, which may be for anybody.
HostWait libraryWaitOf(const FunctionDecl &Function) {
  HostWait Found;
  codeHolds(Function, [&](const Stmt &S) {
    if (isLibraryWait(S))
      Found = {S.getBeginLoc(), S.getBeginLoc()};
    return Found.Read.isValid();
  });
  return Found;
}

/// The same of all that may wait.
HostWait waitOf(const FunctionDecl &Function, const KernelEffects &Effects,
                const SourceManager &SM) {
  HostWait Found = loopWaitOf(Function, Effects, SM);
  if (Found.Read.isInvalid())
    Found.Loop = Found.Read = findHostGotoWait(Function, SM, Effects);
  return Found;
}

/// What the device may run, and not only where something names it.
struct DeviceRoot {
  const FunctionDecl *Function;
  bool IsCalledUnnamed; ///< Through a pointer, or as a virtual function.
};

/// \p Root is a kernel, or a function that a library's kernel may call.
std::optional<HostWait> findIn(const DeviceRoot &Given, bool HostMayWrite,
                               const SourceManager &SM) {
  const FunctionDecl &Root = *Given.Function;
  const KernelEffects Effects =
      collectKernelEffects(Root, /*RestrictParams=*/false);
  // What is not seen to write waits for somebody else. What writes may wait for
  // the grid's own locks, unless it looks for what others write.
  const bool OnlyReads =
      llvm::all_of(Effects.Stores, [](const KernelEffects::Store &S) {
        return S.Target.Root.Space == MemorySpace::Shared ||
               S.Target.Root.Space == MemorySpace::Local;
      });
  const bool MayBeHosts = OnlyReads || HostMayWrite;
  for (const FunctionDecl *Function : Effects.Functions) {
    // Barriers of the runtime's wait for the same grid, and what the library
    // does in a function is known by its name.
    if (isInRuntimeHeader(Function->getLocation(), SM) ||
        facts::isLibraryCode(*Function))
      continue;
    HostWait Found = MayBeHosts ? waitOf(*Function, Effects, SM) : HostWait();
    if (Found.Read.isInvalid())
      Found = libraryWaitOf(*Function);
    if (Found.Read.isValid())
      return Found;
  }
  if (Effects.Recursive && MayBeHosts)
    return HostWait{Root.getLocation(), Root.getLocation()};
  const SourceLocation Poll = findPoll(Effects, SM, Given.IsCalledUnnamed);
  return Poll.isValid() ? std::optional(HostWait{Poll, Poll}) : std::nullopt;
}

/// Call operators that the device may run and the host hands on.
class DeviceLambdas : public ConstDynamicRecursiveASTVisitor {
public:
  DeviceLambdas() { ShouldVisitTemplateInstantiations = true; }

  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    const CXXMethodDecl *Call = Lambda->getCallOperator();
    // Others are the device's by Clang's rules alone.
    const auto *Device = Call->getAttr<CUDADeviceAttr>();
    if (!Device || Device->isImplicit())
      return true;
    llvm::append_range(Found, callInstancesOf(*Lambda));
    if (!Call->isDependentContext())
      Found.push_back(Call);
    return true;
  }

  std::vector<const FunctionDecl *> Found;
};

/// What may run first on the device, as far as the user has written it or
/// launches it.
std::vector<DeviceRoot> deviceRoots(ASTContext &Context) {
  const UserCode Code = collectUserCode(Context);
  std::vector<DeviceRoot> Roots;
  const auto Add = [&](const FunctionDecl *Function, bool IsCalledUnnamed) {
    Roots.push_back({Function, IsCalledUnnamed});
  };
  for (const FunctionDecl *Kernel : Code.Kernels)
    Add(Kernel, false);
  for (const FunctionDecl *Function : Code.DeviceFunctions) {
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    const bool IsCalledUnnamed =
        (Method && Method->isVirtual()) ||
        Code.AddressTaken.contains(Function->getCanonicalDecl());
    if (IsCalledUnnamed || !Code.Callers.contains(Function->getCanonicalDecl()))
      Add(Function, IsCalledUnnamed);
  }
  // Of headers that the build calls a system's.
  for (const KernelLaunch &Launch : Code.Launches)
    if (Launch.Kernel && Launch.Kernel->hasBody() &&
        !Launch.Kernel->isDependentContext() &&
        !llvm::is_contained(Code.Kernels, Launch.Kernel))
      Add(Launch.Kernel, false);
  DeviceLambdas Lambdas;
  for (const Decl *D : userDeclarations(Context))
    Lambdas.TraverseDecl(D);
  for (const FunctionDecl *Operator : Lambdas.Found)
    Add(Operator, false);
  return Roots;
}

std::optional<HostWait> findIn(const PassView &Pass, bool HostMayWrite) {
  for (const DeviceRoot &Root : deviceRoots(*Pass.Context))
    if (auto Found =
            findIn(Root, HostMayWrite, Pass.Context->getSourceManager()))
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

} // namespace barricade::host

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/UnitUses.h"
#include "matchers/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// Names that the runtime's header, with what it includes, gives something in
/// the global namespace, or needs to find there.
bool isGlobalOfRuntime(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"barricade", "__gpu_sync", "cooperative_groups", "cuda"}, true)
      .Cases({"half", "half2", "nv_half", "nv_half2", "nv_bfloat16"}, true)
      .Cases({"nv_bfloat162", "__half", "__half2", "__nv_bfloat16"}, true)
      .Default(false);
}

/// Names that it brings into std.
bool isStdOfRuntime(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"map", "multimap", "mutex", "recursive_mutex", "timed_mutex"},
             true)
      .Cases({"lock_guard", "unique_lock", "scoped_lock", "lock", "try_lock"},
             true)
      .Cases({"once_flag", "call_once", "initializer_list"}, true)
      .Default(false);
}

class NameVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  explicit NameVisitor(const SourceManager &SM) : SM(SM) {
    ShouldVisitTemplateInstantiations = true;
  }

  llvm::StringSet<> Functions;
  bool NamesManaged = false, HasGlobalOfRuntime = false,
       HasStdOfRuntime = false, UsesNamespaceStd = false;

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (isa<FunctionDecl>(Ref->getDecl()))
      add(Ref->getDecl()->getDeclName());
    NamesManaged |= Ref->getDecl()->hasAttr<HIPManagedAttr>();
    return true;
  }
  bool VisitOverloadExpr(const OverloadExpr *E) override {
    add(E->getName());
    return true;
  }
  bool VisitUsingDirectiveDecl(const UsingDirectiveDecl *D) override {
    UsesNamespaceStd |= D->getNominatedNamespace()->isStdNamespace();
    return true;
  }
  bool VisitNamedDecl(const NamedDecl *D) override {
    if (!D->getDeclName().isIdentifier() || isOfRuntime(*D))
      return true;
    // Of members and variables of functions only those matter whose names the
    // written text looks up.
    const bool IsOutside =
        D->getDeclContext()->getRedeclContext()->isFileContext();
    const llvm::StringRef Name = D->getName();
    HasGlobalOfRuntime |= IsOutside ? isGlobalOfRuntime(Name)
                                    : Name == "barricade" ||
                                          Name == "__gpu_sync";
    HasStdOfRuntime |= IsOutside && isStdOfRuntime(Name);
    return true;
  }

private:
  void add(DeclarationName Name) {
    if (Name.isIdentifier())
      Functions.insert(Name.getAsIdentifierInfo()->getName());
  }
  /// Aliases of what a system's header has are none of the user's.
  bool isOfRuntime(const NamedDecl &D) const {
    const SourceLocation Where = SM.getExpansionLoc(D.getLocation());
    return Where.isInvalid() || SM.isInSystemHeader(Where) ||
           isa<UsingDirectiveDecl, UsingShadowDecl>(D) ||
           llvm::sys::path::filename(SM.getFilename(Where)) == "gpu_sync.cuh";
  }

  const SourceManager &SM;
};

} // namespace

UnitUses::UnitUses(ASTContext &Context) {
  NameVisitor Visitor(Context.getSourceManager());
  for (const Decl *D : userDeclarations(Context))
    Visitor.TraverseDecl(D);
  Functions = std::move(Visitor.Functions);
  NamesManaged = Visitor.NamesManaged;
  HasRuntimeNames = Visitor.HasGlobalOfRuntime ||
                    (Visitor.UsesNamespaceStd && Visitor.HasStdOfRuntime);
}

bool UnitUses::anyName(llvm::ArrayRef<llvm::StringRef> Prefixes) const {
  return llvm::any_of(Functions.keys(), [&](llvm::StringRef Name) {
    return llvm::any_of(Prefixes, [&](llvm::StringRef Prefix) {
      return Name.starts_with(Prefix);
    });
  });
}

bool UnitUses::mayHoldUpStreams() const {
  return anyName({"cuStreamWait", "cuStreamBatch", "cuStreamAddCallback",
                  "cuLaunchHostFunc", "cuGetProcAddress", "cuGraph",
                  "cuWaitExternal", "cudaLaunchHostFunc",
                  "cudaStreamAddCallback", "cudaWaitExternal",
                  "cudaGraphAdd", "cudaGetDriverEntryPoint", "dlsym"});
}

bool UnitUses::sharesMemory() const {
  return NamesManaged ||
         anyName({"cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc",
                  "cudaHostRegister", "cuMemAllocManaged", "cuMemHost",
                  "cuMemAllocHost"});
}

bool UnitUses::setsFloatingEnvironment() const {
  return anyName({"fesetround", "fesetenv", "feupdateenv", "feholdexcept",
                  "_mm_setcsr", "__builtin_ia32_ldmxcsr", "fesetmode"});
}

bool UnitUses::takesSymbolAddresses() const {
  return anyName({"cudaGetSymbolAddress", "cuModuleGetGlobal",
                  "cuLibraryGetGlobal", "cudaLibraryGetGlobal"});
}

} // namespace barricade::grid_barrier

//===- Precompile.cpp - What precompiled parts have in common -------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Precompile.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/ObjectFilePCHContainerReader.h"
#include "clang/Serialization/PCHContainerOperations.h"

using namespace llvm;

namespace barricade {

static bool isUserDeclaration(const clang::Decl &D,
                              const clang::SourceManager &SM) {
  return D.getLocation().isValid() &&
         !SM.isInSystemHeader(SM.getExpansionLoc(D.getLocation()));
}

void PreambleObserver::AfterExecute(clang::CompilerInstance &CI) {
  Files.collect(CI.getSourceManager());
}

void PreambleObserver::AfterPCHEmitted(clang::ASTWriter &Writer) {
  const clang::ASTContext &Context = Instance->getASTContext();
  for (const clang::Decl *D : Context.getTranslationUnitDecl()->decls())
    if (isUserDeclaration(*D, Context.getSourceManager()))
      Declarations.push_back(Writer.getDeclID(D));
}

/// Takes from the lists of what is left to check at the source's end the
/// functions of system headers. Each parse after the preamble would read every
/// one of them back in, half of its time, and find nothing: errors that were
/// deferred do not outlive the preamble, and warnings are off.
void PreambleObserver::forgetLibraryWork() {
  clang::Sema &S = Instance->getSema();
  const clang::SourceManager &SM = Instance->getSourceManager();
  S.DeclsToCheckForDeferredDiags.remove_if(
      [&](const clang::Decl *D) { return !isUserDeclaration(*D, SM); });
  auto &Unused = S.UnusedFileScopedDecls;
  Unused.erase(Unused.begin(/*Source=*/nullptr), Unused.end());
}

std::optional<clang::PrecompiledPreamble>
precompile(const clang::CompilerInvocation &Invocation,
           const MemoryBuffer &MainFile, clang::PreambleBounds Bounds,
           IntrusiveRefCntPtr<vfs::FileSystem> FS, PreambleObserver &Observed) {
  // Once for all parses that follow.
  clang::CompilerInvocation WithInstantiations(Invocation);
  WithInstantiations.getLangOpts().PCHInstantiateTemplates = true;
  clang::DiagnosticOptions DiagOpts;
  auto Diags = clang::CompilerInstance::createDiagnostics(
      *FS, DiagOpts, new clang::IgnoringDiagConsumer);
  auto Built = clang::PrecompiledPreamble::Build(
      WithInstantiations, &MainFile, Bounds, Diags, FS,
      std::make_shared<clang::PCHContainerOperations>(),
      /*StoreInMemory=*/true, /*StoragePath=*/"", Observed);
  if (!Built || Diags->hasErrorOccurred())
    return std::nullopt;
  return std::move(*Built);
}

void limitTraversalTo(ArrayRef<clang::LocalDeclID> Declarations,
                      clang::CompilerInstance &Instance) {
  std::vector<clang::Decl *> Scope;
  auto Reader = Instance.getASTReader();
  clang::serialization::ModuleFile &Precompiled =
      Reader->getModuleManager().getPrimaryModule();
  for (clang::LocalDeclID Id : Declarations)
    if (clang::Decl *D = Reader->GetLocalDecl(Precompiled, Id))
      Scope.push_back(D);
  clang::ASTContext &Context = Instance.getASTContext();
  for (clang::Decl *D : Context.getTranslationUnitDecl()->noload_decls())
    if (!D->isFromASTFile())
      Scope.push_back(D);
  Context.setTraversalScope(Scope);
}

} // namespace barricade

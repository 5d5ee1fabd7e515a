//===- Precompile.h - What precompiled parts have in common -----*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_FRONTEND_PRECOMPILE_H
#define BARRICADE_FRONTEND_PRECOMPILE_H

#include "frontend/Preamble.h"
#include "clang/AST/DeclID.h"
#include "clang/Frontend/PrecompiledPreamble.h"
#include "llvm/ADT/ArrayRef.h"

namespace barricade {

/// Notes what a later parse must know of what was precompiled.
class PreambleObserver : public clang::PreambleCallbacks {
public:
  UserFiles Files;
  /// The user's top-level declarations, as the precompiled part numbers them.
  std::vector<clang::LocalDeclID> Declarations;

  void BeforeExecute(clang::CompilerInstance &CI) override { Instance = &CI; }
  void HandleTopLevelDecl(clang::DeclGroupRef) override { forgetLibraryWork(); }
  void AfterExecute(clang::CompilerInstance &CI) override;
  void AfterPCHEmitted(clang::ASTWriter &Writer) override;

protected:
  /// While it works.
  clang::CompilerInstance &instance() { return *Instance; }

private:
  void forgetLibraryWork();

  clang::CompilerInstance *Instance = nullptr;
};

/// Precompiles what \p Bounds leave of \p MainFile, the source that
/// \p Invocation parses, and all that comes before it; nothing where that has
/// errors. The result is in memory.
std::optional<clang::PrecompiledPreamble>
precompile(const clang::CompilerInvocation &Invocation,
           const llvm::MemoryBuffer &MainFile, clang::PreambleBounds Bounds,
           llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS,
           PreambleObserver &Observed);

/// Shows traversals of an AST that begins after a precompiled part what the
/// user wrote and no more: \p Declarations of that part, then those of the
/// files that were parsed. Anything else would be read back in at every parse.
void limitTraversalTo(llvm::ArrayRef<clang::LocalDeclID> Declarations,
                      clang::CompilerInstance &Instance);

} // namespace barricade

#endif // BARRICADE_FRONTEND_PRECOMPILE_H

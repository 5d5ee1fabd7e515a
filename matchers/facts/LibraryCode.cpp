// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/LibraryCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace barricade::facts {
namespace {

/// Types that every toolkit and its replacement declare, and that Clang's own
/// headers do: where they stand, the library is.
constexpr llvm::StringLiteral Landmarks[] = {"uint3", "cudaError",
                                             "__cuda_builtin_threadIdx_t"};

llvm::StringRef fileOf(const Decl &D, const SourceManager &SM) {
  return SM.getFilename(SM.getExpansionLoc(D.getLocation()));
}

bool isBelow(llvm::StringRef File, llvm::StringRef Folder) {
  return File.consume_front(Folder) &&
         (Folder.empty() || llvm::sys::path::is_separator(File.front()));
}

bool standsWith(llvm::StringRef Landmark, llvm::StringRef File,
                const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto Found =
      Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Landmark));
  return llvm::any_of(Found, [&](const NamedDecl *D) {
    llvm::StringRef There = fileOf(*D, SM);
    return isa<TypeDecl>(D) && SM.isInSystemHeader(D->getLocation()) &&
           (There == File ||
            isBelow(File, llvm::sys::path::parent_path(There)));
  });
}

} // namespace

bool isLibraryCode(const Decl &D) {
  const ASTContext &Context = D.getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  if (D.getLocation().isInvalid()) // A builtin of the compiler.
    return true;
  if (!SM.isInSystemHeader(D.getLocation()))
    return false;
  llvm::StringRef File = fileOf(D, SM);
  if (llvm::is_contained(llvm::make_range(llvm::sys::path::begin(File),
                                          llvm::sys::path::end(File)),
                         "c++"))
    return true;
  return llvm::any_of(Landmarks, [&](llvm::StringRef Landmark) {
    return standsWith(Landmark, File, Context);
  });
}

} // namespace barricade::facts

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/LibraryCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace barricade::facts {
namespace {

/// Types that every toolkit, its replacement and what is read before a program
/// declare: where they stand, the library is.
constexpr llvm::StringLiteral Landmarks[] = {"uint3", "cudaError",
                                             "__cuda_builtin_threadIdx_t"};

llvm::StringRef fileOf(const Decl &D, const SourceManager &SM) {
  return SM.getFilename(SM.getExpansionLoc(D.getLocation()));
}

/// `.../include/c++/...`, and Clang's `.../lib/clang/22/include/...`.
bool isStandardOrCompilers(llvm::StringRef File) {
  llvm::StringRef Before;
  for (llvm::StringRef Part : llvm::make_range(llvm::sys::path::begin(File),
                                               llvm::sys::path::end(File))) {
    if (Part == "c++" || (Before == "lib" && Part == "clang"))
      return true;
    Before = Part;
  }
  return false;
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

bool isLibraryCode(const Decl &Any) {
  // A user may declare once more what the library has.
  const Decl &D = *Any.getCanonicalDecl();
  const ASTContext &Context = D.getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  if (D.getLocation().isInvalid()) // A builtin of the compiler.
    return true;
  llvm::StringRef File = fileOf(D, SM);
  if (!SM.isInSystemHeader(D.getLocation()))
    return isOfPrelude(File, Context);
  if (isStandardOrCompilers(File))
    return true;
  return llvm::any_of(Landmarks, [&](llvm::StringRef Landmark) {
    return standsWith(Landmark, File, Context);
  });
}

/// \p D is the toolkit's, the standard library's or what is read before a
/// program.
static bool isOfLibrary(const Decl &D, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Where = SM.getExpansionLoc(D.getLocation());
  return isOfPrelude(SM.getFilename(Where), Context) ||
         (SM.isInSystemHeader(Where) && isLibraryCode(D));
}

std::vector<const Decl *>
declarationsOutsideLibraries(const ASTContext &Context) {
  return topLevelDeclarations(
      Context, [&](const Decl &D) { return !isOfLibrary(D, Context); });
}

} // namespace barricade::facts

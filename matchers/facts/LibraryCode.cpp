// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/LibraryCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
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

/// `13`, `13.2.0` or `v1`.
bool isVersion(llvm::StringRef Part) {
  Part.consume_front("v");
  return !Part.empty() && llvm::isDigit(Part.front());
}

/// `.../include/c++/13/...`, maybe with a target before `c++`, and Clang's
/// `.../lib/clang/22/include/...`. A user's folder may be called `c++`, too.
bool isStandardOrCompilers(llvm::StringRef File) {
  const llvm::SmallVector<llvm::StringRef, 16> Parts(
      llvm::sys::path::begin(File), llvm::sys::path::end(File));
  for (size_t I = 1; I + 2 < Parts.size(); ++I) {
    const bool IsIncluded =
        Parts[I - 1] == "include" || (I > 1 && Parts[I - 2] == "include");
    if (isVersion(Parts[I + 1]) &&
        ((Parts[I] == "c++" && IsIncluded) ||
         (Parts[I] == "clang" && Parts[I - 1] == "lib" &&
          Parts[I + 2] == "include")))
      return true;
  }
  return false;
}

/// Where \p D is defined: a user may declare once more what the toolkit has.
llvm::StringRef fileOfDefinition(const NamedDecl &D, const SourceManager &SM) {
  const auto *Tag = dyn_cast<TagDecl>(&D);
  const TagDecl *Definition = Tag ? Tag->getDefinition() : nullptr;
  return fileOf(Definition ? static_cast<const Decl &>(*Definition)
                           : *D.getCanonicalDecl(),
                SM);
}

bool standsWith(llvm::StringRef Landmark, llvm::StringRef File,
                const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto Found =
      Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Landmark));
  return llvm::any_of(Found, [&](const NamedDecl *D) {
    llvm::StringRef There = fileOfDefinition(*D, SM);
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

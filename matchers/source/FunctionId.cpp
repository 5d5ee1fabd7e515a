// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/FunctionId.h"
#include "matchers/source/SourcePlaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace barricade {

std::string functionId(const FunctionDecl &Function) {
  const FunctionDecl &Spelled = spelledFunction(Function);
  llvm::SmallString<128> Id;
  if (!index::generateUSRForDecl(&Spelled, Id) && !Id.empty())
    return Id.str().str();
  // What has no name of its own is known by its place.
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  return "at:" + SM.getExpansionLoc(Spelled.getLocation()).printToString(SM);
}

std::string nameStem(const FunctionDecl &Function) {
  if (const IdentifierInfo *Name = Function.getIdentifier())
    return Name->getName().str();
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(Function))
    return cast<CXXMethodDecl>(Function).getParent()->getNameAsString();
  return "operators";
}

} // namespace barricade

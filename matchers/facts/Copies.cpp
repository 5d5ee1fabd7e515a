// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Copies.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::facts {

/// Nobody has declared how \p Class is copied, and the language does not do it.
static bool isCopyingLeftOut(const CXXRecordDecl &Class) {
  return Class.needsImplicitCopyConstructor() &&
         (Class.hasUserDeclaredMoveOperation() ||
          (!Class.needsOverloadResolutionForCopyConstructor() &&
           Class.defaultedCopyConstructorIsDeleted()));
}

bool isCopiedByAnyone(QualType Type, const ASTContext &Context) {
  if (!Type.isTriviallyCopyableType(Context) || Type.isDestructedType())
    return false;
  const CXXRecordDecl *Class =
      Context.getBaseElementType(Type)->getAsCXXRecordDecl();
  if (!Class)
    return true;
  const CXXDestructorDecl *Destructor = Class->getDestructor();
  return !isCopyingLeftOut(*Class) &&
         (!Destructor ||
          (Destructor->getAccess() == AS_public && !Destructor->isDeleted())) &&
         llvm::all_of(Class->ctors(), [](const auto *Constructor) {
           return !Constructor->isCopyOrMoveConstructor() ||
                  (!Constructor->isDeleted() && !Constructor->isExplicit() &&
                   Constructor->getAccess() == AS_public);
         });
}

} // namespace barricade::facts

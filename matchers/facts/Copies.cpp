// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Copies.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
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

/// \p Constructor, a template, may be chosen for a copy: `template <class T>
/// Class(T &&)` takes what is not const better than `Class(const Class &)`.
static bool mayCopy(const FunctionTemplateDecl &Constructor) {
  const FunctionDecl &Pattern = *Constructor.getTemplatedDecl();
  if (Pattern.getNumParams() == 0)
    return false;
  const ParmVarDecl &First = *Pattern.getParamDecl(0);
  return Pattern.getMinRequiredArguments() <= 1 &&
         (First.isParameterPack() ||
          (First.getType()->isReferenceType() &&
           !First.getType().getNonReferenceType().isConstQualified()));
}

static bool hasCopyingTemplate(const CXXRecordDecl &Class) {
  return llvm::any_of(Class.decls(), [](const Decl *D) {
    const auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    return Template && isa<CXXConstructorDecl>(Template->getTemplatedDecl()) &&
           mayCopy(*Template);
  });
}

bool hasAssignmentTemplate(const CXXRecordDecl &Class) {
  const DeclarationName Assign =
      Class.getASTContext().DeclarationNames.getCXXOperatorName(OO_Equal);
  return llvm::any_of(Class.lookup(Assign), [](const NamedDecl *D) {
    return isa<FunctionTemplateDecl>(D->getUnderlyingDecl());
  });
}

/// Anybody may copy an object of \p Type that is not const, by its bytes.
static bool mayBeCopied(QualType Type, const ASTContext &Context) {
  if (!Type.isTriviallyCopyableType(Context) || Type.isDestructedType())
    return false;
  const CXXRecordDecl *Class = classOf(Type);
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

bool isCopiedByAnyone(QualType Type, const ASTContext &Context) {
  const CXXRecordDecl *Class = classOf(Type);
  return mayBeCopied(Type, Context) &&
         (!Class || Class->hasCopyConstructorWithConstParam());
}

bool isCopiedAnywhere(QualType Type, const ASTContext &Context) {
  const CXXRecordDecl *Class = classOf(Type);
  return mayBeCopied(Type, Context) && !(Class && hasCopyingTemplate(*Class));
}

} // namespace barricade::facts

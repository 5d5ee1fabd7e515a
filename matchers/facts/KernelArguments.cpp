// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/KernelArguments.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/TemplateBase.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::facts {
namespace {

bool isPlain(llvm::StringRef Name) {
  return !Name.empty() &&
         llvm::all_of(Name, [](char C) { return llvm::isASCII(C); });
}

/// nvcc names the value of an enumeration by the enumerator that has it.
bool isNamedValue(const TemplateArgument &Integral) {
  const auto *Enum = Integral.getIntegralType()->getAsEnumDecl();
  return !Enum ||
         llvm::any_of(Enum->enumerators(), [&](const EnumConstantDecl *Each) {
           return llvm::APSInt::isSameValue(Each->getInitVal(),
                                            Integral.getAsIntegral()) &&
                  isPlain(Each->getName());
         });
}

bool isTaken(const TemplateArgument &Argument) {
  switch (Argument.getKind()) {
  case TemplateArgument::Type:
    return isNamedByAnyone(Argument.getAsType());
  case TemplateArgument::Integral:
    return isNamedByAnyone(Argument.getIntegralType()) &&
           isNamedValue(Argument);
  case TemplateArgument::Pack:
    return llvm::all_of(Argument.pack_elements(), isTaken);
  default:
    return false;
  }
}

bool areTaken(llvm::ArrayRef<TemplateArgument> Arguments) {
  return llvm::all_of(Arguments, isTaken);
}

/// `typedef struct { ... } Name;` has a name as well.
llvm::StringRef nameOf(const TagDecl &D) {
  const TypedefNameDecl *Typedef = D.getTypedefNameForAnonDecl();
  return Typedef ? Typedef->getName() : D.getName();
}

/// Whatever \p D is declared in has names that kernels may have; a class is
/// left to others.
bool isInPlainNamespaces(const Decl &D) {
  for (const DeclContext *Around = D.getDeclContext(); Around;
       Around = Around->getParent()) {
    const auto *Space = dyn_cast<NamespaceDecl>(Around);
    if (Space && !Space->isAnonymousNamespace() && !isPlain(Space->getName()))
      return false;
  }
  return true;
}

/// \p D, a class or an enumeration, and all that it is declared in.
bool isNamedByAnyone(const TagDecl &D) {
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(&D);
  const AccessSpecifier Access =
      Special ? Special->getSpecializedTemplate()->getAccess() : D.getAccess();
  if (!isPlain(nameOf(D)) || D.getParentFunctionOrMethod() ||
      Access == AS_private || Access == AS_protected)
    return false;
  const auto *Record = dyn_cast<CXXRecordDecl>(&D);
  if (Record && Record->isLambda())
    return false;
  if (Special && !areTaken(Special->getTemplateArgs().asArray()))
    return false;
  const auto *Outer = dyn_cast<TagDecl>(D.getDeclContext());
  return Outer ? isNamedByAnyone(*Outer) : isInPlainNamespaces(D);
}

} // namespace

bool isNamedByAnyone(QualType Type) {
  const clang::Type &T = *Type.getCanonicalType().getTypePtr();
  if (isa<BuiltinType, BitIntType>(T))
    return true;
  if (const auto *Tag = T.getAsTagDecl())
    return isNamedByAnyone(*Tag);
  if (T.isPointerType() || T.isReferenceType())
    return isNamedByAnyone(T.getPointeeType());
  if (const auto *Array = dyn_cast<ArrayType>(&T))
    return isNamedByAnyone(Array->getElementType());
  const auto *Function = dyn_cast<FunctionProtoType>(&T);
  return Function && isNamedByAnyone(Function->getReturnType()) &&
         llvm::all_of(Function->param_types(),
                      [](QualType Each) { return isNamedByAnyone(Each); });
}

bool mayBeKernelOf(const FunctionDecl &Function) {
  const TemplateArgumentList *Arguments =
      Function.getTemplateSpecializationArgs();
  return !Arguments || areTaken(Arguments->asArray());
}

bool mayGiveKernelsItsName(const FunctionDecl &Function) {
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(Function))
    return isPlain(nameOf(*cast<CXXMethodDecl>(Function).getParent())) &&
           isInPlainNamespaces(Function);
  return (!Function.getDeclName().isIdentifier() ||
          isPlain(Function.getName())) &&
         isInPlainNamespaces(Function);
}

} // namespace barricade::facts

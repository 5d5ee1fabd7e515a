// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/KernelArguments.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/TemplateBase.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::facts {
namespace {

bool isTaken(const TemplateArgument &Argument) {
  switch (Argument.getKind()) {
  case TemplateArgument::Type:
    return isNamedByAnyone(Argument.getAsType());
  case TemplateArgument::Integral:
    return isNamedByAnyone(Argument.getIntegralType());
  case TemplateArgument::Pack:
    return llvm::all_of(Argument.pack_elements(), isTaken);
  default:
    return false;
  }
}

bool areTaken(llvm::ArrayRef<TemplateArgument> Arguments) {
  return llvm::all_of(Arguments, isTaken);
}

bool isPlain(llvm::StringRef Name) {
  return !Name.empty() &&
         llvm::all_of(Name, [](char C) { return llvm::isASCII(C); });
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
  if (!isPlain(nameOf(D)) || D.getParentFunctionOrMethod() ||
      D.getAccess() == AS_private || D.getAccess() == AS_protected)
    return false;
  const auto *Record = dyn_cast<CXXRecordDecl>(&D);
  if (Record && Record->isLambda())
    return false;
  if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(&D);
      Special && !areTaken(Special->getTemplateArgs().asArray()))
    return false;
  const auto *Outer = dyn_cast<TagDecl>(D.getDeclContext());
  return Outer ? isNamedByAnyone(*Outer) : isInPlainNamespaces(D);
}

} // namespace

bool isNamedByAnyone(QualType Type) {
  const clang::Type &T = *Type.getCanonicalType().getTypePtr();
  if (isa<BuiltinType, VectorType, BitIntType>(T))
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
  return (!Function.getDeclName().isIdentifier() ||
          isPlain(Function.getName())) &&
         isInPlainNamespaces(Function);
}

} // namespace barricade::facts

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/Data.h"
#include "matchers/facts/Copies.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

bool holdsLongDouble(QualType Type) {
  Type = QualType(Type->getBaseElementTypeUnsafe(), 0).getCanonicalType();
  if (const auto *Complex = Type->getAs<ComplexType>())
    Type = Complex->getElementType();
  if (const CXXRecordDecl *Record = Type->getAsCXXRecordDecl())
    return llvm::any_of(Record->bases(),
                        [](const CXXBaseSpecifier &Base) {
                          return holdsLongDouble(Base.getType());
                        }) ||
           llvm::any_of(Record->fields(), [](const FieldDecl *Field) {
             return holdsLongDouble(Field->getType());
           });
  return Type->isSpecificBuiltinType(BuiltinType::LongDouble) ||
         Type->isSpecificBuiltinType(BuiltinType::Float128);
}

bool isPlainData(QualType Type, const ASTContext &Context) {
  Type = Type.getCanonicalType();
  if (Type.isVolatileQualified())
    return false;
  if (const auto *Builtin = Type->getAs<BuiltinType>())
    return Type->isIntegerType()
               ? Context.getTypeSize(Type) <= 64
               : Builtin->getKind() == BuiltinType::Float ||
                     Builtin->getKind() == BuiltinType::Double;
  if (Type->isEnumeralType() || Type->isPointerType())
    return true;
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  return Record && Record->hasDefinition() && !Record->isLambda() &&
         facts::isCopiedAnywhere(Type, Context) &&
         Record->hasTrivialDestructor() && !Record->hasVolatileMember() &&
         !holdsLongDouble(Type);
}

/// Such data can be declared without a value, and be assigned.
static bool isAssignable(QualType Type, const ASTContext &Context) {
  Type = Context.getBaseElementType(Type);
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  return !Type.isConstQualified() && !Type->isReferenceType() &&
         (!Record ||
          (Record->isPOD() && !facts::hasAssignmentTemplate(*Record) &&
           llvm::all_of(Record->fields(), [&](const FieldDecl *Field) {
             return isAssignable(Field->getType(), Context);
           })));
}

bool isPlainArray(QualType Type, const ASTContext &Context) {
  const ConstantArrayType *Array = Context.getAsConstantArrayType(Type);
  return Array && isPlainData(Array->getElementType(), Context) &&
         isAssignable(Array->getElementType().getUnqualifiedType(), Context);
}

bool hasAssignment(QualType Type, const ASTContext &Context) {
  Type = Context.getBaseElementType(Type);
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (Type.isConstQualified() || Type->isReferenceType() || !Record)
    return !Type.isConstQualified() && !Type->isReferenceType();
  if (facts::hasAssignmentTemplate(*Record))
    return false;
  for (const CXXMethodDecl *Method : Record->methods())
    if (Method->isCopyAssignmentOperator())
      return !Method->isDeleted() && Method->getAccess() == AS_public;
  return !Record->hasUserDeclaredMoveOperation() &&
         llvm::all_of(Record->bases(),
                      [&](const CXXBaseSpecifier &Base) {
                        return hasAssignment(Base.getType(), Context);
                      }) &&
         llvm::all_of(Record->fields(), [&](const FieldDecl *Field) {
           return hasAssignment(Field->getType(), Context);
         });
}

bool isDim3(const CXXRecordDecl &Record, const SourceManager &SM) {
  return Record.getDeclName().isIdentifier() && Record.getName() == "dim3" &&
         SM.isInSystemHeader(SM.getExpansionLoc(Record.getLocation()));
}

} // namespace barricade::grid_barrier::relaunch_loop

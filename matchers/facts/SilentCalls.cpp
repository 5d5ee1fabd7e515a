// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/SilentCalls.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade {
namespace {

void add(const FunctionDecl *Callee, SilentCalls &Calls) {
  if (Callee && !Callee->isTrivial() && !Callee->getBuiltinID())
    Calls.Callees.push_back(Callee);
}

void addDestructor(QualType Type, SilentCalls &Calls) {
  const CXXRecordDecl *Record = classOf(Type);
  if (Record && Record->hasDefinition() && !Record->hasTrivialDestructor())
    add(Record->getDestructor(), Calls);
}

/// Of a class, or the user's own for all.
void addAllocation(const FunctionDecl *Operator, SilentCalls &Calls) {
  if (Operator &&
      (isa<CXXMethodDecl>(Operator) || !facts::isLibraryCode(*Operator)))
    add(Operator, Calls);
}

/// The object may be of a class that is derived from the pointer's.
void addDelete(const CXXDeleteExpr &Delete, SilentCalls &Calls) {
  const QualType Type = Delete.getDestroyedType();
  addDestructor(Type, Calls);
  const CXXRecordDecl *Record = classOf(Type);
  const CXXDestructorDecl *Destructor =
      Record && Record->hasDefinition() ? Record->getDestructor() : nullptr;
  Calls.AreSeveral |=
      Destructor && Destructor->isVirtual() && !Record->isEffectivelyFinal();
  addAllocation(Delete.getOperatorDelete(), Calls);
}

void addVariable(const VarDecl &Var, SilentCalls &Calls) {
  if (!isa<ParmVarDecl>(Var) && !Var.getType()->isReferenceType())
    addDestructor(Var.getType(), Calls);
  if (const auto *Cleanup = Var.getAttr<CleanupAttr>())
    add(Cleanup->getFunctionDecl(), Calls);
}

} // namespace

SilentCalls silentCallsOf(const Stmt &S) {
  SilentCalls Calls;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S))
    add(Construct->getConstructor(), Calls);
  else if (const auto *Inherited = dyn_cast<CXXInheritedCtorInitExpr>(&S))
    add(Inherited->getConstructor(), Calls);
  else if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(&S))
    add(Temporary->getTemporary()->getDestructor(), Calls);
  else if (const auto *New = dyn_cast<CXXNewExpr>(&S)) {
    addAllocation(New->getOperatorNew(), Calls);
  } else if (const auto *Delete = dyn_cast<CXXDeleteExpr>(&S))
    addDelete(*Delete, Calls);
  else if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
    for (const Decl *D : Declaration->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        addVariable(*Var, Calls);
  return Calls;
}

SilentCalls silentCallsOf(const FunctionDecl &Function) {
  SilentCalls Calls;
  for (const ParmVarDecl *Param : Function.parameters())
    addDestructor(Param->getType(), Calls);
  if (const auto *Destructor = dyn_cast<CXXDestructorDecl>(&Function)) {
    for (const FieldDecl *Field : Destructor->getParent()->fields())
      addDestructor(Field->getType(), Calls);
    for (const CXXBaseSpecifier &Base : Destructor->getParent()->bases())
      addDestructor(Base.getType(), Calls);
  }
  return Calls;
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May the device have a variable, and who changes it.

#include "matchers/facts/KernelArguments.h"
#include "matchers/facts/Purity.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/grid-barrier/relaunch-loop/Data.h"
#include "matchers/grid-barrier/relaunch-loop/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

/// A constant that kernels know as well.
bool ValueReader::isNamedDirectly(const VarDecl &Var) const {
  return !Var.isLocalVarDeclOrParm() &&
         Var.isUsableInConstantExpressions(L.Context) &&
         Var.getType()->isIntegralOrEnumerationType();
}

bool ValueReader::readReference(const DeclRefExpr &Ref) {
  if (isa<EnumConstantDecl>(Ref.getDecl()))
    return true;
  const auto *Var = dyn_cast<VarDecl>(Ref.getDecl());
  if (!Var)
    return L.refuse(ReasonId::HostStatement, Ref.getBeginLoc());
  if (facts::isInitialisedByUse(*Var))
    return L.refuse(ReasonId::HostStatement, Ref.getBeginLoc());
  note(*Var, /*Write=*/false);
  if (L.Locals.contains(Var))
    return true;
  if (isNamedDirectly(*Var))
    return true;
  L.Reads.insert({Var, &Ref});
  // Nothing in the loop calls what might change it.
  if (!Var->hasLocalStorage() &&
      (Var->hasAttr<CUDADeviceAttr>() || Var->hasAttr<CUDAConstantAttr>()))
    return L.refuse(ReasonId::GlobalVariable, Ref.getBeginLoc());
  const QualType Type = Var->getType().getNonReferenceType();
  if (!isPlainData(Type, L.Context) && !isPlainArray(Type, L.Context))
    return L.refuse(ReasonId::HostVariable, Ref.getBeginLoc());
  if (!Capturing)
    return true;
  if (!isNamedOutside(copyType(*Var)) ||
      !facts::isNamedByAnyone(copyType(*Var)))
    return L.refuse(ReasonId::LocalName, Ref.getBeginLoc());
  // The kernel takes it by its plain name.
  if (hidesDeviceName(*Var) || Ref.hasQualifier())
    return L.refuse(ReasonId::NameClash, Ref.getBeginLoc());
  L.Result.Captures.insert(Var);
  return true;
}

bool ValueReader::readWrite(const Expr &E) {
  const DeclRefExpr *Ref = host::variableOf(E);
  if (!Ref)
    return L.refuse(ReasonId::HostMemory, E.getBeginLoc());
  if (InArguments)
    return L.refuse(ReasonId::HostStatement, E.getBeginLoc());
  const auto *Var = cast<VarDecl>(Ref->getDecl());
  if (!Var->hasLocalStorage())
    return L.refuse(ReasonId::GlobalVariable, E.getBeginLoc());
  note(*Var, /*Write=*/true);
  L.Writes.insert({Var, Ref});
  return true;
}

void ValueReader::beginStep(const Stmt &S, bool InBlock) {
  L.Result.Steps.push_back({&S, InBlock, {}, {}});
  InStep = true;
}

void ValueReader::note(const VarDecl &Var, bool Write) {
  if (InControl)
    L.Result.Control.insert(&Var);
  else if (InStep)
    (Write ? L.Result.Steps.back().Writes : L.Result.Steps.back().Reads)
        .push_back(&Var);
}

} // namespace barricade::grid_barrier::relaunch_loop

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

bool isOwn(const Plan &P, const VarDecl &Var) {
  return P.Continued && llvm::is_contained(P.Continued->Own, &Var);
}

QualType writtenType(const Plan &P, const VarDecl &Var) {
  if (isOwn(P, Var))
    return canonicalCopyType(Var);
  const VarDecl *Spelled = P.SpelledVariables.lookup(&Var);
  return copyType(Spelled ? *Spelled : Var);
}

std::string declaration(const Plan &P, QualType Type, std::string Name) {
  return writtenDeclaration(Type, std::move(Name), P.Context);
}

std::string copyOf(const Plan &P, const VarDecl &Var, std::string Name) {
  const QualType Type = writtenType(P, Var);
  const ConstantArrayType *Array = P.Context.getAsConstantArrayType(Type);
  const unsigned Elements = P.L.Elements.lookup(&Var);
  if (!Array && Elements == 0)
    return declaration(P, Type, std::move(Name));
  const QualType Element =
      Array ? Array->getElementType() : Type->getPointeeType();
  return "barricade::Array<" +
         declaration(P, Element.getUnqualifiedType(), "") + ", " +
         (Array ? llvm::toString(Array->getSize(), 10, /*Signed=*/false)
                : std::to_string(Elements)) +
         (Name.empty() ? ">" : "> " + Name);
}

std::string typeText(const Plan &P, const VarDecl &Var) {
  return copyOf(P, Var, "");
}

NameSet namesOfInit(const Plan &P) {
  NameSet All;
  if (const auto *For = dyn_cast<ForStmt>(P.L.Loop); For && P.Continued)
    addNames(For->getInit(), All);
  return All;
}

NameSet namesLeftToHost(const Plan &P) {
  NameSet All = namesOfInit(P);
  All.insert_range(namesForHost(P.L));
  return All;
}

bool isOnlySet(const Plan &P, const VarDecl &Var, const NameSet &Left) {
  return isOnlySetIn(P, Var, Left) &&
         llvm::none_of(P.Results,
                       [&](const auto &R) { return R.first == &Var; });
}

bool isOnlySetIn(const Plan &P, const VarDecl &Var, const NameSet &Left) {
  const CXXRecordDecl *Record = Var.getType()->getAsCXXRecordDecl();
  return (!Record || Record->isAggregate() ||
          Record->hasConstexprNonCopyMoveConstructor()) &&
         llvm::all_of(P.Uses.of(Var), [&](const facts::VariableUse &U) {
           return Left.contains(U.Name) || U.Kind == facts::UseKind::Assign ||
                  U.Kind == facts::UseKind::Step;
         });
}

/// Nothing is done to it but to give it a value. Of a parameter like that
/// nvcc warns even where it is marked.
static bool isOnlyAssigned(const Plan &P, const VarDecl &Var) {
  const NameSet OfInit = namesOfInit(P);
  return Var.getType()->isScalarType() && !P.L.Elements.contains(&Var) &&
         isOnlySet(P, Var, OfInit) &&
         llvm::all_of(P.Uses.of(Var), [&](const facts::VariableUse &U) {
           return OfInit.contains(U.Name) || U.Kind == facts::UseKind::Assign;
         });
}

bool isUnset(const Plan &P, const VarDecl &Var) {
  const auto &NotAsked = P.Continued ? P.L.SetAnew : P.L.NotAsked;
  return (P.L.Unset.contains(&Var) || NotAsked.contains(&Var) ||
          isOnlyAssigned(P, Var)) &&
         !isOwn(P, Var);
}

bool maySeemAsked(const Plan &P, const VarDecl &Var) {
  return !P.Continued && Var.getType()->isScalarType() &&
         P.L.Unset.contains(&Var) && !P.L.NotAsked.contains(&Var) &&
         !isOnlyAssigned(P, Var);
}

} // namespace barricade::grid_barrier::persistent

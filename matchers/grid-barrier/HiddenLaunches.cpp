// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/HiddenLaunches.h"
#include "matchers/Statements.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/grid-barrier/HostCalls.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier {

std::optional<ReasonId> HiddenLaunches::reasonAgainst(const CallExpr &Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return std::nullopt;
  if (classifyHostCall(Call, SM) == HostCallKind::Launch)
    return ReasonId::RuntimeLaunch;
  return launches(Call.getDirectCallee())
             ? std::optional(ReasonId::LaunchInCall)
             : std::nullopt;
}

bool HiddenLaunches::isHeldBy(const Stmt &S) {
  return holds(&S, [&](const Stmt &Part) {
    if (const auto *Call = dyn_cast<CallExpr>(&Part))
      return reasonAgainst(*Call) || mayBeLauncher(*Call->getCallee());
    if (const auto *New = dyn_cast<CXXConstructExpr>(&Part))
      return launches(New->getConstructor());
    if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(&Part))
      return launches(Temporary->getTemporary()->getDestructor());
    if (const auto *Delete = dyn_cast<CXXDeleteExpr>(&Part))
      return destroys(Delete->getDestroyedType());
    const auto *Declaration = dyn_cast<DeclStmt>(&Part);
    return Declaration && llvm::any_of(Declaration->decls(), [&](auto *D) {
             const auto *Var = dyn_cast<VarDecl>(D);
             return Var && destroys(Var->getType());
           });
  });
}

bool HiddenLaunches::destroys(QualType Type) {
  const CXXRecordDecl *Record =
      Type.isNull() ? nullptr
                    : Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return Record && Record->hasDefinition() && launches(Record->getDestructor());
}

bool HiddenLaunches::mayBeLauncher(const Expr &Callee) {
  const auto NamesLauncher = [&](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    return Ref && launches(dyn_cast<FunctionDecl>(Ref->getDecl()));
  };
  return holds(&Callee, [&](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return NamesLauncher(Part) ||
           (Var && Var->getInit() && holds(Var->getInit(), NamesLauncher));
  });
}

bool HiddenLaunches::launches(const FunctionDecl *Callee) {
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  return Definition && launches(*Definition);
}

bool HiddenLaunches::launches(const FunctionDecl &Callee) {
  // A function that calls itself launches what it launches besides.
  const auto [It, New] = Known.try_emplace(&Callee, false);
  if (!New || facts::isLibraryCode(Callee))
    return It->second;
  const Stmt *Body = Callee.getBody();
  const bool Launches =
      holds(Body, [](const Stmt &S) { return isa<CUDAKernelCallExpr>(S); }) ||
      (Body && isHeldBy(*Body));
  return Known[&Callee] = Launches;
}

} // namespace barricade::grid_barrier

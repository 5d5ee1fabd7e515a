// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dependence/StretchedLoop.h"
#include "matchers/dependence/PointerCopies.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/host/HostVariables.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::dependence {

using grid_barrier::LoopLaunch;
using grid_barrier::RelaunchLoop;
using host::HostVariables;

bool isOfHost(llvm::StringRef Id) {
  return llvm::StringSwitch<bool>(Id)
      .Cases({"float-arithmetic", "host-option", "host-statement", "host-call",
              "host-memory", "host-variable"},
             true)
      .Cases({"global-variable", "shared-variable", "unset-variable",
              "parameter-size", "local-name", "name-clash"},
             true)
      .Default(false);
}

/// The variables that pointers given to launches come from, in the loop.
static llvm::SmallSetVector<const VarDecl *, 8>
pointersOf(const RelaunchLoop &L, const PointerCopies &Copies) {
  llvm::SmallSetVector<const VarDecl *, 8> All;
  for (const LoopLaunch &Launch : L.Launches)
    for (const Expr *Argument : Launch.Call->arguments())
      (void)holds(Argument, [&](const Stmt &S) {
        const VarDecl *Var = variableNamedBy(S);
        if (Var && Var->getType().getNonReferenceType()->isPointerType())
          All.insert_range(Copies.relatives(*Var));
        return false;
      });
  return All;
}

std::optional<RelaunchLoop> withHostWork(const RelaunchLoop &Read,
                                         ASTContext &Host) {
  if (Read.Launches.empty() || Read.Blockers.empty() ||
      !llvm::all_of(Read.Blockers,
                    [](const Blocker &Why) { return isOfHost(Why.Why.Id); }))
    return std::nullopt;
  const LoopLaunch &First = Read.Launches.front();
  if (!llvm::all_of(Read.Launches, [&](const LoopLaunch &Launch) {
        return Launch.Kernel && Launch.Callee && Launch.Call && Launch.Block &&
               host::sameExtents(*Launch.Block, *First.Block, Host);
      }))
    return std::nullopt;
  RelaunchLoop Result = Read;
  Result.Blockers.clear();
  Result.Block = First.Block;
  const HostVariables Variables(*Read.Function);
  const SourceManager &SM = Host.getSourceManager();
  const auto IsPlain = [&](const VarDecl *Var) {
    const bool IsOwn = !SM.isBeforeInTranslationUnit(Var->getLocation(),
                                                     Read.Loop->getBeginLoc());
    if (!Var->hasLocalStorage() || Var->getType()->isReferenceType() ||
        Variables.isShared(*Var))
      return false;
    if (IsOwn || !facts::beginsUnset(*Var) ||
        Variables.isSetBefore(*Var, *Read.Loop))
      return true;
    // Others give it one, in the loop.
    const bool IsUnset = !Variables.hasValueBefore(*Var, *Read.Loop);
    if (IsUnset)
      Result.Unset.insert(Var);
    return IsUnset;
  };
  return llvm::all_of(pointersOf(Read, PointerCopies(Result)), IsPlain)
             ? std::optional(std::move(Result))
             : std::nullopt;
}

} // namespace barricade::dependence

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/SharedData.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// Adds the variables and members that the arguments for \p Parameters name.
void addVariables(llvm::ArrayRef<const ParmVarDecl *> Parameters,
                  const CUDAKernelCallExpr &Call,
                  std::set<const ValueDecl *> &Variables) {
  for (const ParmVarDecl *Parameter : Parameters)
    (void)holds(Call.getArg(Parameter->getFunctionScopeIndex()),
                [&](const Stmt &S) {
                  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
                    Variables.insert(Ref->getDecl());
                  // Of the object that a method is called for.
                  if (const auto *Member = dyn_cast<MemberExpr>(&S))
                    Variables.insert(Member->getMemberDecl());
                  return false;
                });
}

} // namespace

bool sharesNothing(
    llvm::ArrayRef<const CUDAKernelCallExpr *> Launches,
    llvm::function_ref<std::vector<const StepKernel *>(const FunctionDecl &)>
        StepsOf) {
  std::set<const ValueDecl *> Written, Read;
  for (const CUDAKernelCallExpr *Call : Launches)
    for (const StepKernel *Step : StepsOf(*Call->getDirectCallee())) {
      if (Step->WritesElsewhere.isValid() || Step->ReadsElsewhere)
        return false;
      addVariables(Step->Written, *Call, Written);
      addVariables(Step->Read, *Call, Read);
    }
  return llvm::none_of(
      Read, [&](const ValueDecl *Var) { return Written.count(Var) > 0; });
}

} // namespace barricade::grid_barrier

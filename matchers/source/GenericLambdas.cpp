// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/GenericLambdas.h"
#include "matchers/source/Statements.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade {

llvm::SmallVector<const FunctionDecl *, 2>
callInstancesOf(const LambdaExpr &Lambda) {
  llvm::SmallVector<const FunctionDecl *, 2> Instances;
  if (const FunctionTemplateDecl *Template =
          Lambda.getCallOperator()->getDescribedFunctionTemplate())
    for (const FunctionDecl *Instance : Template->specializations())
      if (Instance->hasBody())
        Instances.push_back(Instance);
  return Instances;
}

bool isOfPattern(const Stmt &S) {
  return holds(&S, [](const Stmt &Inner) {
    const auto *E = dyn_cast<Expr>(&Inner);
    return E && E->isTypeDependent();
  });
}

} // namespace barricade

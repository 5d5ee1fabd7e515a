// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-overlap/Profit.h"
#include "matchers/cost/LoopFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::launch_overlap {

/// Its loads are read-only ones while nothing hides where it comes from.
static bool isReadOnly(const ParmVarDecl *Parameter) {
  const QualType Type = Parameter->getType();
  return Type->isPointerType() && Type.isRestrictQualified() &&
         Type->getPointeeType().isConstQualified();
}

bool Profit::losesReadOnlyLoads(const WaitingKernel &Kernel,
                                ASTContext &Context) {
  const auto HasTraffic = [&](const FunctionDecl *Function) {
    return codeHolds(*Function, [&](const Stmt &S) {
      return isLoop(S) && collectLoopFacts(S, *Function, Context)
                              .value(ForCostOnly())
                              .hasTraffic();
    });
  };
  return !Kernel.Promises.empty() &&
         llvm::any_of(Kernel.Functions.front()->parameters(), isReadOnly) &&
         llvm::any_of(Kernel.Functions, HasTraffic);
}

} // namespace barricade::launch_overlap

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/HostPlace.h"
#include "matchers/facts/KernelArguments.h"
#include "matchers/host/HostCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace barricade::host {

HostPlace placeOf(const Stmt &S, const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  const DeclContext &WrittenIn = *Function.getLexicalDeclContext();
  HostPlace Place;
  Place.IsTemplate = Function.isDependentContext();
  Place.IsOfDevice = Function.hasAttr<CUDADeviceAttr>();
  Place.IsMember = Method && !Method->getParent()->isLambda();
  Place.IsInClass = WrittenIn.isRecord();
  Place.IsOutOfLine =
      !Place.IsInClass && !WrittenIn.getEnclosingNamespaceContext()->Equals(
                              Function.getEnclosingNamespaceContext());
  Place.MayNameKernels = facts::mayGiveKernelsItsName(Function);
  Place.IsFallback = isFallback(S, Function.getASTContext());
  return Place;
}

} // namespace barricade::host

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/LinkedCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace barricade::facts {

const FunctionDecl *linkedBody(const FunctionDecl &Function) {
  const FunctionDecl *Definition = Function.getDefinition();
  // A later declaration may say so as well as the first one.
  const FunctionDecl &Last = *Function.getMostRecentDecl();
  // GNU's inline functions are defined once more, elsewhere; of several
  // versions the processor decides.
  const bool MayBeElse = Function.isWeak() || Last.isMultiVersion() ||
                         Last.hasAttr<GNUInlineAttr>() ||
                         Last.hasAttr<IFuncAttr>() || Last.hasAttr<AliasAttr>();
  return Definition && Definition->hasBody() && !MayBeElse ? Definition
                                                           : nullptr;
}

bool isRelabelled(const FunctionDecl &Function) {
  const FunctionDecl &Last = *Function.getMostRecentDecl();
  const auto *Label = Last.getAttr<AsmLabelAttr>();
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  // The C library has labels of its own, for what another standard asks for.
  return Label && !SM.isInSystemHeader(Label->getLocation());
}

} // namespace barricade::facts

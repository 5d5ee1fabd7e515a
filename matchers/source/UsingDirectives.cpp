// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/UsingDirectives.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace barricade {
namespace {

using Directives = std::vector<const UsingDirectiveDecl *>;

void addDirectives(const Decl &D, Directives &Found) {
  if (const auto *Directive = dyn_cast<UsingDirectiveDecl>(&D))
    Found.push_back(Directive);
  if (isa<NamespaceDecl, LinkageSpecDecl>(D))
    for (const Decl *Part : cast<DeclContext>(&D)->decls())
      addDirectives(*Part, Found);
}

/// All of the user's.
const Directives &directivesOf(const ASTContext &Context) {
  std::optional<Directives> &Known =
      *onePerContext<std::optional<Directives>>(Context);
  if (!Known) {
    Known.emplace();
    for (const Decl *D : userDeclarations(Context))
      addDirectives(*D, *Known);
  }
  return *Known;
}

} // namespace

bool mayNominateElse(const Decl &D, SourceLocation User,
                     const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Where = SM.getExpansionLoc(User);
  return llvm::any_of(directivesOf(Context), [&](const auto *Each) {
    return Each->getNominatedNamespace()->Encloses(
               D.getDeclContext()->getRedeclContext()) &&
           SourceConditions(Context).isInOtherBranch(
               SM.getExpansionLoc(Each->getLocation()), Where);
  });
}

} // namespace barricade

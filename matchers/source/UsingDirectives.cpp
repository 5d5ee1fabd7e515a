// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/UsingDirectives.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
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

/// `using namespace Space;`, as it is spelled.
struct WrittenDirective {
  SourceLocation Where;
  llvm::StringRef Space;
};
using WrittenDirectives = std::vector<WrittenDirective>;

void readDirectives(FileID File, const SourceConditions &Conditions,
                    WrittenDirectives &Found) {
  SourceLocation Where; // Within one.
  llvm::StringRef Before, Space;
  const auto Read = [&](const Token &T) {
    const llvm::StringRef Word =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    if (Word == "namespace" && Before == "using")
      Where = T.getLocation();
    else if (!Word.empty())
      Space = Word;
    if (T.is(tok::semi) && Where.isValid())
      Found.push_back({Where, Space});
    if (T.is(tok::semi))
      Where = SourceLocation();
    Before = Word;
  };
  Conditions.forEachTokenOf(File, Read);
}

/// All of the user's files that have some under a condition.
const WrittenDirectives &writtenDirectives(const ASTContext &Context) {
  std::optional<WrittenDirectives> &Known =
      *onePerContext<std::optional<WrittenDirectives>>(Context);
  if (!Known) {
    Known.emplace();
    const SourceConditions Conditions(Context);
    Conditions.forEachUserFile([&](FileID File) {
      if (Conditions.holdsUnderCondition(File, "using"))
        readDirectives(File, Conditions, *Known);
    });
  }
  return *Known;
}

/// A namespace of the file's that is called \p Name, and not around \p D, has
/// something by the name of \p D.
bool hasOther(llvm::StringRef Name, const NamedDecl &D,
              const ASTContext &Context) {
  const IdentifierInfo *Info = knownIdentifier(Name, Context.Idents);
  return Info &&
         llvm::any_of(Context.getTranslationUnitDecl()->lookup(Info),
                      [&](const NamedDecl *Found) {
                        const auto *Space = dyn_cast<NamespaceDecl>(Found);
                        return Space && !Space->Encloses(D.getDeclContext()) &&
                               !Space->lookup(D.getDeclName()).empty();
                      });
}

} // namespace

bool mayNominateMore(const NamedDecl &D, SourceLocation User,
                     const ASTContext &Context) {
  const SourceConditions Conditions(Context);
  return llvm::any_of(writtenDirectives(Context), [&](const auto &Each) {
    return Conditions.hasOtherCondition(Each.Where, User) &&
           hasOther(Each.Space, D, Context);
  });
}

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

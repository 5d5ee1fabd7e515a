// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/UserDeclarations.h"
#include "matchers/source/SourceConditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"

using namespace clang;

namespace barricade {

std::vector<const Decl *>
topLevelDeclarations(const ASTContext &Context,
                     llvm::function_ref<bool(const Decl &)> Is) {
  std::vector<const Decl *> Result;
  auto Add = [&](const Decl *D) {
    if (D->getLocation().isValid() && Is(*D))
      Result.push_back(D);
  };
  // The whole unit, or, beside a precompiled preamble, some of its parts.
  for (const Decl *D : Context.getTraversalScope())
    if (const auto *Unit = dyn_cast<TranslationUnitDecl>(D))
      for (const Decl *Part : Unit->decls())
        Add(Part);
    else
      Add(D);
  return Result;
}

std::vector<const Decl *> userDeclarations(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  return topLevelDeclarations(Context, [&](const Decl &D) {
    return !SM.isInSystemHeader(SM.getExpansionLoc(D.getLocation()));
  });
}

const IdentifierInfo *knownIdentifier(llvm::StringRef Name,
                                      const IdentifierTable &All) {
  if (const auto Read = All.find(Name); Read != All.end())
    return Read->second;
  IdentifierInfoLookup *Precompiled = All.getExternalIdentifierLookup();
  return Precompiled ? Precompiled->get(Name) : nullptr;
}

/// Of what this build leaves out Clang makes no identifiers.
static bool isSpelledUnderCondition(llvm::StringRef Name,
                                    const ASTContext &Context) {
  const SourceConditions Conditions(Context);
  bool Found = false;
  Conditions.forEachUserFile([&](FileID File) {
    if (Found || !Conditions.holdsUnderCondition(File, Name))
      return;
    Conditions.forEachTokenOf(File, [&](const Token &T) {
      Found =
          Found || (T.is(tok::raw_identifier) && T.getRawIdentifier() == Name &&
                    !Conditions.conditionsAround(T.getLocation()).empty());
    });
  });
  return Found;
}

bool isNameTaken(llvm::StringRef Name, const ASTContext &Context) {
  return knownIdentifier(Name, Context.Idents) ||
         isSpelledUnderCondition(Name, Context);
}

} // namespace barricade

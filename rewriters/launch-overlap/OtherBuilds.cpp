// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-overlap/OtherBuilds.h"
#include "matchers/Statements.h"
#include "rewriters/Macros.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::launch_overlap {
namespace {

/// The beginning of \p D, of a template's `template` if it has one.
SourceLocation beginOf(const Decl &D) {
  const TemplateDecl *Template = D.getDescribedTemplate();
  return Template ? Template->getBeginLoc() : D.getBeginLoc();
}

/// Something of \p D's stands where \p IsThere.
bool hasPart(const Decl &D, llvm::function_ref<bool(SourceLocation)> IsThere) {
  const auto IsPart = [&](const Decl *Each) {
    return IsThere(Each->getLocation());
  };
  if (const auto *Function = dyn_cast<FunctionDecl>(&D))
    return llvm::any_of(Function->parameters(), IsPart) ||
           holds(Function->getBody(),
                 [&](const Stmt &S) { return IsThere(S.getBeginLoc()); });
  const auto *Class = dyn_cast<RecordDecl>(&D);
  return Class && llvm::any_of(Class->decls(), IsPart);
}

/// A number is one in every build.
bool isNumber(const MacroInfo &Macro) {
  const auto IsWord = [](const Token &T) {
    return !T.isLiteral() && T.getIdentifierInfo();
  };
  const auto IsNumber = [](const Token &T) {
    return T.is(tok::numeric_constant);
  };
  return llvm::none_of(Macro.tokens(), IsWord) &&
         llvm::any_of(Macro.tokens(), IsNumber);
}

} // namespace

OtherBuilds::OtherBuilds(const PassView &Pass)
    : Context(*Pass.Context), SM(Context.getSourceManager()), PP(*Pass.PP),
      Source(Context) {}

bool OtherBuilds::mayReplace(const Decl &D, SourceLocation User) const {
  return isInOtherBranch(SM.getExpansionLoc(D.getLocation()),
                         SM.getExpansionLoc(User));
}

/// \p Where is compiled under a condition with another branch, or its file is
/// included under one, while \p User's place is not under the same.
bool OtherBuilds::isInOtherBranch(SourceLocation Where,
                                  SourceLocation User) const {
  llvm::DenseMap<FileID, SourceLocation> UserIn;
  for (; User.isValid(); User = SM.getIncludeLoc(SM.getFileID(User)))
    UserIn[SM.getFileID(User)] = User;
  for (; Where.isValid(); Where = SM.getIncludeLoc(SM.getFileID(Where))) {
    if (!Source.standsInBranch(Where))
      continue;
    const SourceLocation Beside = UserIn.lookup(SM.getFileID(Where));
    if (Beside.isInvalid() ||
        !Source.haveSameConditions(std::min(Where, Beside),
                                   std::max(Where, Beside)))
      return true;
  }
  return false;
}

bool OtherBuilds::mayRespell(const Decl &D, bool IsShared) {
  const SourceLocation Begin = SM.getExpansionLoc(beginOf(D));
  const SourceLocation End = SM.getExpansionRange(D.getEndLoc()).getEnd();
  if (!SM.isWrittenInSameFile(Begin, End))
    return true;
  const auto IsCompiled = [&](SourceLocation From, SourceLocation To) {
    return hasPart(D, [&](SourceLocation Part) {
      const SourceLocation At = SM.getExpansionLoc(Part);
      return From < At && At < To;
    });
  };
  return Source.hasOtherBranch(Begin, End, IsCompiled) ||
         mayExpandOtherwise(Source.text(Begin, End),
                            IsShared && !SM.isInMainFile(Begin));
}

bool OtherBuilds::mayExpandOtherwise(llvm::StringRef Text, bool IsShared) {
  bool Found = false;
  grid_barrier::forEachWord(Text, [&](llvm::StringRef Word) {
    const auto It = PP.getIdentifierTable().find(Word);
    Found |= !Found && It != PP.getIdentifierTable().end() &&
             It->second->hadMacroDefinition() &&
             mayMeanElse(*It->second, IsShared);
  });
  return Found;
}

bool OtherBuilds::mayMeanElse(const IdentifierInfo &Name, bool IsShared) {
  const auto [It, New] = Known.try_emplace({&Name, IsShared}, false);
  if (!New)
    return It->second;
  bool Result = false;
  forEachDefinition(Name, PP, [&](const MacroInfo &Each) {
    Result |= !Result && mayMeanElse(Each, IsShared);
  });
  return Known[{&Name, IsShared}] = Result;
}

bool OtherBuilds::mayMeanElse(const MacroInfo &Macro, bool IsShared) {
  const SourceLocation Where = Macro.getDefinitionLoc();
  if (Macro.isBuiltinMacro() || isNumber(Macro) ||
      SM.isWrittenInBuiltinFile(Where) || SM.isInSystemHeader(Where))
    return false;
  if (isInOtherBranch(Where, {}))
    return true;
  // Another unit may set it before it includes the header, or by itself.
  if (IsShared &&
      (SM.isInMainFile(Where) || !Source.conditionsAround(Where).empty()))
    return true;
  return llvm::any_of(Macro.tokens(), [&](const Token &T) {
    const IdentifierInfo *Name =
        T.isLiteral() ? nullptr : T.getIdentifierInfo();
    return Name && Name->hadMacroDefinition() && mayMeanElse(*Name, IsShared);
  });
}

} // namespace barricade::launch_overlap

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/Specialisations.h"
#include "matchers/source/SourceConditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <utility>

using namespace clang;

namespace barricade {
namespace {

/// Of which \p D itself is an instance or a specialisation.
const TemplateDecl *templateOf(const Decl &D) {
  if (const auto *Function = dyn_cast<FunctionDecl>(&D))
    return Function->getPrimaryTemplate();
  if (const auto *Class = dyn_cast<ClassTemplateSpecializationDecl>(&D))
    return Class->getSpecializedTemplate();
  if (const auto *Variable = dyn_cast<VarTemplateSpecializationDecl>(&D))
    return Variable->getSpecializedTemplate();
  return nullptr;
}

llvm::StringRef wordOf(const Token &T) {
  return T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
}

/// The word that each declaration of it has.
llvm::StringRef spelledName(const TemplateDecl &Template) {
  return Template.getDeclName().isIdentifier() ? Template.getName()
                                               : "operator";
}

/// Goes over tokens and finds heads of templates' declarations, up to the body
/// or value, that declare something of a name: `template <> struct Name<int>`,
/// `template <> int Name<int>::member(`.
class HeadFinder {
public:
  /// \p Names: what may stand for the name.
  explicit HeadFinder(const llvm::StringSet<> &Names) : Names(Names) {
    Before.startToken();
  }

  /// The name was declared in a head by the token before \p T.
  bool isDeclaredBefore(const Token &T) const {
    return IsName &&
           (T.isOneOf(tok::less, tok::l_paren) || Names.contains("operator"));
  }
  bool isInHead() const { return IsInHead; }
  void endHead() { IsBegun = IsInHead = IsName = false; }

  void add(const Token &T) {
    const llvm::StringRef Word = wordOf(T);
    // `template void f<int>();` declares nothing new.
    IsInHead = std::exchange(IsBegun, Word == "template")
                   ? T.is(tok::less)
                   : IsInHead && !T.isOneOf(tok::l_brace, tok::semi);
    // `Other<int, Name<int>>` and `other(Name<int>)` are something else's.
    IsName = IsInHead && Names.contains(Word) &&
             !Before.isOneOf(tok::less, tok::comma, tok::l_paren, tok::equal);
    Before = T;
  }

private:
  const llvm::StringSet<> &Names;
  Token Before;
  bool IsBegun = false, IsInHead = false, IsName = false;
};

class LeftOutSpecialisations {
public:
  LeftOutSpecialisations(const TemplateDecl &Template, SourceLocation User,
                         const ASTContext &Context)
      : Template(Template), SM(Context.getSourceManager()), Conditions(Context),
        User(SM.getExpansionLoc(User)) {
    Names.insert(spelledName(Template));
  }

  bool find() {
    Conditions.forEachUserFile([&](FileID File) { findMacrosIn(File); });
    Conditions.forEachUserFile([&](FileID File) { findIn(File); });
    return Found || llvm::any_of(Macros.keys(), [&](llvm::StringRef Macro) {
             return isUnderCondition(Macro);
           });
  }

private:
  /// Those that may stand for the name, and those that may declare a
  /// specialisation of anything: names may be pasted, or be arguments.
  void findMacrosIn(FileID File) {
    const llvm::StringRef Text = SM.getBufferData(File);
    if (!Text.contains("define"))
      return;
    enum { Code, Hash, Define, Body } State = Code;
    llvm::StringRef Defined;
    HeadFinder Heads(Names);
    forEachToken(File, [&](const Token &T) {
      const llvm::StringRef Word = wordOf(T);
      if (T.isAtStartOfLine())
        State = T.is(tok::hash) ? Hash : Code;
      else if (State == Hash)
        State = Word == "define" ? Define : Code;
      else if (std::exchange(State, State == Define ? Body : State) == Define)
        Defined = Word;
      Heads.add(T);
      if (State != Body)
        return Heads.endHead();
      if (Names.contains(Word))
        Names.insert(Defined);
      if (Heads.isInHead() || Macros.contains(Word))
        Macros.insert(Defined);
    });
  }

  void findIn(FileID File) {
    if (Found || llvm::none_of(Names.keys(), [&](llvm::StringRef Name) {
          return Conditions.holdsUnderCondition(File, Name);
        }))
      return;
    HeadFinder Heads(Names);
    Token Before;
    Before.startToken();
    bool InDirective = false;
    forEachToken(File, [&](const Token &T) {
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
      if (InDirective)
        return;
      if (Heads.isDeclaredBefore(T))
        Found |= isLeftOut(Before.getLocation());
      Heads.add(T);
      Before = T;
    });
  }

  void forEachToken(FileID File,
                    llvm::function_ref<void(const Token &)> Visit) const {
    Conditions.forEachToken(SM.getLocForStartOfFile(File),
                            SM.getLocForEndOfFile(File), Visit);
  }

  bool isUnderCondition(llvm::StringRef Word) const {
    bool Is = false;
    Conditions.forEachUserFile(
        [&](FileID File) { Is |= Conditions.holdsUnderCondition(File, Word); });
    return Is;
  }

  bool isLeftOut(SourceLocation Where) const {
    return Conditions.hasOtherCondition(Where, User) && !isCompiled(Where);
  }

  /// Some specialisation that this build has is declared there.
  bool isCompiled(SourceLocation Where) const {
    const auto Holds = [&](const Decl &D) {
      return llvm::any_of(D.redecls(), [&](const Decl *Each) {
        const auto Begin = SM.getExpansionLoc(Each->getBeginLoc());
        return SM.isWrittenInSameFile(Begin, Where) && Begin <= Where &&
               Where <= SM.getExpansionLoc(Each->getLocation());
      });
    };
    const auto HoldsMember = [&](const Decl &D) {
      const auto *Class = dyn_cast<CXXRecordDecl>(&D);
      return Class && llvm::any_of(Class->decls(), [&](const Decl *Member) {
               return Holds(*Member);
             });
    };
    if (Holds(Template) || Holds(*Template.getTemplatedDecl()))
      return true;
    const auto AnyOf = [&](const auto &All) {
      return llvm::any_of(All, [&](const auto *Each) {
        return Holds(*Each) || HoldsMember(*Each);
      });
    };
    if (const auto *Function = dyn_cast<FunctionTemplateDecl>(&Template))
      return AnyOf(Function->specializations());
    if (const auto *Class = dyn_cast<ClassTemplateDecl>(&Template)) {
      llvm::SmallVector<ClassTemplatePartialSpecializationDecl *, 4> Partial;
      const_cast<ClassTemplateDecl *>(Class)->getPartialSpecializations(
          Partial);
      return AnyOf(Class->specializations()) || AnyOf(Partial);
    }
    const auto *Variable = dyn_cast<VarTemplateDecl>(&Template);
    if (!Variable)
      return false;
    llvm::SmallVector<VarTemplatePartialSpecializationDecl *, 4> Partial;
    const_cast<VarTemplateDecl *>(Variable)->getPartialSpecializations(Partial);
    return AnyOf(Variable->specializations()) || AnyOf(Partial);
  }

  const TemplateDecl &Template;
  const SourceManager &SM;
  const SourceConditions Conditions;
  const SourceLocation User;
  bool Found = false;
  llvm::StringSet<> Names;  ///< What may stand for the template's.
  llvm::StringSet<> Macros; ///< Which may declare a specialisation.
};

} // namespace

llvm::SmallVector<const TemplateDecl *, 2> templatesAround(const Decl &D) {
  llvm::SmallVector<const TemplateDecl *, 2> Result;
  for (const Decl *Each = &D; Each && !isa<TranslationUnitDecl>(Each);
       Each = Decl::castFromDeclContext(Each->getDeclContext()))
    if (const TemplateDecl *Template = templateOf(*Each))
      Result.push_back(Template);
  return Result;
}

bool maySpecialiseElse(const Decl &D, SourceLocation User,
                       const ASTContext &Context) {
  return llvm::any_of(templatesAround(D), [&](const TemplateDecl *Template) {
    return LeftOutSpecialisations(*Template, User, Context).find();
  });
}

} // namespace barricade

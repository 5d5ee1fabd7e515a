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
  explicit HeadFinder(llvm::StringRef Name) : Name(Name) {
    Before.startToken();
  }

  /// The name was declared in a head by the token before \p T.
  bool isDeclaredBefore(const Token &T) const {
    return IsName && (T.isOneOf(tok::less, tok::l_paren) || Name == "operator");
  }
  bool isInHead() const { return IsInHead; }

  void add(const Token &T) {
    const llvm::StringRef Word =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    // `template void f<int>();` declares nothing new.
    IsInHead = std::exchange(IsBegun, Word == "template")
                   ? T.is(tok::less)
                   : IsInHead && !T.isOneOf(tok::l_brace, tok::semi);
    // `Other<int, Name<int>>` and `other(Name<int>)` are something else's.
    IsName = IsInHead && Word == Name &&
             !Before.isOneOf(tok::less, tok::comma, tok::l_paren, tok::equal);
    Before = T;
  }

private:
  const llvm::StringRef Name;
  Token Before;
  bool IsBegun = false, IsInHead = false, IsName = false;
};

class LeftOutSpecialisations {
public:
  LeftOutSpecialisations(const TemplateDecl &Template, SourceLocation User,
                         const ASTContext &Context)
      : Template(Template), Name(spelledName(Template)),
        SM(Context.getSourceManager()), Conditions(Context),
        User(SM.getExpansionLoc(User)) {}

  bool find() {
    Conditions.forEachUserFile([&](FileID File) { findIn(File); });
    return Found || llvm::any_of(Macros.keys(), [&](llvm::StringRef Macro) {
             return isUnderCondition(Macro);
           });
  }

private:
  void findIn(FileID File) {
    const llvm::StringRef Text = SM.getBufferData(File);
    if (Found || !(Conditions.holdsUnderCondition(File, Name) ||
                   (Text.contains("define") && Text.contains("template"))))
      return;
    HeadFinder Heads(Name);
    enum { Code, Hash, Define, Macro } State = Code;
    llvm::StringRef Defined;
    Token Before;
    Before.startToken();
    const SourceLocation Begin = SM.getLocForStartOfFile(File);
    Conditions.forEachToken(
        Begin, Begin.getLocWithOffset(int(Text.size())), [&](const Token &T) {
          const llvm::StringRef Word =
              T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
          if (T.isAtStartOfLine())
            State = T.is(tok::hash) ? Hash : Code;
          else if (State == Hash)
            State = Word == "define" ? Define : Code;
          else if (std::exchange(State, State == Define ? Macro : State) ==
                   Define)
            Defined = Word;
          if (State != Macro && Heads.isDeclaredBefore(T))
            Found |= isLeftOut(Before.getLocation());
          // Names may be pasted, or be a macro's arguments.
          if (State == Macro && (Heads.isInHead() || Macros.contains(Word)))
            Macros.insert(Defined);
          Heads.add(T);
          Before = T;
        });
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
  const llvm::StringRef Name;
  const SourceManager &SM;
  const SourceConditions Conditions;
  const SourceLocation User;
  bool Found = false;
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

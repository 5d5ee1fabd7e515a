// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/Specialisations.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <utility>
#include <vector>

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
  /// \p Names: what may stand for the name.
  explicit HeadFinder(const llvm::StringSet<> &Names) : Names(&Names) {
    Before.startToken();
  }

  /// The name was declared in a head by the token before \p T.
  bool isDeclaredBefore(const Token &T) const {
    return IsName &&
           (T.isOneOf(tok::less, tok::l_paren) || Names->contains("operator"));
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
    IsName = IsInHead && Names->contains(Word) &&
             !Before.isOneOf(tok::less, tok::comma, tok::l_paren, tok::equal);
    Before = T;
  }

private:
  const llvm::StringSet<> *Names;
  Token Before;
  bool IsBegun = false, IsInHead = false, IsName = false;
};

/// A macro's definition, and what stands in its text.
struct DefinedMacro {
  llvm::StringRef Name;
  llvm::StringSet<> Words;
  bool OpensHead = false; ///< Of a template's declaration.
};

/// What the files of a unit may declare of templates, whether or not this build
/// compiles it.
class TemplateHeads {
public:
  /// Where heads that this build leaves out declare something of \p Template.
  llvm::ArrayRef<SourceLocation> leftOutOf(const TemplateDecl &Template,
                                           const SourceConditions &Conditions) {
    const auto [It, New] = LeftOut.try_emplace(&Template);
    if (New) {
      llvm::StringSet<> Name;
      Name.insert(spelledName(Template));
      const llvm::StringSet<> Names = spellingsOf(std::move(Name), Conditions);
      Conditions.forEachUserFile([&](FileID File) {
        findIn(File, Names, Template, Conditions, It->second);
      });
    }
    return It->second;
  }

  /// A macro under a condition may specialise any template: names may be
  /// pasted, or be its arguments.
  bool mayByMacro(const SourceConditions &Conditions) {
    if (!ByMacro) {
      const llvm::StringSet<> Openers =
          standingFor({}, macros(Conditions),
                      [](const DefinedMacro &M) { return M.OpensHead; });
      ByMacro = llvm::any_of(Openers.keys(), [&](llvm::StringRef Name) {
        return isUnderCondition(Name, Conditions);
      });
    }
    return *ByMacro;
  }

  /// What stands for one of \p Names, or for a macro that spells one, may be
  /// left out where \p User is not; \p IsKnown tells what is known all the
  /// same.
  bool mayBeNamedElse(llvm::StringSet<> Names, SourceLocation User,
                      const SourceConditions &Conditions,
                      const SourceManager &SM,
                      llvm::function_ref<bool(SourceLocation)> IsKnown) {
    Names = spellingsOf(std::move(Names), Conditions);
    bool Found = false;
    Conditions.forEachUserFile([&](FileID File) {
      if (Found || !mayHold(File, Names, Conditions))
        return;
      Conditions.forEachTokenOf(File, [&](const Token &T) {
        Found |= T.is(tok::raw_identifier) &&
                 Names.contains(T.getRawIdentifier()) &&
                 Conditions.hasOtherCondition(T.getLocation(), User) &&
                 !IsKnown(T.getLocation());
      });
    });
    return Found;
  }

private:
  /// \p Words, the macros that pass \p Test, and those that spell any of them.
  static llvm::StringSet<>
  standingFor(llvm::StringSet<> Words, llvm::ArrayRef<DefinedMacro> Macros,
              llvm::function_ref<bool(const DefinedMacro &)> Test) {
    const auto Spells = [&](const DefinedMacro &M) {
      return Test(M) || llvm::any_of(Words.keys(), [&](llvm::StringRef Word) {
               return M.Words.contains(Word);
             });
    };
    for (bool Grown = true; Grown;) {
      Grown = false;
      for (const DefinedMacro &M : Macros)
        if (!Words.contains(M.Name) && Spells(M))
          Grown |= Words.insert(M.Name).second;
    }
    return Words;
  }

  /// \p Names, and the macros that spell any of them.
  llvm::StringSet<> spellingsOf(llvm::StringSet<> Names,
                                const SourceConditions &Conditions) {
    return standingFor(std::move(Names), macros(Conditions),
                       [](const DefinedMacro &) { return false; });
  }

  llvm::ArrayRef<DefinedMacro> macros(const SourceConditions &Conditions) {
    if (!Macros) {
      Macros.emplace();
      Conditions.forEachUserFile(
          [&](FileID File) { readMacros(File, Conditions); });
    }
    return *Macros;
  }

  void readMacros(FileID File, const SourceConditions &Conditions) {
    const llvm::StringSet<> NoNames;
    HeadFinder Heads(NoNames);
    Conditions.forEachDefinitionToken(
        File, [&](const Token &Name, const Token &T) {
          if (T.getLocation() == Name.getLocation()) {
            Macros->push_back({Name.getRawIdentifier(), {}, false});
            Heads = HeadFinder(NoNames);
            return;
          }
          Heads.add(T);
          Macros->back().OpensHead |= Heads.isInHead();
          if (T.is(tok::raw_identifier))
            Macros->back().Words.insert(T.getRawIdentifier());
        });
  }

  static bool isUnderCondition(llvm::StringRef Word,
                               const SourceConditions &Conditions) {
    bool Is = false;
    Conditions.forEachUserFile(
        [&](FileID File) { Is |= Conditions.holdsUnderCondition(File, Word); });
    return Is;
  }

  static bool mayHold(FileID File, const llvm::StringSet<> &Names,
                      const SourceConditions &Conditions) {
    return llvm::any_of(Names.keys(), [&](llvm::StringRef Name) {
      return Conditions.holdsUnderCondition(File, Name);
    });
  }

  static void findIn(FileID File, const llvm::StringSet<> &Names,
                     const TemplateDecl &Template,
                     const SourceConditions &Conditions,
                     std::vector<SourceLocation> &Found) {
    if (!mayHold(File, Names, Conditions))
      return;
    HeadFinder Heads(Names);
    SourceLocation Last;
    bool InDirective = false;
    Conditions.forEachTokenOf(File, [&](const Token &T) {
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
      if (InDirective)
        return;
      if (Heads.isDeclaredBefore(T) && !isCompiled(Template, Last))
        Found.push_back(Last);
      Heads.add(T);
      Last = T.getLocation();
    });
  }

  /// Some declaration of \p Template's that this build has stands there.
  static bool isCompiled(const TemplateDecl &Template, SourceLocation Where) {
    const SourceManager &SM = Template.getASTContext().getSourceManager();
    const auto Holds = [&](const Decl *D) {
      return llvm::any_of(D->redecls(), [&](const Decl *Each) {
        const auto Begin = SM.getExpansionLoc(Each->getBeginLoc());
        return SM.isWrittenInSameFile(Begin, Where) && Begin <= Where &&
               Where <= SM.getExpansionLoc(Each->getLocation());
      });
    };
    const auto HoldsMember = [&](const Decl *D) {
      const auto *Class = dyn_cast<CXXRecordDecl>(D);
      return Class && llvm::any_of(Class->decls(), Holds);
    };
    return Holds(&Template) || Holds(Template.getTemplatedDecl()) ||
           llvm::any_of(specialisationsOf(Template), [&](const Decl *Each) {
             return Holds(Each) || HoldsMember(Each);
           });
  }

  std::optional<std::vector<DefinedMacro>> Macros;
  std::optional<bool> ByMacro;
  llvm::DenseMap<const TemplateDecl *, std::vector<SourceLocation>> LeftOut;
};

template <typename Partial, typename T>
llvm::SmallVector<const Decl *, 8> withPartial(const T &Template) {
  llvm::SmallVector<Partial *, 4> Found;
  // Clang has no way to ask a constant one.
  const_cast<T &>(Template).getPartialSpecializations(Found);
  llvm::SmallVector<const Decl *, 8> Result(Found.begin(), Found.end());
  llvm::append_range(Result, Template.specializations());
  return Result;
}

} // namespace

llvm::SmallVector<const TemplateDecl *, 2> templatesAround(const Decl &D) {
  llvm::SmallVector<const TemplateDecl *, 2> Result;
  for (const Decl *Each = &D; Each && !isa<TranslationUnitDecl>(Each);
       Each = Decl::castFromDeclContext(Each->getDeclContext()))
    if (const TemplateDecl *Template = templateOf(*Each))
      Result.push_back(Template);
  return Result;
}

llvm::SmallVector<const Decl *, 8>
specialisationsOf(const TemplateDecl &Template) {
  if (const auto *Class = dyn_cast<ClassTemplateDecl>(&Template))
    return withPartial<ClassTemplatePartialSpecializationDecl>(*Class);
  if (const auto *Variable = dyn_cast<VarTemplateDecl>(&Template))
    return withPartial<VarTemplatePartialSpecializationDecl>(*Variable);
  const auto *Function = dyn_cast<FunctionTemplateDecl>(&Template);
  return Function ? llvm::SmallVector<const Decl *, 8>(
                        Function->specializations().begin(),
                        Function->specializations().end())
                  : llvm::SmallVector<const Decl *, 8>();
}

llvm::SmallVector<const FunctionDecl *, 4>
instancesOf(const FunctionTemplateDecl &Template) {
  llvm::SmallVector<const FunctionDecl *, 4> Result;
  for (const FunctionDecl *Each : Template.specializations())
    if (const FunctionDecl *Definition = Each->getDefinition();
        Definition && Definition->isTemplateInstantiation())
      Result.push_back(Definition);
  return Result;
}

/// The name by which \p S uses a template, where the arguments are not known.
static llvm::StringRef nameOfUnsettled(const Stmt &S) {
  DeclarationName Name;
  if (const auto *Overload = dyn_cast<OverloadExpr>(&S))
    Name = Overload->getName();
  else if (const auto *Ref = dyn_cast<DependentScopeDeclRefExpr>(&S))
    Name = Ref->getDeclName();
  else if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(&S))
    Name = Member->getMember();
  const IdentifierInfo *Word = Name.getAsIdentifierInfo();
  return Word ? Word->getName() : "";
}

/// Adds to \p Names those of templates, functions and classes, whose instances
/// decide which instances there are of what has one of the names. False where
/// it is no named template.
static bool addUsers(llvm::StringSet<> &Names, ASTContext &Context) {
  bool AllNamed = true, Grown = true;
  const auto Uses = [&](const Stmt &S) {
    const llvm::StringRef Name = nameOfUnsettled(S);
    return !Name.empty() && Names.contains(Name);
  };
  while (AllNamed && std::exchange(Grown, false))
    forEachHostCode(Context, [&](const HostCode &Code) {
      if (llvm::none_of(Code.Parts,
                        [&](const Stmt *Part) { return holds(Part, Uses); }))
        return;
      if (!Code.Function || !Code.Function->isDependentContext())
        AllNamed = false;
      else
        for (const Decl *D = Code.Function; D && !isa<TranslationUnitDecl>(D);
             D = Decl::castFromDeclContext(D->getDeclContext()))
          if (const auto *Named = dyn_cast<NamedDecl>(D);
              Named && !isa<NamespaceDecl>(D) && Named->getIdentifier())
            Grown |= Names.insert(Named->getName()).second;
    });
  return AllNamed;
}

bool mayInstantiateElse(const FunctionTemplateDecl &Template) {
  ASTContext &Context = Template.getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  llvm::DenseSet<SourceLocation> Known;
  for (const FunctionDecl *Instance : instancesOf(Template))
    Known.insert(SM.getExpansionLoc(Instance->getPointOfInstantiation()));
  for (const auto *Each : Template.redecls())
    Known.insert(SM.getExpansionLoc(Each->getLocation()));
  llvm::StringSet<> Names;
  Names.insert(spelledName(Template));
  return !addUsers(Names, Context) ||
         onePerContext<TemplateHeads>(Context)->mayBeNamedElse(
             std::move(Names), SM.getExpansionLoc(Template.getLocation()),
             SourceConditions(Context), SM,
             [&](SourceLocation Where) { return Known.contains(Where); });
}

bool maySpecialiseElse(const Decl &D, SourceLocation User,
                       const ASTContext &Context) {
  const auto Templates = templatesAround(D);
  if (Templates.empty())
    return false;
  const SourceConditions Conditions(Context);
  const SourceLocation At = Context.getSourceManager().getExpansionLoc(User);
  const auto Heads = onePerContext<TemplateHeads>(Context);
  return Heads->mayByMacro(Conditions) ||
         llvm::any_of(Templates, [&](const TemplateDecl *Template) {
           return llvm::any_of(Heads->leftOutOf(*Template, Conditions),
                               [&](SourceLocation Where) {
                                 return Conditions.hasOtherCondition(Where, At);
                               });
         });
}

} // namespace barricade

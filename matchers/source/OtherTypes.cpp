// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/OtherTypes.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace clang;

namespace barricade {
namespace {

/// One of the places that say what a type is.
struct TypeText {
  /// Of a type that it names.
  struct Word {
    llvm::StringRef Name;
    bool IsApart; ///< Under a condition of its own.
  };
  SourceLocation Where; ///< Of its name.
  bool IsAlias = false;
  bool HasCode = false;      ///< It may have functions.
  bool HasApartCode = false; ///< That run unasked, under conditions of theirs.
  std::vector<Word> Words;
};

using TypeTexts = llvm::StringMap<llvm::SmallVector<TypeText, 1>>;

llvm::StringRef wordOf(const Token &T) {
  return T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
}

bool opensClass(llvm::StringRef Word) {
  return Word == "struct" || Word == "class" || Word == "union";
}

/// Goes over the tokens of a file, whether or not they are compiled, and finds
/// the classes and the aliases that it declares.
class TypeReader {
public:
  TypeReader(TypeTexts &Texts, const SourceConditions &Conditions)
      : Texts(Texts), Conditions(Conditions) {
    Before.startToken();
  }

  void add(const Token &T) {
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash);
    if (InDirective)
      return;
    noteInClasses(T);
    if (!addToHead(T))
      addToAlias(T);
    if (T.is(tok::l_brace))
      ++Depth;
    else if (T.is(tok::r_brace))
      closeBrace();
    Before = T;
  }

private:
  /// A class of which the body, or what is declared with it, is being read.
  struct OpenClass {
    unsigned Depth; ///< Of braces around the body.
    TypeText Text;
    llvm::StringRef Name;
  };

  /// What makes a member function has parentheses; of what stands before a
  /// declared name, the last word is a type's.
  void noteInClasses(const Token &T) {
    const bool FollowsType =
        T.isOneOf(tok::raw_identifier, tok::less, tok::star, tok::amp);
    for (OpenClass &Class : Classes) {
      const bool RunsUnasked =
          wordOf(T) == "operator" ||
          (T.is(tok::l_paren) && wordOf(Before) == Class.Name);
      Class.Text.HasCode |= T.is(tok::l_paren);
      Class.Text.HasApartCode |= RunsUnasked && isApart(T, Class);
      if (FollowsType && Depth == Class.Depth + 1 && !wordOf(Before).empty())
        Class.Text.Words.push_back({wordOf(Before), isApart(Before, Class)});
    }
  }

  bool isApart(const Token &T, const OpenClass &Class) const {
    return Class.Text.Where.isValid() &&
           Conditions.hasOtherCondition(T.getLocation(), Class.Text.Where);
  }

  /// What stands between `class` and the body. True where \p T is of one.
  bool addToHead(const Token &T) {
    if (!Head) {
      if (!opensClass(wordOf(T)) || wordOf(Before) == "enum")
        return false;
      Head.emplace();
      HeadName = "";
      HeadNesting = 0;
      InBases = false;
      return true;
    }
    if (T.is(tok::l_brace) && HeadNesting == 0) {
      Classes.push_back({Depth, std::move(*Head), HeadName});
      Head.reset();
      return false;
    }
    if (T.isOneOf(tok::l_paren, tok::l_square, tok::less)) {
      ++HeadNesting;
    } else if (T.isOneOf(tok::r_paren, tok::r_square, tok::greater) &&
               HeadNesting > 0) {
      --HeadNesting;
    } else if (T.is(tok::colon)) {
      InBases = true;
    } else if (T.is(tok::raw_identifier)) {
      if (InBases)
        Head->Words.push_back({wordOf(T), false});
      else if (HeadNesting == 0 && wordOf(T) != "final")
        HeadName = wordOf(T), Head->Where = T.getLocation();
      if (Alias && Depth == AliasDepth)
        Alias->Words.push_back({wordOf(T), false});
    } else if (!InBases && HeadNesting == 0 && T.isNot(tok::coloncolon)) {
      Head.reset(); // It is only named here.
      return false;
    }
    return true;
  }

  void addToAlias(const Token &T) {
    const llvm::StringRef Word = wordOf(T);
    if (Word == "typedef" || Word == "using") {
      Alias.emplace();
      Alias->IsAlias = true;
      IsUsing = Word == "using";
      AliasNames.clear();
      AliasDepth = Depth;
    } else if (Alias && Depth == AliasDepth) {
      IsUsing ? addToUsing(T) : addToTypedef(T);
    }
  }

  void addToUsing(const Token &T) {
    if (T.is(tok::equal) && AliasNames.empty())
      AliasNames.push_back(Before);
    else if (T.is(tok::semi))
      closeAlias();
    else if (wordOf(T) == "namespace")
      Alias.reset();
    else if (T.is(tok::raw_identifier) && !AliasNames.empty())
      Alias->Words.push_back({wordOf(T), false});
  }

  /// The name is the last before what ends a declarator, or `(*name)`.
  void addToTypedef(const Token &T) {
    const llvm::StringRef Last = wordOf(Before);
    const bool EndsName =
        T.isOneOf(tok::comma, tok::semi, tok::l_square, tok::r_paren) ||
        wordOf(T).starts_with("__attribute");
    if (EndsName && !Last.empty() && Last != "typedef") {
      AliasNames.push_back(Before);
      if (!Alias->Words.empty() && Alias->Words.back().Name == Last)
        Alias->Words.pop_back();
    }
    if (T.is(tok::semi))
      closeAlias();
    else if (T.is(tok::raw_identifier))
      Alias->Words.push_back({wordOf(T), false});
  }

  void closeAlias() {
    // `using space::name;` may bring anything.
    if (AliasNames.empty() && IsUsing && !wordOf(Before).empty()) {
      Alias->IsAlias = false;
      Alias->HasCode = true;
      AliasNames.push_back(Before);
    }
    for (const Token &Name : AliasNames) {
      Alias->Where = Name.getLocation();
      if (!wordOf(Name).empty())
        Texts[wordOf(Name)].push_back(*Alias);
    }
    Alias.reset();
  }

  void closeBrace() {
    Depth -= Depth > 0;
    if (Classes.empty() || Classes.back().Depth != Depth)
      return;
    OpenClass Class = Classes.pop_back_val();
    if (Alias && AliasDepth == Depth) {
      // `typedef struct { ... } name;`
      Alias->HasCode |= Class.Text.HasCode;
      Alias->HasApartCode |= Class.Text.HasApartCode;
      llvm::append_range(Alias->Words, Class.Text.Words);
    }
    if (!Class.Name.empty())
      Texts[Class.Name].push_back(std::move(Class.Text));
  }

  TypeTexts &Texts;
  const SourceConditions &Conditions;
  Token Before;
  bool InDirective = false, InBases = false, IsUsing = false;
  unsigned Depth = 0, HeadNesting = 0, AliasDepth = 0;
  llvm::SmallVector<OpenClass, 2> Classes;
  std::optional<TypeText> Head, Alias;
  llvm::StringRef HeadName;
  llvm::SmallVector<Token, 2> AliasNames;
};

/// Where this build declares classes and aliases.
class PlaceFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit PlaceFinder(const SourceManager &SM) : SM(SM) {}
  llvm::DenseSet<SourceLocation> Places;

  bool VisitTypeDecl(const TypeDecl *D) override {
    Places.insert(SM.getExpansionLoc(D->getLocation()));
    return true;
  }

private:
  const SourceManager &SM;
};

/// All that the user's files say of types.
class UserTypes {
public:
  /// What \p Named is where \p User stands may have other code.
  bool mayRunElse(const NamedDecl &Named, SourceLocation User,
                  const ASTContext &Context) {
    Names Seen;
    return mayRunElse(Named.getName(), /*IsElse=*/false, User, Context, Seen) ||
           (!Texts->contains(Named.getName()) &&
            isOnlyHere(
                Context.getSourceManager().getExpansionLoc(Named.getLocation()),
                User, Context));
  }

  /// So may some alias that another build may not have, or have otherwise.
  bool mayAnyRunElse(const ASTContext &Context) {
    if (!AnyMay) {
      const SourceConditions Conditions(Context);
      AnyMay = llvm::any_of(texts(Context), [&](const auto &Each) {
        Names Seen;
        return llvm::any_of(
                   Each.getValue(),
                   [&](const TypeText &Text) {
                     return Text.IsAlias &&
                            !Conditions.conditionsAround(Text.Where).empty();
                   }) &&
               mayRunElse(Each.getKey(), /*IsElse=*/false, SourceLocation(),
                          Context, Seen);
      });
    }
    return *AnyMay;
  }

private:
  using Names = std::set<std::pair<llvm::StringRef, bool>>;

  /// \p IsElse: only another build gets to \p Name, so that this one sees
  /// nothing of what it is.
  bool mayRunElse(llvm::StringRef Name, bool IsElse, SourceLocation User,
                  const ASTContext &Context, Names &Seen) {
    if (!Seen.insert({Name, IsElse}).second)
      return false;
    const auto Found = texts(Context).find(Name);
    if (Found == Texts->end())
      return IsElse && !isKnown(Name, Context);
    // What stands for it in another build is in a file that this one leaves
    // out.
    if (Found->second.size() == 1 && User.isValid() &&
        isOnlyHere(Found->second.front().Where, User, Context))
      return true;
    return llvm::any_of(Found->second, [&](const TypeText &Text) {
      const bool IsOther = IsElse || isElsewhere(Text, User, Context);
      return (Text.HasCode && IsOther) || Text.HasApartCode ||
             llvm::any_of(Text.Words, [&](const TypeText::Word &Word) {
               return mayRunElse(Word.Name, IsOther || Word.IsApart, Text.Where,
                                 Context, Seen);
             });
    });
  }

  static bool isOnlyHere(SourceLocation Where, SourceLocation User,
                         const ASTContext &Context) {
    return SourceConditions(Context).isInOtherBranch(Where, User);
  }

  /// Another build has \p Text where \p User stands, and this one has not.
  bool isElsewhere(const TypeText &Text, SourceLocation User,
                   const ASTContext &Context) {
    const SourceConditions Conditions(Context);
    return !Places.contains(Text.Where) &&
           (User.isValid() ? Conditions.hasOtherCondition(Text.Where, User)
                           : !Conditions.conditionsAround(Text.Where).empty());
  }

  /// A word of the language, or a name of which this build has what it means.
  static bool isKnown(llvm::StringRef Name, const ASTContext &Context) {
    const auto Found = Context.Idents.find(Name);
    if (Found == Context.Idents.end())
      return false;
    IdentifierInfo *Info = Found->second;
    return Info->isKeyword(Context.getLangOpts()) ||
           Info->hadMacroDefinition() ||
           !Context.getTranslationUnitDecl()->lookup(Info).empty() ||
           isOfStandard(*Info, Context);
  }

  static bool isOfStandard(IdentifierInfo &Name, const ASTContext &Context) {
    for (const NamedDecl *Each :
         Context.getTranslationUnitDecl()->lookup(&Context.Idents.get("std")))
      if (const auto *Space = dyn_cast<NamespaceDecl>(Each);
          Space && !Space->lookup(&Name).empty())
        return true;
    return false;
  }

  const TypeTexts &texts(const ASTContext &Context) {
    if (!Texts) {
      Texts.emplace();
      const SourceConditions Conditions(Context);
      Conditions.forEachUserFile([&](FileID File) {
        readTypes(File, Conditions, Context.getSourceManager());
        readMacros(File, Conditions);
      });
      PlaceFinder Finder(Context.getSourceManager());
      for (const Decl *D : userDeclarations(Context))
        Finder.TraverseDecl(D);
      Places = std::move(Finder.Places);
    }
    return *Texts;
  }

  void readTypes(FileID File, const SourceConditions &Conditions,
                 const SourceManager &SM) {
    TypeReader Reader(*Texts, Conditions);
    Conditions.forEachToken(SM.getLocForStartOfFile(File),
                            SM.getLocForEndOfFile(File),
                            [&](const Token &T) { Reader.add(T); });
  }

  /// Macros that are nothing but a type's name: `#define real double`.
  void readMacros(FileID File, const SourceConditions &Conditions) {
    llvm::StringRef Name;
    std::optional<TypeText> Text;
    const auto Close = [&] {
      if (Text && !Text->Words.empty())
        (*Texts)[Name].push_back(std::move(*Text));
      Text.reset();
    };
    Conditions.forEachDefinitionToken(File, [&](const Token &Macro,
                                                const Token &T) {
      if (T.getLocation() == Macro.getLocation()) {
        Close();
        Name = Macro.getRawIdentifier();
        Text.emplace();
        Text->Where = Macro.getLocation();
        Text->IsAlias = true;
      } else if (Text && T.is(tok::raw_identifier)) {
        Text->Words.push_back({T.getRawIdentifier(), false});
      } else if (!T.isOneOf(tok::coloncolon, tok::star, tok::amp, tok::less,
                            tok::greater, tok::comma, tok::numeric_constant)) {
        Text.reset();
      }
    });
    Close();
  }

  std::optional<TypeTexts> Texts;
  llvm::DenseSet<SourceLocation> Places; ///< Of those that this build has.
  std::optional<bool> AnyMay;
};

/// What \p Type is the name of, if that is no library's.
const NamedDecl *namedBy(const Type &Type) {
  const NamedDecl *Named = nullptr;
  if (const auto *Typedef = dyn_cast<TypedefType>(&Type))
    Named = Typedef->getDecl();
  else if (const auto *Using = dyn_cast<UsingType>(&Type))
    Named = Using->getDecl();
  else if (const auto *Special = dyn_cast<TemplateSpecializationType>(&Type))
    Named = Special->getTemplateName().getAsTemplateDecl();
  else if (const auto *Tag = dyn_cast<TagType>(&Type))
    Named = Tag->getDecl();
  const bool IsUsers =
      Named && Named->getIdentifier() && !facts::isLibraryCode(*Named) &&
      !Named->getASTContext().getSourceManager().isInSystemHeader(
          Named->getLocation());
  return IsUsers ? Named : nullptr;
}

} // namespace

/// One step from \p Type, of a value, to what it is made of.
static QualType innerOf(QualType Type, const ASTContext &Context) {
  if (const auto *Array = dyn_cast<ArrayType>(Type))
    return Array->getElementType();
  return Type.getSingleStepDesugaredType(Context);
}

static bool mayArgumentsRunElse(const Type &Type, SourceLocation User,
                                const ASTContext &Context) {
  const auto *Special = dyn_cast<TemplateSpecializationType>(&Type);
  return Special &&
         llvm::any_of(Special->template_arguments(),
                      [&](const TemplateArgument &Argument) {
                        return Argument.getKind() == TemplateArgument::Type &&
                               mayRunElse(Argument.getAsType(), User, Context);
                      });
}

bool mayRunElse(QualType Type, SourceLocation User, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation At = SM.getExpansionLoc(User);
  const auto Types = onePerContext<UserTypes>(Context);
  for (QualType Outer; Type != Outer && !isa<PointerType, ReferenceType>(*Type);
       Outer = std::exchange(Type, innerOf(Type, Context))) {
    const NamedDecl *Named = namedBy(*Type);
    if ((Named && Types->mayRunElse(*Named, At, Context)) ||
        (isa<SubstTemplateTypeParmType>(*Type) &&
         Types->mayAnyRunElse(Context)) ||
        mayArgumentsRunElse(*Type, At, Context))
      return true;
    // What an alias stands for is spelled there.
    if (Named && isa<TypedefNameDecl>(Named))
      At = SM.getExpansionLoc(Named->getLocation());
  }
  return false;
}

} // namespace barricade

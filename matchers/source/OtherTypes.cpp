// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/OtherTypes.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/Statements.h"
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
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace clang;

namespace barricade {
namespace {

/// One of the places that say what a type, or a macro, is.
struct TypeText {
  struct Word {
    llvm::StringRef Name;
    bool IsApart; ///< Under a condition of its own.
    bool IsType;  ///< Else it matters only if it is a macro.
  };
  SourceLocation Where; ///< Of its name.
  bool IsAlias = false;
  bool IsMacro = false;
  bool HasCode = false;      ///< It may have functions.
  bool HasApartCode = false; ///< That run unasked, under conditions of theirs.
  std::vector<Word> Words;
};

struct TypeTexts : llvm::StringMap<llvm::SmallVector<TypeText, 1>> {
  llvm::StringSet<> Parameters; ///< Of templates; other names, too.
};

llvm::StringRef wordOf(const Token &T) {
  return T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
}

bool opensType(llvm::StringRef Word) {
  return Word == "struct" || Word == "class" || Word == "union" ||
         Word == "enum";
}

/// A word before \p T is a type's, if it is no other's.
bool followsType(const Token &T) {
  return T.isOneOf(tok::raw_identifier, tok::less, tok::star, tok::amp);
}

/// What stands behind `operator`, if code that does not spell it may run it.
bool mayBeRunUnasked(const Token &T) {
  return T.isOneOf(tok::raw_identifier, tok::coloncolon, tok::equal, tok::amp,
                   tok::comma);
}

/// What is in the parentheses behind it is no code.
bool isAttribute(llvm::StringRef Word) {
  return Word.starts_with("__") || Word == "alignas";
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
      return addOfDirective(T);
    if (wordOf(Before) == "typename" || wordOf(Before) == "class")
      Texts.Parameters.insert(wordOf(T));
    noteInClasses(T);
    if (!addToHead(T))
      addToAlias(T);
    if (T.is(tok::l_brace))
      ++Depth;
    else if (T.is(tok::r_brace))
      closeBrace();
    if (T.is(tok::l_paren))
      ++Parens;
    else if (T.is(tok::r_paren))
      Parens -= Parens > 0;
    else if (T.isOneOf(tok::semi, tok::l_brace))
      Parens = 0; // Both branches of a condition may open some.
    Before = T;
  }

private:
  /// A class or an enumeration of which the body is being read.
  struct OpenClass {
    unsigned Depth; ///< Of braces around the body.
    TypeText Text;
    /// Any may be a macro.
    llvm::SmallVector<llvm::StringRef, 2> Names;
    bool IsEnum;

    bool isNamed(llvm::StringRef Word) const {
      return llvm::is_contained(Names, Word);
    }
  };

  /// What a class includes may be any member.
  void addOfDirective(const Token &T) {
    if (std::exchange(IsNameNext, T.is(tok::hash)) &&
        (wordOf(T).starts_with("include") || wordOf(T) == "import"))
      for (OpenClass &Class : Classes)
        Class.Text.HasApartCode |= isApart(T, Class);
  }

  /// What makes a member function has parentheses; of what stands before a
  /// declared name, the last word is a type's.
  void noteInClasses(const Token &T) {
    const llvm::StringRef Last = wordOf(Before);
    for (OpenClass &Class : Classes) {
      const bool RunsUnasked = (Last == "operator" && mayBeRunUnasked(T)) ||
                               (T.is(tok::l_paren) && Class.isNamed(Last));
      Class.Text.HasCode |=
          T.is(tok::l_paren) && !isAttribute(Last) && !Class.IsEnum;
      Class.Text.HasApartCode |= RunsUnasked && isApart(T, Class);
      if (Depth == Class.Depth + 1 && Parens == 0 && !Last.empty())
        Class.Text.Words.push_back(
            {Last, isApart(Before, Class), followsType(T)});
    }
  }

  bool isApart(const Token &T, const OpenClass &Class) const {
    return Class.Text.Where.isValid() &&
           Conditions.hasOtherCondition(T.getLocation(), Class.Text.Where);
  }

  /// What stands between `class` and the body. True where \p T is of one.
  bool addToHead(const Token &T) {
    if (!Head) {
      if (!opensType(wordOf(T)))
        return false;
      Head.emplace();
      IsEnum = wordOf(T) == "enum";
      HeadNames.clear();
      HeadNesting = 0;
      InBases = false;
      return true;
    }
    if (T.is(tok::l_brace) && HeadNesting == 0) {
      Classes.push_back(
          {Depth, std::move(*Head), std::move(HeadNames), IsEnum});
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
      const bool IsName = !InBases && HeadNesting == 0;
      const bool IsApart =
          InBases && Head->Where.isValid() &&
          Conditions.hasOtherCondition(T.getLocation(), Head->Where);
      Head->Words.push_back({wordOf(T), IsApart, InBases});
      if (IsName && wordOf(T) != "final") {
        HeadNames.push_back(wordOf(T));
        Head->Where = T.getLocation();
      }
      if (Alias && Depth == AliasDepth)
        Alias->Words.push_back({wordOf(T), false, true});
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
      Alias->HasCode |= T.isOneOf(tok::amp, tok::ampamp);
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
      Alias->Words.push_back({wordOf(T), false, true});
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
      Alias->Words.push_back({wordOf(T), false, true});
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
    for (const llvm::StringRef Name : Class.Names)
      Texts[Name].push_back(Class.Text);
  }

  TypeTexts &Texts;
  const SourceConditions &Conditions;
  Token Before;
  bool InDirective = false, IsNameNext = false, InBases = false,
       IsUsing = false, IsEnum = false;
  unsigned Depth = 0, Parens = 0, HeadNesting = 0, AliasDepth = 0;
  llvm::SmallVector<OpenClass, 2> Classes;
  std::optional<TypeText> Head, Alias;
  llvm::SmallVector<llvm::StringRef, 2> HeadNames;
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
    const SourceLocation Where = Named.getLocation();
    return mayRunElse(Named.getName(), {User, false, true}, Context, Seen) ||
           // A macro may declare it, or another file.
           (!Texts->contains(Named.getName()) &&
            (Where.isMacroID() || isOnlyHere(Where, User, Context)));
  }

  /// So may some alias that another build may not have, or have otherwise.
  bool mayAnyRunElse(const ASTContext &Context) {
    if (!AnyMay)
      AnyMay = llvm::any_of(texts(Context), [&](const auto &Each) {
        Names Seen;
        const TypeText *Alias =
            findConditionalAlias(Each.getValue(), SourceConditions(Context));
        return Alias && mayRunElse(Each.getKey(),
                                   {SourceLocation(), false, !Alias->IsMacro},
                                   Context, Seen);
      });
    return *AnyMay;
  }

private:
  using Names = std::set<std::pair<llvm::StringRef, bool>>;

  static const TypeText *
  findConditionalAlias(llvm::ArrayRef<TypeText> All,
                       const SourceConditions &Conditions) {
    const auto *Found = llvm::find_if(All, [&](const TypeText &Text) {
      return Text.IsAlias && !Conditions.conditionsAround(Text.Where).empty();
    });
    return Found == All.end() ? nullptr : Found;
  }

  struct Asked {
    SourceLocation User;
    bool IsElse;       ///< Only another build gets there.
    bool UnknownIsOne; ///< What nobody knows may be a class.
  };

  bool mayRunElse(llvm::StringRef Name, Asked By, const ASTContext &Context,
                  Names &Seen) {
    if (!Seen.insert({Name, By.IsElse}).second)
      return false;
    const auto Found = texts(Context).find(Name);
    if (Found == Texts->end())
      return By.IsElse && By.UnknownIsOne &&
             !Texts->Parameters.contains(Name) && !isKnown(Name, Context);
    // What stands for it in another build is in a file that this one leaves
    // out. Macros that a command line defines stand for numbers.
    const TypeText &First = Found->second.front();
    if (Found->second.size() == 1 && !First.IsMacro && By.User.isValid() &&
        isOnlyHere(First.Where, By.User, Context))
      return true;
    return llvm::any_of(Found->second, [&](const TypeText &Text) {
      const bool IsOther = By.IsElse || isElsewhere(Text, By.User, Context);
      return (Text.HasCode && IsOther) || Text.HasApartCode ||
             llvm::any_of(Text.Words, [&](const TypeText::Word &Word) {
               return (Word.IsType || isMacro(Word.Name)) &&
                      mayRunElse(Word.Name,
                                 {Text.Where, IsOther || Word.IsApart,
                                  By.UnknownIsOne},
                                 Context, Seen);
             });
    });
  }

  bool isMacro(llvm::StringRef Name) const {
    const auto Found = Texts->find(Name);
    return Found != Texts->end() &&
           llvm::any_of(Found->second,
                        [](const TypeText &Text) { return Text.IsMacro; });
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

  /// A word of the language or of CUDA's, or a name of which this build has
  /// what it means. Nobody names a class as compilers name what is theirs.
  static bool isKnown(llvm::StringRef Name, const ASTContext &Context) {
    if (Name.starts_with("__") || isNumberOfCuda(Name))
      return true;
    const IdentifierInfo *Info = knownIdentifier(Name, Context.Idents);
    return Info && (Info->isKeyword(Context.getLangOpts()) ||
                    Info->hadMacroDefinition() ||
                    !Context.getTranslationUnitDecl()->lookup(Info).empty() ||
                    isOfStandard(*Info, Context));
  }

  /// A type of headers that a build may leave out (CUDA Math API).
  static bool isNumberOfCuda(llvm::StringRef Name) {
    return llvm::StringSwitch<bool>(Name)
        .Cases({"half", "half2", "nv_half", "nv_half2"}, true)
        .Cases({"nv_bfloat16", "nv_bfloat162"}, true)
        .Cases({"cuComplex", "cuFloatComplex", "cuDoubleComplex"}, true)
        .Default(false);
  }

  static bool isOfStandard(const IdentifierInfo &Name,
                           const ASTContext &Context) {
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
        readTypes(File, Conditions);
        readMacros(File, Conditions);
      });
      PlaceFinder Finder(Context.getSourceManager());
      for (const Decl *D : userDeclarations(Context))
        Finder.TraverseDecl(D);
      Places = std::move(Finder.Places);
    }
    return *Texts;
  }

  void readTypes(FileID File, const SourceConditions &Conditions) {
    TypeReader Reader(*Texts, Conditions);
    Conditions.forEachTokenOf(File, [&](const Token &T) { Reader.add(T); });
  }

  void readMacros(FileID File, const SourceConditions &Conditions) {
    Conditions.forEachDefinition(File, [&](llvm::ArrayRef<Token> Macro) {
      (*Texts)[wordOf(Macro.front())].push_back(readMacro(Macro));
    });
  }

  /// \p Macro: from its name on. All words of one that is nothing but a type's
  /// name are a type's: `#define real double`.
  static TypeText readMacro(llvm::ArrayRef<Token> Macro) {
    TypeText Text;
    Text.Where = Macro.front().getLocation();
    Text.IsMacro = true;
    Text.IsAlias = llvm::all_of(Macro, [](const Token &T) {
      return T.isOneOf(tok::raw_identifier, tok::coloncolon, tok::star,
                       tok::amp, tok::less, tok::greater, tok::comma,
                       tok::numeric_constant);
    });
    Text.HasCode = Text.IsAlias && llvm::any_of(Macro, [](const Token &T) {
                     return T.is(tok::amp);
                   });
    bool IsOfAttribute = false;
    for (size_t I = 1; I < Macro.size(); ++I) {
      const llvm::StringRef Word = wordOf(Macro[I]);
      const bool IsType =
          Text.IsAlias || I + 1 == Macro.size() || followsType(Macro[I + 1]);
      if (!Word.empty())
        Text.Words.push_back({Word, false, IsType});
      IsOfAttribute |= isAttribute(Word);
      Text.HasCode |= Macro[I].isOneOf(tok::tilde, tok::l_brace) ||
                      (Macro[I].is(tok::l_paren) && I > 1 && !IsOfAttribute);
    }
    return Text;
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

/// \p Special chooses by a value that may differ, and not only among numbers.
static bool mayChooseElse(const TemplateSpecializationType &Special,
                          SourceLocation User, const ASTContext &Context) {
  const TemplateDecl *Template = Special.getTemplateName().getAsTemplateDecl();
  const bool IsLibrarys = Template && facts::isLibraryCode(*Template);
  const auto IsNumber = [&](const TemplateArgument &Argument) {
    return Argument.getKind() != TemplateArgument::Type ||
           Argument.getAsType()->isScalarType();
  };
  const auto MayDiffer = [&](const TemplateArgument &Argument) {
    return Argument.getKind() == TemplateArgument::Expression &&
           valueMayDiffer(*Argument.getAsExpr(), User, Context);
  };
  return llvm::any_of(Special.template_arguments(), MayDiffer) &&
         !(IsLibrarys && llvm::all_of(Special.template_arguments(), IsNumber));
}

static bool mayArgumentsRunElse(const Type &Type, SourceLocation User,
                                const ASTContext &Context) {
  const auto *Special = dyn_cast<TemplateSpecializationType>(&Type);
  const auto MayRunElse = [&](const TemplateArgument &Argument) {
    return Argument.getKind() == TemplateArgument::Type &&
           mayRunElse(Argument.getAsType(), User, Context);
  };
  return Special && (llvm::any_of(Special->template_arguments(), MayRunElse) ||
                     mayChooseElse(*Special, User, Context));
}

/// Another build may have something else of what \p E names.
static bool namesOfBranch(const Expr &E, SourceLocation User,
                          const ASTContext &Context) {
  const SourceConditions Conditions(Context);
  const SourceManager &SM = Context.getSourceManager();
  return holds(&E, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    return Ref && !SM.isInSystemHeader(Ref->getDecl()->getLocation()) &&
           Conditions.isInOtherBranch(
               SM.getExpansionLoc(Ref->getDecl()->getLocation()), User);
  });
}

/// What \p Type is made from, or is a member of, may be another one.
static bool mayComeElse(const Type &Type, SourceLocation User,
                        const ASTContext &Context) {
  if (const auto *Decltype = dyn_cast<DecltypeType>(&Type))
    return namesOfBranch(*Decltype->getUnderlyingExpr(), User, Context);
  if (const auto *TypeOf = dyn_cast<TypeOfExprType>(&Type))
    return namesOfBranch(*TypeOf->getUnderlyingExpr(), User, Context);
  const auto *Member = dyn_cast<TypedefType>(&Type);
  const NestedNameSpecifier Of =
      Member ? Member->getQualifier() : NestedNameSpecifier(std::nullopt);
  return Of.getKind() == NestedNameSpecifier::Kind::Type &&
         mayArgumentsRunElse(*Of.getAsType(), User, Context);
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
        mayArgumentsRunElse(*Type, At, Context) ||
        mayComeElse(*Type, At, Context))
      return true;
    // What an alias stands for is spelled there.
    if (Named && isa<TypedefNameDecl>(Named))
      At = SM.getExpansionLoc(Named->getLocation());
  }
  return false;
}

} // namespace barricade

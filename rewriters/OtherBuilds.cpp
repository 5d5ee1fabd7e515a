// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/OtherBuilds.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/LeftOutFiles.h"
#include "matchers/source/OtherJumps.h"
#include "matchers/source/OtherTypes.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Specialisations.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "matchers/source/UsingDirectives.h"
#include "matchers/source/WrittenMacros.h"
#include "rewriters/DeclaredNames.h"
#include "rewriters/DroppedArguments.h"
#include "rewriters/Macros.h"
#include "rewriters/PlainMacros.h"
#include "rewriters/RuntimeText.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/OperatorPrecedence.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace barricade {
namespace {

/// The beginning of \p D, of a template's `template` if it has one.
SourceLocation beginOf(const Decl &D) {
  const TemplateDecl *Template = D.getDescribedTemplate();
  return Template ? Template->getBeginLoc() : D.getBeginLoc();
}

/// A library has it for what a call or a list leaves out: the same in every
/// build.
bool isDefaultOfLibrary(const Stmt &S) {
  if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(&S))
    return facts::isLibraryCode(*Argument->getParam());
  const auto *Member = dyn_cast<CXXDefaultInitExpr>(&S);
  return Member && facts::isLibraryCode(*Member->getField());
}

/// \p Body, which may be null, has something that stands where \p IsThere,
/// other than in a library's defaults.
bool holdsPart(const Stmt *Body,
               llvm::function_ref<bool(SourceLocation)> IsThere) {
  llvm::SmallPtrSet<const Stmt *, 8> OfLibrary;
  return holds(Body, [&](const Stmt &S) {
    // What stands in for it comes before what it stands for.
    if (isDefaultOfLibrary(S))
      holds(&S, [&](const Stmt &Part) {
        OfLibrary.insert(&Part);
        return false;
      });
    return !OfLibrary.contains(&S) && IsThere(S.getBeginLoc());
  });
}

/// Something of \p D's stands where \p IsThere.
bool hasPart(const Decl &D, llvm::function_ref<bool(SourceLocation)> IsThere) {
  const auto IsPart = [&](const Decl *Each) {
    return IsThere(Each->getLocation());
  };
  if (const auto *Function = dyn_cast<FunctionDecl>(&D))
    return llvm::any_of(Function->parameters(), IsPart) ||
           holdsPart(Function->getBody(), IsThere);
  const auto *Class = dyn_cast<TagDecl>(&D);
  return Class && llvm::any_of(Class->decls(), IsPart);
}

/// Some arguments have a definition of \p Function's template of their own.
bool isSpecialised(const FunctionDecl &Function) {
  const FunctionTemplateDecl *Template =
      Function.getDescribedFunctionTemplate();
  if (!Template)
    Template = Function.getPrimaryTemplate();
  return Template &&
         llvm::any_of(Template->specializations(), [](const FunctionDecl *F) {
           return F->getTemplateSpecializationKind() ==
                  TSK_ExplicitSpecialization;
         });
}

/// Another function of the user's may be called by the name of \p D, as the
/// arguments' types choose.
bool isOneOfSeveral(const NamedDecl &D) {
  const FunctionDecl *Function = D.getAsFunction();
  if (!Function || facts::isLibraryCode(*Function))
    return false;
  if (isSpecialised(*Function))
    return true;
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function);
  if (Constructor && Constructor->isCopyOrMoveConstructor())
    return false;
  llvm::SmallPtrSet<const Decl *, 2> Different;
  for (const DeclContext *Around = D.getDeclContext()->getRedeclContext();
       Around; Around = Around->getParent())
    for (const NamedDecl *Each : Around->lookup(D.getDeclName())) {
      const auto *Other = dyn_cast<CXXConstructorDecl>(Each);
      if (!Other || !Other->isCopyOrMoveConstructor())
        Different.insert(Each->getUnderlyingDecl()->getCanonicalDecl());
    }
  return Different.size() > 1;
}

/// Finds what numbers that are more than digits may choose: branches,
/// templates' instances and functions.
class ChoiceFinder : public ConstDynamicRecursiveASTVisitor {
public:
  bool Found = false;

  bool VisitIfStmt(const IfStmt *If) override {
    Found |= If->isConstexpr();
    return !Found;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    return !(Found |= isOneOfSeveral(*Ref->getDecl()));
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    return !(Found |= isOneOfSeveral(*Member->getMemberDecl()));
  }
  bool VisitOverloadExpr(const OverloadExpr *E) override {
    Found |= E->getNumDecls() > 1 ||
             llvm::any_of(E->decls(), [](const NamedDecl *D) {
               return isOneOfSeveral(*D->getUnderlyingDecl());
             });
    return !Found;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    return !(Found |= isOneOfSeveral(*E->getConstructor()));
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &Arg) override {
    if (Arg.getArgument().getKind() == TemplateArgument::Expression) {
      const Expr *E = Arg.getSourceExpression()->IgnoreParenImpCasts();
      Found |= !isa<IntegerLiteral, CXXBoolLiteralExpr>(E) ||
               E->getBeginLoc().isMacroID();
    }
    return !Found &&
           ConstDynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(Arg);
  }
};

/// A macro of the program that is no type's or value's name.
bool isHelper(const MacroInfo &Macro) {
  return Macro.isFunctionLike() || Macro.getNumTokens() == 0;
}

/// A number is one in every build.
bool isSpelledNumber(const MacroInfo &Macro) {
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

bool choosesCode(const Decl &D) {
  ChoiceFinder Finder;
  Finder.TraverseDecl(&D);
  return Finder.Found;
}

OtherBuilds::OtherBuilds(const PassView &Pass)
    : Context(*Pass.Context), SM(Context.getSourceManager()), PP(*Pass.PP),
      Source(Context) {}

bool OtherBuilds::mayReplace(const Decl &D, SourceLocation User) const {
  return Source.isInOtherBranch(SM.getExpansionLoc(D.getLocation()),
                                SM.getExpansionLoc(User)) ||
         mayNominateElse(D, User, Context);
}

/// What a declaration spells that adds something by the name of \p D; empty
/// where none can. The members of a class are looked at with the class.
static std::string addedName(const NamedDecl &D) {
  if (D.getDeclContext()->isRecord() ||
      D.getDeclContext()->isFunctionOrMethod())
    return "";
  switch (D.getDeclName().getNameKind()) {
  case DeclarationName::Identifier:
    return D.getName().str();
  case DeclarationName::CXXOperatorName:
  case DeclarationName::CXXLiteralOperatorName:
    return "operator";
  default:
    return "";
  }
}

bool OtherBuilds::mayAdd(const Decl &D, SourceLocation User, bool IsQualified,
                         llvm::function_ref<bool(SourceLocation)> IsSame) {
  const auto *Named = dyn_cast<NamedDecl>(&D);
  const std::string Name = Named ? addedName(*Named) : "";
  if (!Name.empty() && !IsQualified && mayNominateMore(*Named, User, Context))
    return true;
  bool Found = false;
  if (!Name.empty())
    Source.forEachUserFile([&](FileID File) {
      Found = Found || isAddedIn(File, Name, *Named, SM.getExpansionLoc(User),
                                 IsQualified, IsSame);
    });
  return Found;
}

/// \p Where stands in the namespace of \p D, where a name that is qualified is
/// looked for.
bool OtherBuilds::isInNamespaceOf(const NamedDecl &D,
                                  SourceLocation Where) const {
  const auto *Around = dyn_cast<NamespaceDecl>(
      D.getDeclContext()->getEnclosingNamespaceContext());
  return Around && llvm::any_of(Around->redecls(), [&](const NamespaceDecl *N) {
           const SourceLocation Begin = SM.getExpansionLoc(N->getBeginLoc());
           return SM.isWrittenInSameFile(Begin, Where) && Begin < Where &&
                  Where < SM.getExpansionLoc(N->getRBraceLoc());
         });
}

/// What stands at \p Where is compiled under a condition that \p User's place
/// is not under, and is nothing that \p D is found among now.
bool OtherBuilds::isLeftOut(SourceLocation Where, const NamedDecl &D,
                            SourceLocation User) const {
  const auto IsThere = [&](const NamedDecl *Known) {
    return SM.getExpansionLoc(Known->getLocation()) == Where;
  };
  return Source.hasOtherCondition(Where, User) &&
         llvm::none_of(
             D.getDeclContext()->getRedeclContext()->lookup(D.getDeclName()),
             IsThere);
}

/// Where \p User stands, another build has included \p File, which this one
/// includes behind it.
static bool isIncludedBefore(FileID File, SourceLocation User,
                             const SourceText &Source,
                             const SourceManager &SM) {
  const OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  if (!Entry ||
      !SM.isBeforeInTranslationUnit(User, SM.getLocForStartOfFile(File)))
    return false;
  const llvm::StringRef Name = llvm::sys::path::filename(Entry->getName());
  bool Found = false;
  Source.forEachUserFile([&](FileID Other) {
    if (Found || !Source.holdsUnderCondition(Other, Name))
      return;
    Source.forEachDirective(
        SM.getLocForStartOfFile(Other), SM.getLocForEndOfFile(Other),
        [&](SourceLocation Hash, llvm::StringRef Directive) {
          const llvm::StringRef Line =
              SM.getBufferData(Other).substr(SM.getFileOffset(Hash));
          Found |= Directive == "include" &&
                   Line.take_until([](char C) { return C == '\n'; })
                       .contains(Name) &&
                   Source.hasOtherCondition(Hash, User);
        });
  });
  return Found;
}

bool OtherBuilds::isAddedIn(FileID File, llvm::StringRef Name,
                            const NamedDecl &D, SourceLocation User,
                            bool IsQualified,
                            llvm::function_ref<bool(SourceLocation)> IsSame) {
  // By another word, too, that stands for the name.
  llvm::SmallVector<llvm::StringRef, 2> Spelled(macrosFor(Name, Context));
  Spelled.push_back(Name);
  const bool IsBefore = Source.holdsWord(File, Name) &&
                        File != SM.getFileID(User) &&
                        isIncludedBefore(File, User, Source, SM);
  if (!IsBefore && llvm::none_of(Spelled, [&](llvm::StringRef Word) {
        return Source.holdsUnderCondition(File, Word);
      }))
    return false;
  const auto IsMacro = [&](llvm::StringRef Word) {
    const IdentifierInfo *Info = knownIdentifier(Word, PP.getIdentifierTable());
    return leftOutMacros().contains(Word) ||
           (Info && Info->hadMacroDefinition());
  };
  DeclaredNames Names(D, Spelled, IsMacro);
  bool Found = false;
  Source.forEachTokenOf(File, [&](const Token &T) {
    if (Found)
      return;
    // `using other::name;` says nothing of `space::name`.
    const bool IsUsing = Names.followsQualifier() && T.is(tok::semi);
    if (const Token *Declared = Names.before(T))
      Found = (IsBefore || isLeftOut(Declared->getLocation(), D, User)) &&
              !(IsUsing && IsQualified &&
                !isInNamespaceOf(D, Declared->getLocation())) &&
              !(IsSame && IsSame(Declared->getLocation()));
    Names.add(T);
  });
  return Found;
}

//===----------------------------------------------------------------------===//
// Macros
//===----------------------------------------------------------------------===//

bool OtherBuilds::isSeen(const Token &MacroName) {
  const IdentifierInfo *Info =
      knownIdentifier(MacroName.getRawIdentifier(), PP.getIdentifierTable());
  if (!Info)
    return false;
  const SourceLocation Where = MacroName.getLocation();
  bool Seen = false;
  forEachDefinition(*Info, PP, [&](const MacroInfo &Each) {
    // A file that is included again may be left out then.
    Seen |=
        SM.getFileOffset(Each.getDefinitionLoc()) == SM.getFileOffset(Where) &&
        SM.getFileEntryRefForID(SM.getFileID(Each.getDefinitionLoc())) ==
            SM.getFileEntryRefForID(SM.getFileID(Where));
  });
  return Seen;
}

/// \p Word is a keyword or reserved.
bool OtherBuilds::isOfLanguage(llvm::StringRef Word) const {
  const IdentifierInfo *Info = knownIdentifier(Word, PP.getIdentifierTable());
  return Word.starts_with("__") ||
         (Info && Info->isKeyword(Context.getLangOpts()));
}

/// \p Word stands in code of the user's files, not only in directives.
static bool isOfCode(llvm::StringRef Word, const SourceText &Source) {
  bool Found = false;
  Source.forEachUserFile([&](FileID File) {
    if (Found || !Source.holdsWord(File, Word))
      return;
    bool InDirective = false;
    Source.forEachTokenOf(File, [&](const Token &T) {
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
      Found |= !InDirective && T.is(tok::raw_identifier) &&
               T.getRawIdentifier() == Word;
    });
  });
  return Found;
}

bool OtherBuilds::isSetByCommandLine(llvm::StringRef Macro) {
  const IdentifierInfo *Info = knownIdentifier(Macro, PP.getIdentifierTable());
  bool IsDefined = leftOutMacros().contains(Macro);
  if (Info && Info->hadMacroDefinition())
    forEachDefinition(*Info, PP, [&](const MacroInfo &Each) {
      IsDefined |= !SM.isWrittenInCommandLineFile(Each.getDefinitionLoc()) ||
                   !isSpelledNumber(Each);
    });
  return !IsDefined && asksFor(Macro) && !isOfCode(Macro, Source);
}

/// Be it by a macro that stands for one: `#define BLOCK SIZE_OF_BUILD`.
bool OtherBuilds::isNumber(const MacroInfo &Macro) {
  const IdentifierInfo *Word = Macro.getNumTokens() == 1
                                   ? Macro.tokens().front().getIdentifierInfo()
                                   : nullptr;
  return isSpelledNumber(Macro) || (Word && !Macro.isFunctionLike() &&
                                    isSetByCommandLine(Word->getName()));
}

void OtherBuilds::addLeftOutMacros(FileID File) {
  Source.forEachDefinition(File, [&](llvm::ArrayRef<Token> Definition) {
    if (!isSeen(Definition.front()))
      addLeftOutMacro(Definition);
  });
}

void OtherBuilds::addLeftOutMacro(llvm::ArrayRef<Token> Definition) {
  LeftOutMacro &Macro = (*LeftOut)[Definition.front().getRawIdentifier()];
  Macro.Names.push_back(Definition.front().getLocation());
  const llvm::ArrayRef<Token> Text = Definition.drop_front();
  for (const Token &T : Text) {
    const bool IsWord = T.is(tok::raw_identifier);
    const bool IsOfNumber = T.isOneOf(tok::numeric_constant, tok::l_paren,
                                      tok::r_paren, tok::minus);
    if (IsWord && Text.size() == 1)
      Macro.Words.push_back(T.getRawIdentifier());
    else
      Macro.IsNumber &= IsOfNumber;
    Macro.IsOfLanguage &=
        IsOfNumber || (IsWord && isOfLanguage(T.getRawIdentifier()));
  }
}

const llvm::StringMap<OtherBuilds::LeftOutMacro> &OtherBuilds::leftOutMacros() {
  if (!LeftOut) {
    LeftOut.emplace();
    Source.forEachUserFile([&](FileID File) { addLeftOutMacros(File); });
    for (auto &Each : *LeftOut)
      Each.second.IsNumber &=
          llvm::all_of(Each.second.Words, [&](llvm::StringRef Word) {
            return isSetByCommandLine(Word);
          });
  }
  return *LeftOut;
}

bool CodeToken::assigns() const {
  return getBinOpPrecedence(Kind, /*GreaterThanIsOperator=*/true,
                            /*CPlusPlus11=*/true) == prec::Assignment;
}

CodeToken CodeToken::of(const Token &T) {
  if (T.is(tok::raw_identifier))
    return {tok::identifier, T.getRawIdentifier(), T.getLocation()};
  if (const IdentifierInfo *Word =
          T.isLiteral() ? nullptr : T.getIdentifierInfo())
    return {tok::identifier, Word->getName(), T.getLocation()};
  return {T.getKind(),
          T.isLiteral() && T.getLiteralData()
              ? llvm::StringRef(T.getLiteralData(), T.getLength())
              : "",
          T.getLocation()};
}

MacroText OtherBuilds::readDefinition(SourceLocation Name) const {
  MacroText Macro{{}, {}, /*OfSystem=*/false, /*IsLeftOut=*/true};
  bool InParameters = false, IsName = true;
  const SourceLocation End = SM.getLocForEndOfFile(SM.getFileID(Name));
  bool IsOver = false;
  Source.forEachToken(Name, End, [&](const Token &T) {
    if ((IsOver |= T.isAtStartOfLine() && T.getLocation() != Name) ||
        std::exchange(IsName, false))
      return;
    const bool Begins = Macro.Tokens.empty() && Macro.Parameters.empty();
    if (Begins && T.is(tok::l_paren) && !T.hasLeadingSpace())
      InParameters = true;
    else if (!InParameters)
      Macro.Tokens.push_back(CodeToken::of(T));
    else if (T.is(tok::raw_identifier))
      Macro.Parameters.push_back(T.getRawIdentifier());
    else
      InParameters = T.isNot(tok::r_paren);
  });
  return Macro;
}

std::vector<MacroText> OtherBuilds::definitionsOf(llvm::StringRef Name) {
  std::vector<MacroText> Result;
  const IdentifierInfo *Info = knownIdentifier(Name, PP.getIdentifierTable());
  if (Info && Info->hadMacroDefinition())
    forEachDefinition(*Info, PP, [&](const MacroInfo &Each) {
      const SourceLocation Where = Each.getDefinitionLoc();
      MacroText Macro{{},
                      {},
                      Each.isBuiltinMacro() || SM.isInSystemHeader(Where) ||
                          SM.isWrittenInBuiltinFile(Where) ||
                          Source.isOwn(SM.getFileID(Where)),
                      /*IsLeftOut=*/false};
      for (const IdentifierInfo *Parameter : Each.params())
        Macro.Parameters.push_back(Parameter->getName());
      llvm::append_range(Macro.Tokens,
                         llvm::map_range(Each.tokens(), CodeToken::of));
      Result.push_back(std::move(Macro));
    });
  if (const auto Found = leftOutMacros().find(Name);
      Found != leftOutMacros().end())
    for (const SourceLocation Where : Found->second.Names)
      Result.push_back(readDefinition(Where));
  return Result;
}

/// Another build may define \p Word, which this one does not. Nobody gives
/// reserved names another meaning in code for CUDA, nor keywords that of
/// others.
bool OtherBuilds::mayBeDefined(llvm::StringRef Word, Use Of) {
  const auto Found = leftOutMacros().find(Word);
  if (Found == leftOutMacros().end() || Word.starts_with("__"))
    return false;
  return isOfLanguage(Word) ? !Found->second.IsOfLanguage
                            : !Found->second.IsNumber || Of.ChoosesCode;
}

bool OtherBuilds::mayRespell(const Decl &D, bool IsShared, bool ChoosesCode,
                             bool IsPlainSame) {
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
  // Included within, where its own conditions are not looked at.
  const bool IsElsewhere = hasPart(D, [&](SourceLocation Part) {
    // What a call leaves to a default has no place there.
    return Part.isValid() &&
           SM.getFileID(SM.getExpansionLoc(Part)) != SM.getFileID(Begin);
  });
  PlainMacros Macros(*this, Source, SM);
  return IsElsewhere || Source.hasOtherBranch(Begin, End, IsCompiled) ||
         mayExpandOtherwise(Source.text(Begin, End),
                            {IsShared && !SM.isInMainFile(Begin), ChoosesCode},
                            [&](llvm::StringRef Name) {
                              return IsPlainSame && !ChoosesCode &&
                                     Macros.isPlain(Name);
                            });
}

bool OtherBuilds::mayRespell(SourceLocation Begin, SourceLocation End) {
  return mayExpandOtherwise(
      Source.text(CharSourceRange::getCharRange(Begin, End)),
      {/*IsShared=*/false, /*ChoosesCode=*/false});
}

bool OtherBuilds::mayRespell(SourceLocation Begin, SourceLocation End,
                             llvm::ArrayRef<const Stmt *> Code) {
  PlainMacros Macros(*this, Source, SM);
  const llvm::StringRef Text =
      Source.text(CharSourceRange::getCharRange(Begin, End));
  // A use that is not seen to be compared with may be anything.
  const auto IsComparedOnly = [&](llvm::StringRef Name) {
    std::set<SourceLocation> Compared;
    for (const Stmt *Part : Code)
      Macros.collectCompared(*Part, Name, Compared);
    size_t Count = 0;
    grid_barrier::forEachWord(
        Text, [&](llvm::StringRef Word) { Count += Word == Name; });
    return Count == Compared.size();
  };
  return mayExpandOtherwise(Text, {/*IsShared=*/false, /*ChoosesCode=*/false},
                            [&](llvm::StringRef Name) {
                              return Macros.isPlain(Name) &&
                                     IsComparedOnly(Name);
                            });
}

bool OtherBuilds::mayUndefine(llvm::StringRef Name) const {
  return barricade::mayUndefine(Name, Context);
}

bool OtherBuilds::hasOneMeaning(llvm::StringRef Macro,
                                SourceLocation Before) const {
  const IdentifierInfo *Info = knownIdentifier(Macro, PP.getIdentifierTable());
  if (!Info || !Info->hasMacroDefinition())
    return false;
  unsigned Count = 0;
  bool IsBefore = true;
  forEachDefinition(*Info, PP, [&](const MacroInfo &Each) {
    ++Count;
    IsBefore &= SM.isBeforeInTranslationUnit(Each.getDefinitionLoc(), Before);
  });
  return Count == 1 && IsBefore && !mayUndefine(Macro);
}

/// A value that \p Part makes, copies or converts may be of a class with other
/// code.
static bool mayBeOfOtherClass(const Stmt &Part, const ASTContext &Context) {
  // What a library returns is made of what it is given.
  const auto *Call = dyn_cast<CallExpr>(&Part);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && facts::isLibraryCode(*Callee))
    return false;
  if (const auto *E = dyn_cast<Expr>(&Part))
    return mayRunElse(E->getType(), E->getBeginLoc(), Context);
  const auto *Declares = dyn_cast<DeclStmt>(&Part);
  return Declares && llvm::any_of(Declares->decls(), [&](const Decl *D) {
           const auto *Var = dyn_cast<VarDecl>(D);
           return Var &&
                  mayRunElse(Var->getType(), Var->getLocation(), Context);
         });
}

static bool isOfLibrary(const FunctionDecl &F, const SourceManager &SM) {
  return facts::isLibraryCode(F) ||
         SM.isInSystemHeader(F.getCanonicalDecl()->getLocation());
}

/// A library's function that \p Part names, of which another call is made, has
/// an overload of the user's in another build.
bool OtherBuilds::mayHaveRival(const Stmt &Part) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
  const auto *Function = Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
  return Function && Function->getDeclName().isIdentifier() &&
         (Function->getName().starts_with("cuda") || !Ref->hasQualifier()) &&
         isOfLibrary(*Function, SM) && mayAdd(*Function, Ref->getBeginLoc());
}

/// The namespaces that \p Ref is qualified by have names that stand for others
/// in another build. Kernels are asked about one by one.
bool OtherBuilds::mayBeQualifiedElse(const DeclRefExpr &Ref) const {
  if (Ref.getDecl()->hasAttr<CUDAGlobalAttr>())
    return false;
  NestedNameSpecifier Qualifier = Ref.getQualifier();
  while (Qualifier.getKind() == NestedNameSpecifier::Kind::Namespace) {
    const auto [Space, Prefix] = Qualifier.getAsNamespaceAndPrefix();
    if (isa<NamespaceAliasDecl>(Space) && mayReplace(*Space, Ref.getBeginLoc()))
      return true;
    Qualifier = Prefix;
  }
  return false;
}

/// Without \p Var, which stands under a condition that \p User's place is not
/// under, its name means something else around it.
static bool mayUncover(const VarDecl &Var, SourceLocation User,
                       const SourceText &Source, const SourceManager &SM) {
  if (!Source.mayBeMissing(SM.getExpansionLoc(Var.getLocation()),
                           SM.getExpansionLoc(User)))
    return false;
  for (const DeclContext *Around = Var.getDeclContext()->getRedeclContext();
       Around; Around = Around->getParent())
    for (const NamedDecl *Each : Around->lookup(Var.getDeclName()))
      if (Each->getCanonicalDecl() != Var.getCanonicalDecl())
        return true;
  return false;
}

/// What a variable or a member is declared as may be something else. Constants
/// are numbers in every build.
bool OtherBuilds::mayBeDeclaredElse(const ValueDecl &D, SourceLocation User) {
  const auto *Var = dyn_cast<VarDecl>(&D);
  if ((!Var && !isa<FieldDecl>(D)) || SM.isInSystemHeader(D.getLocation()) ||
      (Var && Var->getType()->isArithmeticType() &&
       Var->isUsableInConstantExpressions(Context)))
    return false;
  const bool IsDeduced = Var && Var->getType()->getContainedDeducedType();
  const Expr *Init = IsDeduced ? Var->getInit() : nullptr;
  return mayReplace(D, User) || (Var && mayUncover(*Var, User, Source, SM)) ||
         (Init && (mayCallElse(*Init) || mayNameElse(*Init)));
}

bool OtherBuilds::mayNameElse(const Stmt &S) {
  return holds(&S, [&](const Stmt &Part) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&Part))
      return mayBeDeclaredElse(*Ref->getDecl(), Ref->getBeginLoc());
    const auto *Member = dyn_cast<MemberExpr>(&Part);
    return Member &&
           mayBeDeclaredElse(*Member->getMemberDecl(), Member->getMemberLoc());
  });
}

/// Another build may declare something else by the name of the runtime's
/// namespace than a namespace.
static bool mayHideRuntime(const SourceText &Source) {
  static constexpr llvm::StringLiteral Runtime("barricade");
  bool Found = false;
  Source.forEachUserFile([&](FileID File) {
    if (Found || !Source.holdsUnderCondition(File, Runtime))
      return;
    bool InDirective = false;
    llvm::StringRef Before;
    SourceLocation Candidate; // Before this token.
    Source.forEachTokenOf(File, [&](const Token &T) {
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
      if (InDirective)
        return;
      Found = Found || (Candidate.isValid() && T.isNot(tok::coloncolon) &&
                        !Source.conditionsAround(Candidate).empty());
      const llvm::StringRef Word =
          T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
      Candidate = Word == Runtime && Before != "namespace" ? T.getLocation()
                                                           : SourceLocation();
      Before = Word;
    });
  });
  return Found;
}

/// The names in the code of the runtime's header: whether they stand before
/// parentheses somewhere. What it asks for by directives are its options.
static const llvm::StringMap<bool> &namesOfRuntime() {
  static const llvm::StringMap<bool> Names = [] {
    llvm::StringMap<bool> Found;
    LangOptions Lang;
    Lang.CPlusPlus = true;
    Lexer Raw(SourceLocation(), Lang, RuntimeText.begin(), RuntimeText.begin(),
              RuntimeText.end());
    bool *Last = nullptr, InDirective = false;
    Token T;
    for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T)) {
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
      if (Last && T.is(tok::l_paren))
        *Last = true;
      // Who defines the compilers' own names breaks them without it.
      Last = !InDirective && T.is(tok::raw_identifier) &&
                     !T.getRawIdentifier().starts_with("__")
                 ? &Found[T.getRawIdentifier()]
                 : nullptr;
    }
    return Found;
  }();
  return Names;
}

void OtherBuilds::readDirectives() {
  if (Asked)
    return;
  Asked.emplace();
  Source.forEachUserFile([&](FileID File) { readDirectives(File); });
}

void OtherBuilds::readDirectives(FileID File) {
  enum { None, Hash, Condition, Inclusion, Computed } In = None;
  bool AsksForFile = false;
  Source.forEachTokenOf(File, [&](const Token &T) {
    const llvm::StringRef Word =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    if (T.isAtStartOfLine()) {
      In = T.is(tok::hash) ? Hash : None;
    } else if (In == Hash) {
      In = Word.starts_with("if") || Word.starts_with("elif") ? Condition
           : Word.starts_with("include") || Word == "import"  ? Inclusion
                                                              : None;
    } else if (In == Condition) {
      if (!Word.empty())
        Asked->insert(Word);
      if (AsksForFile && T.is(tok::string_literal) &&
          !mayBeFound({T.getLiteralData(), T.getLength()}, File))
        Unknown.push_back(T.getLocation());
      AsksForFile =
          Word == "__has_include" || (AsksForFile && T.is(tok::l_paren));
    } else if (In == Inclusion || In == Computed) {
      if (!Word.empty())
        Included.push_back({Word.str(), T.getLocation(), In == Inclusion});
      // Others spell their names.
      In = In == Computed || !Word.empty() ? Computed : None;
    }
  });
}

/// The file of this name is there: it is read, wherever it is included.
bool OtherBuilds::mayBeFound(llvm::StringRef Quoted, FileID Asking) const {
  return findIncluded(Quoted.trim('"'), /*IsAngled=*/false,
                      SM.getFileEntryRefForID(Asking), PP)
      .has_value();
}

bool OtherBuilds::asksFor(llvm::StringRef Macro) {
  readDirectives();
  return Asked->contains(Macro);
}

bool OtherBuilds::mayBreakRuntime(SourceLocation Include) {
  return llvm::any_of(namesOfRuntime(), [&](const auto &Name) {
    return mayBeDefinedBefore(Name.first(), Name.second, Include);
  });
}

bool OtherBuilds::mayBeDefinedBefore(llvm::StringRef Name, bool IsCalled,
                                     SourceLocation Place) {
  llvm::SmallVector<SourceLocation, 2> LeftOutHere, All;
  if (const auto It = leftOutMacros().find(Name); It != leftOutMacros().end())
    LeftOutHere.assign(It->second.Names.begin(), It->second.Names.end());
  All = LeftOutHere;
  const IdentifierInfo *Info = knownIdentifier(Name, PP.getIdentifierTable());
  if (Info && Info->hadMacroDefinition())
    forEachDefinition(*Info, PP, [&](const MacroInfo &Macro) {
      All.push_back(Macro.getDefinitionLoc());
    });
  // With parameters it is a macro before parentheses only.
  const auto HasParameters = [&](SourceLocation Where) {
    return Where.isValid() && *SM.getCharacterData(Where.getLocWithOffset(
                                  static_cast<int>(Name.size()))) == '(';
  };
  if (!IsCalled && !All.empty() && llvm::all_of(All, HasParameters))
    return false;
  return asksFor(Name) || (Place.isValid() &&
                           llvm::any_of(LeftOutHere, [&](SourceLocation Where) {
                             return SM.isBeforeInTranslationUnit(Where, Place);
                           }));
}

/// Where \p Edits include the runtime's header; invalid: nowhere.
SourceLocation OtherBuilds::placeOfRuntime(llvm::ArrayRef<Edit> Edits) const {
  SourceLocation Place;
  for (const Edit &E : Edits)
    if (llvm::StringRef(E.Text).starts_with("#include") &&
        llvm::StringRef(E.Text).contains("gpu_sync.cuh"))
      Source.forEachUserFile([&](FileID File) {
        const SourceLocation Begin = SM.getLocForStartOfFile(File);
        if (placeOf(Begin, SM).File == E.File)
          Place = Begin.getLocWithOffset(static_cast<int>(E.Offset));
      });
  return Place;
}

bool OtherBuilds::meetsMacros(llvm::ArrayRef<Edit> Edits) {
  const SourceLocation Include = placeOfRuntime(Edits);
  if (Include.isValid() &&
      (mayBreakRuntime(Include) || mayIncludeElseBefore(Include)))
    return true;
  return grid_barrier::meetsMacros(Edits, PP, [&](llvm::StringRef Word) {
    return leftOutMacros().contains(Word) ||
           (Word == "barricade" && mayHideRuntime(Source));
  });
}

SourceLocation OtherBuilds::findJoined(llvm::ArrayRef<Edit> Edits) {
  SourceLocation Found;
  Source.forEachUserFile([&](FileID File) {
    const SourceLocation Start = SM.getLocForStartOfFile(File);
    const std::string Name = placeOf(Start, SM).File;
    const auto IsHere = [&](const Edit &E) { return E.File == Name; };
    if (Found.isValid() || llvm::none_of(Edits, IsHere))
      return;
    auto [It, New] = OpenEnds.try_emplace(File);
    if (New)
      It->second = openEndsIn(File, Context);
    for (const OpenEnd &Each : It->second)
      if (llvm::any_of(Edits, [&](const Edit &E) {
            return IsHere(E) && Each.contains(E.Offset);
          }))
        Found = Start.getLocWithOffset(int(Each.Code));
  });
  return Found;
}

bool OtherBuilds::refuseText(const Blocker &IsMacro, const Blocker &IsJoined,
                             Finding &F) {
  const bool MeetsMacros = meetsMacros(F.Edits);
  if (MeetsMacros)
    addReason(IsMacro, SM, F);
  const SourceLocation Where = findJoined(F.Edits);
  if (Where.isInvalid())
    return MeetsMacros;
  addReason(IsJoined, SM, F);
  F.Reasons.back().Notes.push_back(
      {placeOf(Where, SM), "there, this goes on with what would be written"});
  return true;
}

/// The same, or the last token of what stands before \p S in the statement that
/// it is a part of. Invalid: it is not known.
static SourceLocation lastBefore(const Stmt &S, ASTContext &Context) {
  const Stmt *Parent = parentOf(S, Context);
  if (!Parent)
    return {};
  if (const auto *Block = dyn_cast<CompoundStmt>(Parent))
    return barricade::lastBefore(S, *Block);
  if (isa<AttributedStmt>(Parent))
    return lastBefore(*Parent, Context);
  if (const auto *If = dyn_cast<IfStmt>(Parent))
    return &S == If->getElse() ? If->getElseLoc() : If->getRParenLoc();
  if (const auto *For = dyn_cast<ForStmt>(Parent))
    return For->getRParenLoc();
  if (const auto *For = dyn_cast<CXXForRangeStmt>(Parent))
    return For->getRParenLoc();
  if (const auto *While = dyn_cast<WhileStmt>(Parent))
    return While->getRParenLoc();
  if (const auto *Do = dyn_cast<DoStmt>(Parent))
    return Do->getDoLoc();
  if (const auto *Case = dyn_cast<SwitchCase>(Parent))
    return Case->getColonLoc();
  const auto *Label = dyn_cast<LabelStmt>(Parent);
  return Label ? Label->getIdentLoc() : SourceLocation();
}

bool OtherBuilds::mayBelongTo(const Stmt &S) {
  const SourceLocation Begin = SM.getExpansionLoc(S.getBeginLoc());
  const SourceLocation Last = lastBefore(S, Context);
  if (Last.isInvalid())
    return true;
  const SourceLocation Before =
      Source.afterToken(SM.getExpansionRange(Last).getEnd());
  if (!SM.isWrittenInSameFile(Before, Begin))
    return true;
  std::string Words;
  bool InDirective = false;
  Source.forEachToken(Before, Begin, [&](const Token &T) {
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash);
    if (!InDirective && !Source.hasOtherCondition(T.getLocation(), Begin))
      Words += T.is(tok::raw_identifier) ? T.getRawIdentifier().str() + " "
               : T.is(tok::l_paren)      ? "("
                                         : "";
  });
  return mayExpandOtherwise(Words, {/*IsShared=*/false, /*ChoosesCode=*/false});
}

bool OtherBuilds::mayJumpPast(const Stmt &S,
                              const FunctionDecl &Function) const {
  return barricade::mayJumpPast(S, Function, Context);
}

bool OtherBuilds::mayCallElse(const Stmt &S) {
  return holds(&S, [&](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    if (mayBeOfOtherClass(Part, Context) || mayHaveRival(Part) ||
        (Ref && mayBeQualifiedElse(*Ref)))
      return true;
    const FunctionDecl *Callee = nullptr;
    if (const auto *Call = dyn_cast<CallExpr>(&Part);
        Call && !isa<CUDAKernelCallExpr>(Call))
      Callee = Call->getDirectCallee();
    else if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Part))
      Callee = Construct->getConstructor();
    return Callee && !Callee->isImplicit() && !isOfLibrary(*Callee, SM) &&
           (mayBeElse(*Callee, Part) || mayBeOtherInstance(Part, *Callee) ||
            mayBeFoundElse(Part, *Callee));
  });
}

/// The name by which \p Call calls; null: it is a member's, or there is none.
static const DeclRefExpr *calleeNamedBy(const CallExpr &Call) {
  return dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
}

/// Template arguments that may differ choose the code of \p Callee.
bool OtherBuilds::mayBeOtherInstance(const Stmt &Call,
                                     const FunctionDecl &Callee) const {
  const auto *E = dyn_cast<CallExpr>(&Call);
  const DeclRefExpr *Ref = E ? calleeNamedBy(*E) : nullptr;
  const FunctionDecl &Spelled = spelledFunction(Callee);
  if (!Ref || !Callee.getPrimaryTemplate() || !choosesCode(Spelled))
    return false;
  const auto IsDeducedElse = [&](const auto &Each) {
    const auto &[Parameter, Argument] = Each;
    return Parameter->getType()->isDependentType() &&
           typeMayDiffer(*Argument, Context);
  };
  return llvm::any_of(llvm::seq(Ref->getNumTemplateArgs()),
                      [&](unsigned I) {
                        return templateArgumentMayDiffer(*Ref, I, *E, Context);
                      }) ||
         llvm::any_of(llvm::zip(Spelled.parameters(), E->arguments()),
                      IsDeducedElse);
}

/// Another function by the name of \p Callee takes another number in the place
/// of the argument \p I, or whatever that is.
static bool hasOtherForNumber(const FunctionDecl &Callee, unsigned I) {
  const auto TypeAt = [&](const FunctionDecl &F) {
    return F.getParamDecl(I)->getType().getNonReferenceType();
  };
  return llvm::any_of(
      Callee.getDeclContext()->getRedeclContext()->lookup(Callee.getDeclName()),
      [&](const NamedDecl *Each) {
        const FunctionDecl *Other = Each->getUnderlyingDecl()->getAsFunction();
        if (!Other || Other->getNumParams() <= I || Callee.getNumParams() <= I)
          return false;
        const QualType Its = TypeAt(*Other);
        return Its->isDependentType() ||
               (Its->isArithmeticType() &&
                !Callee.getASTContext().hasSameUnqualifiedType(Its,
                                                               TypeAt(Callee)));
      });
}

/// A number among the arguments of \p Call, one of whose functions is chosen,
/// may be of another type.
static bool isChosenByNumber(const CallExpr &Call, const FunctionDecl &Callee,
                             const ASTContext &Context) {
  return llvm::any_of(llvm::seq(Call.getNumArgs()), [&](unsigned I) {
    const Expr &Argument = *Call.getArg(I)->IgnoreParenImpCasts();
    return Argument.getType()->isArithmeticType() &&
           hasOtherForNumber(Callee, I) && typeMayDiffer(Argument, Context);
  });
}

/// All declarations of \p Function stand under conditions that \p User's place
/// is not under: where another one suits as well, another build takes that.
static bool mayBeMissing(const FunctionDecl &Function, SourceLocation User,
                         const SourceText &Source, const SourceManager &SM) {
  const SourceLocation Where = SM.getExpansionLoc(User);
  return llvm::all_of(Function.redecls(), [&](const FunctionDecl *Each) {
    return Source.mayBeMissing(SM.getExpansionLoc(Each->getLocation()), Where);
  });
}

bool OtherBuilds::mayBeFoundElse(const Stmt &Call,
                                 const FunctionDecl &Callee) const {
  const auto *E = dyn_cast<CallExpr>(&Call);
  if (!E)
    return false;
  const DeclRefExpr *Ref = calleeNamedBy(*E);
  const SourceLocation User = E->getBeginLoc();
  const FunctionDecl &Spelled = spelledFunction(Callee);
  const bool IsOneOfMore = Ref && Ref->hadMultipleCandidates();
  if ((isa<CXXMethodDecl>(Callee) || Callee.isTemplateInstantiation() ||
       IsOneOfMore) &&
      typesMayDiffer(*E, Context))
    return true;
  if (IsOneOfMore && (isChosenByNumber(*E, Callee, Context) ||
                      mayBeMissing(Spelled, User, Source, SM)))
    return true;
  return Ref && !Ref->hasQualifier() &&
         (IsOneOfMore || isOneOfSeveral(Spelled)) &&
         mayNominateLess(Spelled, User, Context);
}

/// The declaration that begins at \p Begin is of a function that another unit
/// may replace, in another build: `__attribute__((weak))` under a condition.
static bool mayBeWeak(SourceLocation Begin, const SourceText &Source,
                      const SourceManager &SM) {
  const FileID File = SM.getFileID(Begin);
  if (!Source.holdsUnderCondition(File, "weak"))
    return false;
  bool InDirective = false, IsWeak = false, IsHere = false, Found = false;
  Source.forEachTokenOf(File, [&](const Token &T) {
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash);
    if (InDirective)
      return;
    IsHere |= T.getLocation() == Begin;
    IsWeak |= T.is(tok::raw_identifier) &&
              llvm::is_contained({"weak", "__weak__"}, T.getRawIdentifier()) &&
              Source.hasOtherCondition(T.getLocation(), Begin);
    Found |= IsHere && IsWeak;
    if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      IsWeak = IsHere = false;
  });
  return Found;
}

/// Up to the semicolon of a declaration that is no definition.
bool OtherBuilds::mayBeDeclaredElse(const FunctionDecl &Function) {
  const SourceLocation Begin = SM.getExpansionLoc(beginOf(Function));
  const SourceLocation End =
      SM.getExpansionRange(Function.getEndLoc()).getEnd();
  const llvm::StringRef Rest =
      SM.getBufferData(SM.getFileID(End)).substr(SM.getFileOffset(End));
  const SourceLocation Semicolon =
      End.getLocWithOffset(int(std::min(Rest.find(';'), Rest.size())));
  return SM.isWrittenInSameFile(Begin, End) &&
         (Source.holdsDirective(Begin, Semicolon) ||
          mayRespell(Begin, Semicolon));
}

bool OtherBuilds::mayBeSpecifiedElse(const FunctionDecl &Function) {
  return llvm::any_of(Function.redecls(), [&](const FunctionDecl *Each) {
    const SourceLocation Begin = SM.getExpansionLoc(beginOf(*Each));
    const SourceLocation First = Source.beforeAttributes(*Each, Begin);
    return mayBeWeak(Begin, Source, SM) || isBehindOpenEnd(First, Context) ||
           (First != Begin && mayRespell(First, Begin)) ||
           (!Each->isThisDeclarationADefinition() && mayBeDeclaredElse(*Each));
  });
}

/// \p Call gives each parameter of \p Callee, a global function, exactly the
/// enumeration of the system's headers that it has: no number of any build.
static bool suitsExactly(const FunctionDecl &Callee, const Stmt &Call,
                         const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const auto *E = dyn_cast<CallExpr>(&Call);
  const auto IsOfSystem = [&](QualType Type) {
    const auto *Enum = Type->getAs<EnumType>();
    return Enum && SM.isInSystemHeader(Enum->getDecl()->getLocation());
  };
  return E && !isa<CXXMethodDecl>(Callee) && !Callee.getPrimaryTemplate() &&
         Callee.getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         E->getNumArgs() == Callee.getNumParams() &&
         llvm::all_of(
             llvm::zip(Callee.parameters(), E->arguments()),
             [&](const auto &Each) {
               const QualType Type = std::get<0>(Each)->getType();
               const Expr &Given = *std::get<1>(Each)->IgnoreParenImpCasts();
               return IsOfSystem(Type) && !isa<CXXDefaultArgExpr>(Given) &&
                      Context.hasSameUnqualifiedType(Type, Given.getType());
             }) &&
         !typesMayDiffer(*E, Context);
}

/// A word before a declared name that says nothing of how it is linked.
static bool isOfPlainHead(llvm::StringRef Word) {
  static constexpr llvm::StringLiteral Words[] = {"static", "inline", "const",
                                                  "char"};
  return llvm::is_contained(Words, Word);
}

/// Some macro of the user's files may open a scope, or close one.
bool OtherBuilds::macrosMayScope() {
  if (!MacrosMayScope) {
    bool Found = false;
    Source.forEachUserFile([&](FileID File) {
      Source.forEachDefinition(File, [&](llvm::ArrayRef<Token> Definition) {
        int Depth = 0;
        for (const Token &T : Definition) {
          Depth += T.is(tok::l_brace);
          Depth -= T.is(tok::r_brace);
          Found |=
              T.is(tok::raw_identifier) && T.getRawIdentifier() == "namespace";
        }
        Found |= Depth != 0;
      });
    });
    MacrosMayScope = Found;
  }
  return *MacrosMayScope;
}

/// What is declared at \p Where, beside \p D in its file, is in each build in
/// no namespace or class that \p D is not in, and no declaration of \p D's own
/// that says more of it.
bool OtherBuilds::isBeside(SourceLocation Where, const FunctionDecl &D) {
  const SourceLocation Own = SM.getExpansionLoc(D.getLocation());
  if (!SM.isWrittenInSameFile(Where, Own) || macrosMayScope())
    return false;
  const FileID File = SM.getFileID(Where);
  int Depth = 0;
  bool InDirective = false, IsPlain = true; // What stands before a name.
  bool IsFound = false, IsOwnGlobal = false, IsBalanced = true;
  const auto Read = [&](const Token &T) {
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash);
    if (InDirective)
      return;
    Depth += T.is(tok::l_brace);
    Depth -= T.is(tok::r_brace);
    IsBalanced &= Depth >= 0;
    IsOwnGlobal |= T.getLocation() == Own && Depth == 0;
    IsFound |= T.getLocation() == Where && Depth == 0 && IsPlain;
    if (T.isOneOf(tok::semi, tok::r_brace))
      IsPlain = true;
    else if (T.isNot(tok::star))
      IsPlain &=
          T.is(tok::raw_identifier) && isOfPlainHead(T.getRawIdentifier());
  };
  Source.forEachToken(SM.getLocForStartOfFile(File),
                      SM.getLocForEndOfFile(File), Read);
  return IsFound && IsOwnGlobal && IsBalanced && Depth == 0;
}

bool OtherBuilds::mayBeElse(const FunctionDecl &Callee, const Stmt &Call) {
  const SourceLocation User = Call.getBeginLoc();
  const FunctionDecl &Spelled = spelledFunction(Callee);
  const bool IsBest = suitsExactly(Callee, Call, Context);
  const auto IsNoBetter = [&](SourceLocation Where) {
    return IsBest && isBeside(Where, Spelled);
  };
  if (isOneOfSeveral(Spelled) && mayBeMissing(Spelled, User, Source, SM))
    return true;
  if (mayBeSpecifiedElse(Spelled) || mayReplace(Spelled, User) ||
      mayAdd(Spelled, User, /*IsQualified=*/false, IsNoBetter) ||
      maySpecialiseElse(Callee, User, Context))
    return true;
  const FunctionDecl *Defined = Callee.getDefinition();
  if (!Defined)
    return false;
  // Its class, or a declaration, may stand elsewhere.
  const FunctionDecl &Body = spelledFunction(*Defined);
  const auto IsMissing = [&](const FunctionDecl &Each) {
    return Source.mayBeMissing(SM.getExpansionLoc(Each.getLocation()),
                               SM.getExpansionLoc(User));
  };
  if (mayReplace(Body, User) ||
      (IsMissing(Body) &&
       llvm::any_of(Spelled.redecls(), [&](const FunctionDecl *Each) {
         return !IsMissing(*Each);
       })))
    return true;
  const auto [It, New] = Bodies.try_emplace(Defined, false);
  if (!New)
    return It->second;
  const bool Result = mayRespell(Body, /*IsShared=*/false, choosesCode(Body)) ||
                      llvm::any_of(codeOf(*Defined), [&](const Stmt *Part) {
                        return mayCallElse(*Part) || mayChooseElse(*Part);
                      });
  return Bodies[Defined] = Result;
}

bool OtherBuilds::mayChooseElse(const Stmt &S) const {
  return holds(&S, [&](const Stmt &Part) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    const auto *If = dyn_cast<IfStmt>(&Part);
    return (Ref && !facts::isLibraryCode(*Ref->getDecl()) &&
            maySpecialiseElse(*Ref->getDecl(), Ref->getBeginLoc(), Context)) ||
           (If && If->isConstexpr() &&
            valueMayDiffer(*If->getCond(), If->getBeginLoc(), Context,
                           /*FixedArguments=*/true));
  });
}

bool OtherBuilds::mayDoElse(const FunctionDecl &Function) {
  const FunctionDecl &Spelled = spelledFunction(Function);
  return mayRespell(Spelled, /*IsShared=*/false, /*ChoosesCode=*/true) ||
         codeHolds(Function, [&](const Stmt &S) { return namesElse(S); }) ||
         llvm::any_of(codeOf(Function),
                      [&](const Stmt *Part) { return mayCallElse(*Part); });
}

/// What \p D is a member of, as templates if they are, outermost last.
static llvm::SmallVector<const NamedDecl *, 2> classesAround(const Decl &D) {
  llvm::SmallVector<const NamedDecl *, 2> Result;
  for (const DeclContext *C = D.getDeclContext(); C->isRecord();
       C = C->getParent()) {
    const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(C);
    Result.push_back(Instance ? Instance->getSpecializedTemplate()
                              : cast<NamedDecl>(Decl::castFromDeclContext(C)));
  }
  return Result;
}

bool OtherBuilds::namesElse(const Stmt &S) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&S);
  const ValueDecl *D = Ref ? Ref->getDecl() : nullptr;
  if (!D || D->getDeclContext()->isFunctionOrMethod() ||
      facts::isLibraryCode(*D))
    return false;
  const SourceLocation Where = Ref->getBeginLoc();
  return mayReplace(*D, Where) || mayAdd(*D, Where, Ref->hasQualifier()) ||
         llvm::any_of(classesAround(*D), [&](const NamedDecl *Class) {
           return mayReplace(*Class, Where) || mayAdd(*Class, Where);
         });
}

bool OtherBuilds::mayMeanElse(const Expr &E) {
  const auto IsConstantOfElse = [&](const Stmt &S) {
    const VarDecl *Var = variableNamedBy(S);
    const bool IsKnown = Var && Var->getType().isConstQualified() &&
                         !facts::isLibraryCode(*Var) && Var->hasInit() &&
                         Var->getAnyInitializer() != &E;
    return IsKnown && mayMeanElse(*Var->getAnyInitializer());
  };
  const auto IsOfElse = [&](const Stmt &S) {
    const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(&S);
    const auto *Tag =
        Trait ? Trait->getTypeOfArgument()->getAsTagDecl() : nullptr;
    return Tag && !facts::isLibraryCode(*Tag) &&
           (mayReplace(*Tag, S.getBeginLoc()) ||
            mayAdd(*Tag, S.getBeginLoc()) ||
            mayRespell(*Tag, /*IsShared=*/false, /*ChoosesCode=*/true));
  };
  return mayCallElse(E) || mayNameElse(E) || holds(&E, [&](const Stmt &S) {
           return namesElse(S) || IsConstantOfElse(S) || IsOfElse(S);
         });
}

bool OtherBuilds::maySeparate(const Expr *A, const Expr *B) {
  return A && B && !host::sameExpression(A, B, Context) &&
         (mayMeanElse(*A) || mayMeanElse(*B));
}

bool OtherBuilds::mayRespellName(const FunctionDecl &Function,
                                 SourceLocation Begin, SourceLocation End) {
  return mayExpandOtherwise(
      Source.text(SM.getExpansionLoc(Begin), SM.getExpansionLoc(End)),
      {/*IsShared=*/false, choosesCode(Function) || isSpecialised(Function)});
}

bool OtherBuilds::mayBeSet(const IncludedWord &Each) {
  const IdentifierInfo *Info =
      knownIdentifier(Each.Word, PP.getIdentifierTable());
  llvm::StringSet<> Seen;
  return (Each.IsFirst && !(Info && Info->hadMacroDefinition())) ||
         mayBeSet(Each.Word, Each.Where, Seen);
}

/// \p Macro, or one that it is made from, may be another one: by the command
/// line, or by a branch.
bool OtherBuilds::mayBeSet(llvm::StringRef Macro, SourceLocation Before,
                           llvm::StringSet<> &Seen) {
  if (!Seen.insert(Macro).second)
    return false;
  const IdentifierInfo *Info = knownIdentifier(Macro, PP.getIdentifierTable());
  if (asksFor(Macro) || leftOutMacros().contains(Macro))
    return true;
  if (!Info || !Info->hadMacroDefinition())
    return false;
  bool Found = !hasOneMeaning(Macro, Before);
  forEachDefinition(*Info, PP, [&](const MacroInfo &Each) {
    const SourceLocation Where = Each.getDefinitionLoc();
    if (SM.isWrittenInBuiltinFile(Where) || SM.isInSystemHeader(Where))
      return;
    Found = Found || Source.isInOtherBranch(Where, {}, /*IsMacro=*/true) ||
            llvm::any_of(Each.tokens(), [&](const Token &T) {
              const CodeToken Part = CodeToken::of(T);
              return Part.isWord() && mayBeSet(Part.Text, Before, Seen);
            });
  });
  return Found;
}

llvm::ArrayRef<SourceLocation> OtherBuilds::otherIncludes() {
  readDirectives();
  if (!OtherIncludes) {
    OtherIncludes.emplace(Unknown);
    for (const IncludedWord &Each : Included)
      if (mayBeSet(Each))
        OtherIncludes->push_back(Each.Where);
  }
  return *OtherIncludes;
}

bool OtherBuilds::mayIncludeElseBefore(SourceLocation Place) {
  return llvm::any_of(otherIncludes(), [&](SourceLocation Where) {
    return SM.isBeforeInTranslationUnit(Where, Place);
  });
}

bool OtherBuilds::mayExpandOtherwise(
    llvm::StringRef Text, Use Of,
    llvm::function_ref<bool(llvm::StringRef)> IsHarmless) {
  bool Found = mayIncludeElse();
  grid_barrier::forEachWord(Text, [&](llvm::StringRef Word) {
    const IdentifierInfo *Name = knownIdentifier(Word, PP.getIdentifierTable());
    const llvm::StringRef Behind = Text.substr(Word.end() - Text.begin());
    Of.IsCalled = Behind.ltrim().starts_with("(");
    Found = Found || mayBeDefined(Word, Of) ||
            (Name && Name->hadMacroDefinition() &&
             ((mayMeanElse(*Name, Of) && !(IsHarmless && IsHarmless(Word))) ||
              mayRunDropped(Word, Behind, *this, Context, PP)));
  });
  return Found;
}

bool OtherBuilds::mayMeanElse(const IdentifierInfo &Name, Use Of) {
  const auto [It, New] = Known.try_emplace({&Name, Of}, false);
  if (!New)
    return It->second;
  bool Result = false, IsNumber = true;
  forEachDefinition(Name, PP, [&](const MacroInfo &Each) {
    Result |= !Result && mayMeanElse(Each, Of);
    IsNumber &= isNumber(Each);
  });
  // Numbers are undefined to be other numbers.
  return Known[{&Name, Of}] =
             Result || (!IsNumber && mayUndefine(Name.getName()));
}

bool OtherBuilds::mayMeanElse(const MacroInfo &Macro, Use Of) {
  const SourceLocation Where = Macro.getDefinitionLoc();
  if (Macro.isBuiltinMacro() || (isNumber(Macro) && !Of.ChoosesCode) ||
      SM.isWrittenInBuiltinFile(Where) || SM.isInSystemHeader(Where) ||
      Source.isOwn(SM.getFileID(Where)))
    return false;
  if (Source.isInOtherBranch(Where, {}))
    return true;
  // Another unit may set it before it includes the header, or by itself, and
  // where it may be set before, a command line may.
  return (Of.IsShared && SM.isInMainFile(Where)) ||
         ((Of.IsShared || isHelper(Macro) || isNumber(Macro) ||
           (Of.IsCalled && !spellsType(Macro))) &&
          !Source.conditionsAround(Where).empty()) ||
         maySpellElse(Macro, Of);
}

/// What \p Macro ends with names a type.
bool OtherBuilds::spellsType(const MacroInfo &Macro) const {
  const Token &Last = Macro.tokens().back();
  const IdentifierInfo *Name =
      Last.isLiteral() ? nullptr : Last.getIdentifierInfo();
  return Name &&
         (Name->isKeyword(Context.getLangOpts()) ||
          llvm::any_of(Context.getTranslationUnitDecl()->lookup(Name),
                       [](const NamedDecl *D) { return isa<TypeDecl>(D); }));
}

/// A macro that \p Macro spells may mean something else.
bool OtherBuilds::maySpellElse(const MacroInfo &Macro, Use Of) {
  const llvm::ArrayRef<Token> Tokens = Macro.tokens();
  return llvm::any_of(llvm::enumerate(Tokens), [&](const auto &Each) {
    const auto &[I, T] = Each;
    const IdentifierInfo *Name =
        T.isLiteral() ? nullptr : T.getIdentifierInfo();
    Use Its = Of;
    if (I + 1 < Tokens.size())
      Its.IsCalled = Tokens[I + 1].is(tok::l_paren);
    return Name && Name->hadMacroDefinition() && mayMeanElse(*Name, Its);
  });
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/NamedElse.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/Statements.h"
#include "matchers/source/WrittenMacros.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

using namespace clang;

namespace barricade {
namespace {

/// A macro by all of its definitions in the user's files.
struct MacroWords {
  llvm::StringSet<> Words; ///< But for those of its parameters.
  unsigned Definitions = 0;
  bool IsUnderCondition = false;
  bool Pastes = false; ///< What it puts together may be any name.

  bool isDefined() const { return Definitions > 0; }
  /// Another build may have another one, or none, or one that asserts.
  bool varies() const {
    return Definitions > 1 || IsUnderCondition || Words.contains("assert");
  }
  bool jumps() const {
    constexpr llvm::StringLiteral Jumps[] = {
        "return", "goto", "break", "continue", "throw", "exit", "abort"};
    return llvm::any_of(
        Jumps, [&](llvm::StringRef Jump) { return Words.contains(Jump); });
  }
};

/// What stands in a function where its tree names nothing.
struct UnseenNames {
  std::multimap<std::string, SourceLocation> Words;
  /// Of these, what is an operand of arithmetic, or all of a macro's argument,
  /// which is not taken to be changed.
  std::set<SourceLocation> Operands;
  /// In statements with a macro that may be something else, or behind one that
  /// may end the function: what is done with these may be something else.
  std::set<std::string> Beside;
  std::vector<SourceLocation> Anything;   ///< Any name may stand there.
  std::vector<SourceLocation> Inclusions; ///< Of files, maybe.
};

struct KnownNames {
  llvm::StringMap<MacroWords> Macros;
  std::map<const FunctionDecl *, UnseenNames> Of;
};

/// Tells statements apart by their tokens.
class StatementReader {
public:
  explicit StatementReader(std::set<std::string> &Beside) : Beside(Beside) {}

  void read(const Token &T) {
    Depth += T.is(tok::l_paren);
    Depth -= T.is(tok::r_paren) && Depth > 0;
    if (T.is(tok::raw_identifier))
      Words.push_back(T.getRawIdentifier().str());
    if (Depth > 0 || !T.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      return;
    if (HoldsMacro || IsBehindJump)
      Beside.insert(Words.begin(), Words.end());
    Words.clear();
    HoldsMacro = false;
  }

  void noteMacro(bool Varies, bool Jumps) {
    HoldsMacro |= Varies;
    IsBehindJump |= Varies && Jumps;
  }

private:
  std::set<std::string> &Beside;
  std::vector<std::string> Words;
  unsigned Depth = 0; ///< Of parentheses.
  bool HoldsMacro = false, IsBehindJump = false;
};

/// Finds names that are operands of arithmetic, or all of a macro's argument.
class OperandReader {
public:
  explicit OperandReader(std::set<SourceLocation> &Operands)
      : Operands(Operands) {}

  void read(const Token &T, bool IsMacro) {
    const bool IsWord = T.is(tok::raw_identifier);
    if (Last.isValid() && (goesBehindOperand(T.getKind()) ||
                           (IsArgument && T.isOneOf(tok::comma, tok::r_paren))))
      Operands.insert(Last);
    Last = IsWord && BeginsOperand ? T.getLocation() : SourceLocation();
    BeginsOperand =
        goesBeforeOperand(T.getKind(), IsWord ? T.getRawIdentifier() : "");
    IsArgument = BeginsArgument && IsWord;
    if (T.is(tok::l_paren))
      OfMacro.push_back(FollowsMacro);
    else if (T.is(tok::r_paren) && !OfMacro.empty())
      OfMacro.pop_back();
    BeginsArgument = T.isOneOf(tok::l_paren, tok::comma) && !OfMacro.empty() &&
                     OfMacro.back();
    FollowsMacro = IsMacro;
  }

private:
  std::set<SourceLocation> &Operands;
  SourceLocation Last; ///< The word right before, where an operand may stand.
  llvm::SmallVector<bool, 8> OfMacro; ///< Parentheses that are open.
  bool BeginsOperand = false;
  bool FollowsMacro = false, BeginsArgument = false, IsArgument = false;
};

class Reader {
public:
  explicit Reader(const ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()), Source(Context),
        Known(*onePerContext<KnownNames>(Context)) {}

  const UnseenNames &unseenIn(const FunctionDecl &Function) {
    const auto [It, New] = Known.Of.try_emplace(&Function);
    if (New)
      readFunction(Function, It->second);
    return It->second;
  }

  /// A file of the user's, other than that of \p Where, has the word \p Name.
  bool holdElsewhere(llvm::StringRef Name, SourceLocation Where) const {
    bool Found = false;
    Source.forEachUserFile([&](FileID File) {
      Found |= File != SM.getFileID(Where) && Source.holdsWord(File, Name);
    });
    return Found;
  }

private:
  void readFunction(const FunctionDecl &Function, UnseenNames &Into) {
    const SourceLocation Begin = SM.getFileLoc(Function.getBeginLoc());
    const SourceLocation End = SM.getFileLoc(Function.getEndLoc());
    const SeenNames Seen = seenIn(Function);
    StatementReader Statements(Into.Beside);
    OperandReader Operands(Into.Operands);
    Source.forEachToken(Begin, End, [&](const Token &T) {
      const bool IsWord = T.is(tok::raw_identifier);
      Statements.read(T);
      Operands.read(T, IsWord && macro(T.getRawIdentifier()).isDefined());
      if (!IsWord)
        return;
      const std::string Word = T.getRawIdentifier().str();
      if (llvm::StringRef(Word).contains('\\')) // gr\u00f6\u00dfe
        Into.Anything.push_back(T.getLocation());
      if (!Seen.contains({T.getLocation(), Word}))
        Into.Words.emplace(Word, T.getLocation());
      Expansion Its = {T.getLocation(), Seen};
      addMacro(Word, /*Varies=*/false, Its, Into);
      Statements.noteMacro(Its.Varies, Its.Jumps);
    });
    Source.forEachDirective(
        Begin, End, [&](SourceLocation Where, llvm::StringRef Name) {
          if (Name == "include" || Name == "include_next" || Name == "import")
            Into.Inclusions.push_back(Where);
        });
  }

  /// What the tree of \p Function names, or declares, and where: in a macro,
  /// where that is named.
  using SeenNames = std::set<std::pair<SourceLocation, std::string>>;
  SeenNames seenIn(const FunctionDecl &Function) const {
    SeenNames Seen;
    const auto Add = [&](SourceLocation Where, std::string Name) {
      Seen.emplace(SM.getFileLoc(Where), std::move(Name));
    };
    for (const ParmVarDecl *Parameter : Function.parameters())
      Add(Parameter->getLocation(), Parameter->getNameAsString());
    (void)codeHolds(Function, [&](const Stmt &S) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
        Add(Ref->getLocation(), Ref->getDecl()->getNameAsString());
      else if (const auto *Member = dyn_cast<MemberExpr>(&S))
        Add(Member->getMemberLoc(), Member->getMemberDecl()->getNameAsString());
      else if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
        for (const Decl *D : Declaration->decls()) {
          if (const auto *Named = dyn_cast<NamedDecl>(D))
            Add(D->getLocation(), Named->getNameAsString());
        }
      else if (const auto *Try = dyn_cast<CXXTryStmt>(&S))
        Add(Try->getTryLoc(), "try");
      return false;
    });
    return Seen;
  }

  /// Of a macro that is named in a function.
  struct Expansion {
    SourceLocation Where;
    const SeenNames &Seen;
    llvm::StringSet<> Followed = {};
    /// It, or a macro that it names, may be something else in another build.
    bool Varies = false;
    bool Jumps = false; ///< What they stand for may leave a function or a loop.
  };

  /// What the macro \p Name, if it is one, may stand for in another build, or
  /// stands for and is dropped. \p Varies: one that stands for it does.
  void addMacro(llvm::StringRef Name, bool Varies, Expansion &Its,
                UnseenNames &Into) {
    const MacroWords &Macro = macro(Name);
    if (!Macro.isDefined() || !Its.Followed.insert(Name).second)
      return;
    Varies |= Macro.varies();
    Its.Varies |= Varies;
    Its.Jumps |= Macro.jumps();
    const auto First = Its.Seen.lower_bound({Its.Where, ""});
    const bool IsSeen = First != Its.Seen.end() && First->first == Its.Where;
    if (Macro.Pastes && (Varies || !IsSeen))
      Into.Anything.push_back(Its.Where);
    for (const auto &Word : Macro.Words) {
      const std::string Text = Word.getKey().str();
      if (Varies || !Its.Seen.contains({Its.Where, Text}))
        Into.Words.emplace(Text, Its.Where);
      addMacro(Text, Varies, Its, Into);
    }
  }

  const MacroWords &macro(llvm::StringRef Name) {
    const auto [It, New] = Known.Macros.try_emplace(Name);
    MacroWords &Macro = It->second;
    if (New)
      forEachWritten(Name, Context, [&](const WrittenMacro &Each) {
        const FileID File = SM.getFileID(Each.Where);
        ++Macro.Definitions;
        Macro.IsUnderCondition |=
            Source.mayBeMissing(SM.getLocForStartOfFile(File),
                                SourceLocation()) ||
            Source.standsInBranch(Each.Where);
        Macro.Pastes |= Each.Pastes;
        for (const llvm::StringRef Word : Each.Words)
          Macro.Words.insert(Word);
      });
    return Macro;
  }

  const ASTContext &Context;
  const SourceManager &SM;
  const SourceConditions Source;
  KnownNames &Known;
};

} // namespace

/// \p Word may stand so between two places. \p MayBePasted: be it put together.
/// \p Changed: where it may be given a value.
static bool isWrittenBetween(llvm::StringRef Word, bool MayBePasted,
                             const FunctionDecl &Function, SourceLocation Begin,
                             SourceLocation End, bool Changed = false) {
  const ASTContext &Context = Function.getASTContext();
  const SourceManager &SM = Context.getSourceManager();
  Reader Names(Context);
  const UnseenNames &Unseen = Names.unseenIn(Function);
  const SourceLocation First = SM.getFileLoc(Begin), Last = SM.getFileLoc(End);
  const auto IsBetween = [&](SourceLocation Where) {
    return !SM.isBeforeInTranslationUnit(Where, First) &&
           !SM.isBeforeInTranslationUnit(Last, Where);
  };
  const auto [From, To] = Unseen.Words.equal_range(Word.str());
  return std::any_of(From, To,
                     [&](const auto &Each) {
                       return IsBetween(Each.second) &&
                              !(Changed && !operatorsMayChange(Context) &&
                                Unseen.Operands.contains(Each.second));
                     }) ||
         (MayBePasted && llvm::any_of(Unseen.Anything, IsBetween)) ||
         llvm::any_of(Unseen.Inclusions, [&](SourceLocation Where) {
           return IsBetween(Where) && Names.holdElsewhere(Word, Where);
         });
}

namespace {

/// Reads the parameters of operators in a file.
class OperatorReader {
public:
  explicit OperatorReader(const ASTContext &Context)
      : Context(Context), SM(Context.getSourceManager()), Source(Context) {}

  bool MayChange = false, MayKeep = false;

  void read(const Token &T) {
    const llvm::StringRef Word =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    IsTemplate |= Word == "template";
    if (Word == "operator") {
      OfName = 1;
      Depth = 0;
    } else if (Depth > 0) {
      readParameter(T, Word);
    } else if (OfName > 0) {
      readName(T);
    }
    if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace) && Depth == 0)
      IsTemplate = false;
  }

private:
  void readName(const Token &T) {
    // The first of `operator()(...)` are a part of the name.
    if (T.is(tok::l_paren) && OfName > 1) {
      Depth = 1;
      OfName = 0;
      Type = {};
    } else if (T.isOneOf(tok::semi, tok::l_brace, tok::equal) && OfName > 1) {
      OfName = 0; // `using Base::operator+;`
    } else if (++OfName > MostOfName) {
      MayChange = MayKeep = true;
      OfName = 0;
    }
  }

  void readParameter(const Token &T, llvm::StringRef Word) {
    Depth += T.is(tok::l_paren);
    Depth -= T.is(tok::r_paren);
    if (Depth == 0 || (Depth == 1 && T.is(tok::comma))) {
      note();
      Type = {};
    } else if (T.isOneOf(tok::amp, tok::ampamp)) {
      Type.IsReference = true;
    } else if (T.is(tok::l_paren)) {
      Type.IsOdd = true; // A macro, or a function.
    } else if (Word == "const") {
      Type.IsConst = true;
    } else if (!Word.empty() && Word != "std" && Type.Name.empty()) {
      Type.Name = Word;
    }
  }

  /// What may be bound to a number by the parameter that was read.
  void note() {
    if (Type.Name.empty() && !Type.IsReference && !Type.IsOdd)
      return;
    const bool IsNumber = !Type.IsReference && isOfLanguage(Type.Name);
    const bool IsClass = isClass(Type.Name) && !Type.IsOdd;
    // A class of the program's may be made of a reference, or be a number's
    // name elsewhere.
    if ((IsNumber && !Type.IsOdd) || (IsClass && isOfSystem(Type.Name)))
      return;
    const bool IsOwnClass = IsClass && !IsTemplate && isAlwaysThere(Type.Name);
    MayChange |= !IsOwnClass && !(Type.IsReference && Type.IsConst);
    MayKeep |= !IsOwnClass || mayBeMadeOfReference(Type.Name);
  }

  bool isOfLanguage(llvm::StringRef Name) const {
    return Context.Idents.get(Name).isKeyword(Context.getLangOpts());
  }

  llvm::SmallVector<const NamedDecl *, 2> find(llvm::StringRef Name) const {
    const IdentifierInfo &Id = Context.Idents.get(Name);
    const TranslationUnitDecl &Unit = *Context.getTranslationUnitDecl();
    llvm::SmallVector<const NamedDecl *, 2> All;
    llvm::append_range(All, Unit.lookup(&Id));
    for (const NamedDecl *D : Unit.lookup(&Context.Idents.get("std")))
      if (const auto *Space = dyn_cast<NamespaceDecl>(D); Space && All.empty())
        llvm::append_range(All, Space->lookup(&Id));
    return All;
  }

  bool isClass(llvm::StringRef Name) const {
    const auto Found = find(Name);
    return !Found.empty() && llvm::all_of(Found, [](const NamedDecl *D) {
      const auto *Type = dyn_cast<TypeDecl>(D);
      return isa<ClassTemplateDecl>(D) ||
             (Type && D->getASTContext().getTypeDeclType(Type)->isRecordType());
    });
  }

  bool isOfSystem(llvm::StringRef Name) const {
    return llvm::all_of(find(Name), [&](const NamedDecl *D) {
      return SM.isInSystemHeader(D->getLocation());
    });
  }

  bool isAlwaysThere(llvm::StringRef Name) const {
    return llvm::all_of(find(Name), [&](const NamedDecl *D) {
      return isa<CXXRecordDecl>(D) &&
             Source.conditionsAround(SM.getExpansionLoc(D->getLocation()))
                 .empty();
    });
  }

  bool mayBeMadeOfReference(llvm::StringRef Name) const {
    return llvm::any_of(find(Name), [](const NamedDecl *D) {
      const auto *Class = dyn_cast<CXXRecordDecl>(D);
      const CXXRecordDecl *Defined = Class ? Class->getDefinition() : nullptr;
      return !Defined || llvm::any_of(Defined->decls(), [](const Decl *Member) {
        const auto *Made = dyn_cast<CXXConstructorDecl>(Member);
        return isa<FunctionTemplateDecl>(Member) ||
               (Made && !Made->isImplicit() &&
                llvm::any_of(Made->parameters(), [](const ParmVarDecl *P) {
                  const QualType Type = P->getType();
                  return Type->isReferenceType() &&
                         !Type.getNonReferenceType()->isRecordType();
                }));
      });
    });
  }

  static constexpr unsigned MostOfName = 8;
  const ASTContext &Context;
  const SourceManager &SM;
  const SourceConditions Source;
  bool IsTemplate = false;
  unsigned OfName = 0; ///< Tokens since `operator`, that with it; or 0.
  unsigned Depth = 0;  ///< Of parentheses, in parameters.
  struct {
    llvm::StringRef Name; ///< The first word that is no `const`.
    bool IsConst = false, IsReference = false, IsOdd = false;
  } Type; ///< Of a parameter, as far as it is read.
};

struct KnownOperators {
  bool AreRead = false, MayChange = false, MayKeep = false;
};

const KnownOperators &operatorsOf(const ASTContext &Context) {
  KnownOperators &Known = *onePerContext<KnownOperators>(Context);
  if (Known.AreRead)
    return Known;
  const SourceConditions Source(Context);
  OperatorReader Reader(Context);
  Source.forEachUserFile([&](FileID File) {
    if (Source.holdsWord(File, "operator"))
      Source.forEachTokenOf(File, [&](const Token &T) { Reader.read(T); });
  });
  Known = {true, Reader.MayChange, Reader.MayKeep};
  return Known;
}

} // namespace

bool operatorsMayChange(const ASTContext &Context) {
  return operatorsOf(Context).MayChange;
}
bool operatorsMayKeep(const ASTContext &Context) {
  return operatorsOf(Context).MayKeep;
}

bool goesBeforeOperand(tok::TokenKind Kind, llvm::StringRef Word) {
  switch (Kind) {
  case tok::l_paren:
  case tok::l_square:
  case tok::comma:
  case tok::semi:
  case tok::l_brace:
  case tok::r_brace:
  case tok::equal:
  case tok::plusequal:
  case tok::minusequal:
  case tok::exclaim:
  case tok::colon:
    return true;
  default:
    return goesBehindOperand(Kind) || Word == "return";
  }
}

bool goesBehindOperand(tok::TokenKind Kind) {
  switch (Kind) {
  case tok::plus:
  case tok::minus:
  case tok::slash:
  case tok::percent:
  case tok::equalequal:
  case tok::exclaimequal:
  case tok::less:
  case tok::lessequal:
  case tok::greater:
  case tok::greaterequal:
  case tok::ampamp:
  case tok::pipepipe:
  case tok::question:
  case tok::lessless:
    return true;
  default:
    return false;
  }
}

bool isNamedElse(const VarDecl &Var, const FunctionDecl &Function,
                 SourceLocation Begin, SourceLocation End) {
  return isWrittenBetween(Var.getName(), /*MayBePasted=*/true, Function, Begin,
                          End);
}

bool isNamedElse(const VarDecl &Var, const FunctionDecl &Function) {
  return isNamedElse(Var, Function, Function.getBeginLoc(),
                     Function.getEndLoc());
}

bool mayBeChangedElse(const VarDecl &Var, const FunctionDecl &Function) {
  return isWrittenBetween(Var.getName(), /*MayBePasted=*/true, Function,
                          Function.getBeginLoc(), Function.getEndLoc(),
                          /*Changed=*/true);
}

bool mayBeUsedElse(const VarDecl &Var, const FunctionDecl &Function) {
  return isNamedElse(Var, Function) ||
         Reader(Function.getASTContext())
             .unseenIn(Function)
             .Beside.contains(Var.getNameAsString());
}

bool isWrittenElse(llvm::StringRef Keyword, const FunctionDecl &Function) {
  return isWrittenBetween(Keyword, /*MayBePasted=*/false, Function,
                          Function.getBeginLoc(), Function.getEndLoc());
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/OtherSharing.h"
#include "matchers/source/NamedElse.h"
#include "matchers/source/OtherTypes.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace barricade {
namespace {

/// What makes of a variable one that others may know: bits of those that \p T
/// is.
unsigned sharing(const CodeToken &T) {
  static constexpr llvm::StringLiteral Words[] = {
      "volatile", "static", "thread_local", "extern", "auto", "__managed__"};
  const auto *const Found = llvm::find(Words, T.Text);
  if (Found != std::end(Words))
    return 2u << (Found - Words);
  // What a member function gives may be the address.
  return T.is(tok::amp) || T.is(tok::period) ? 1 : 0;
}

bool isNumberType(llvm::StringRef Word) {
  static constexpr llvm::StringLiteral Words[] = {
      "bool", "char",  "int",   "unsigned", "signed",
      "long", "short", "float", "double"};
  return llvm::is_contained(Words, Word);
}

class Search {
public:
  Search(const FunctionDecl &Function, llvm::ArrayRef<const Stmt *> Parts,
         OtherBuilds &Others, ASTContext &Context)
      : Function(Function), Parts(Parts), Others(Others), Context(Context),
        SM(Context.getSourceManager()), Source(Context) {}

  bool findsOne() {
    for (const Stmt *Part : Parts)
      (void)holds(Part, [&](const Stmt &S) {
        if (const VarDecl *Var = variableNamedBy(S);
            Var && Var->isLocalVarDeclOrParm() && !isWithin(*Var))
          Variables.insert(Var);
        return false;
      });
    return llvm::any_of(
               Variables,
               [&](const VarDecl *Var) { return mayBeDeclaredElse(*Var); }) ||
           mayBeGivenAway();
  }

private:
  bool isWithin(const VarDecl &Var) const {
    return llvm::any_of(Parts,
                        [&](const Stmt *Part) { return declares(Part, Var); });
  }

  SourceLocation fileLocation(SourceLocation Where) const {
    return SM.getExpansionLoc(Where);
  }

  SourceLocation firstOfCode() const {
    return fileLocation(Parts.front()->getBeginLoc());
  }
  SourceLocation lastOfCode() const {
    return fileLocation(Parts.back()->getEndLoc());
  }

  /// By a token of its declaration that stands under a condition, or a macro
  /// that has another meaning, even if it stands for nothing here.
  bool mayBeDeclaredElse(const VarDecl &Var) const {
    const SourceLocation Name = fileLocation(Var.getLocation());
    bool Found = false;
    forEachCodeToken(begin(), Name, [&](const CodeToken &T) {
      if (T.is(tok::semi) || T.is(tok::l_brace) || T.is(tok::r_brace) ||
          (isa<ParmVarDecl>(Var) && (T.is(tok::l_paren) || T.is(tok::comma))))
        Found = false;
      Found |= (sharing(T) != 0 && Source.hasOtherCondition(T.Where, Name)) ||
               mayShare(T);
    });
    return Found;
  }

  SourceLocation begin() const {
    return fileLocation(spelledFunction(Function).getBeginLoc());
  }

  /// Without directives.
  void
  forEachCodeToken(SourceLocation First, SourceLocation Last,
                   llvm::function_ref<void(const CodeToken &)> Visit) const {
    bool InDirective = false;
    Source.forEachToken(First, Last, [&](const Token &T) {
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
      if (!InDirective)
        Visit(CodeToken::of(T));
    });
  }

  /// What \p T stands for as a macro shares something in some build, and not in
  /// all.
  bool mayShare(const CodeToken &T) const {
    if (!T.isWord())
      return false;
    const std::vector<MacroText> Macros = Others.definitionsOf(T.Text);
    const auto Shares = [](const MacroText &Macro) {
      unsigned All = 0;
      for (const CodeToken &Part : Macro.Tokens)
        All |= sharing(Part);
      return All;
    };
    return llvm::any_of(Macros, [&](const MacroText &Each) {
      return Shares(Each) != Shares(Macros.front()) ||
             (Each.IsLeftOut && Shares(Each) != 0);
    });
  }

  //===--- What stands in the function ------------------------------------===//

  /// In another build somebody may be given one of them before the code ends.
  bool mayBeGivenAway() {
    llvm::StringSet<> Names;
    for (const VarDecl *Var : Variables)
      Names.insert(Var->getName());
    bool Found = false;
    llvm::SmallVector<CodeToken, 32> Statement;
    // A constructor's members are given something before its body.
    const SourceLocation Body =
        isa<CXXConstructorDecl>(Function)
            ? begin()
            : fileLocation(spelledFunction(Function).getBody()->getBeginLoc());
    const SourceLocation End = end();
    unsigned Lists = 0; // Of initialisers, that are open.
    forEachCodeToken(Body, End, [&](const CodeToken &T) {
      // Whatever such a lambda names.
      Found |= !Statement.empty() && Statement.back().is(tok::l_square) &&
               T.is(tok::amp) && isElse(T);
      // What is said of the code itself is asked elsewhere.
      Found |= T.isWord() && !isOfCode(T.Where) && namesByItself(T, Names);
      const bool OpensList = T.is(tok::l_brace) && !beginsBlock(Statement);
      const bool ClosesList = T.is(tok::r_brace) && Lists > 0;
      Lists += OpensList;
      Lists -= ClosesList;
      if (OpensList || ClosesList ||
          (!T.is(tok::semi) && !T.is(tok::l_brace) && !T.is(tok::r_brace)))
        return Statement.push_back(T);
      Found = Found || givesAway(Statement, T, Names);
      Statement.clear();
      Lists = 0;
    });
    return Found || mayBeTakenElse(End);
  }

  bool isOfCode(SourceLocation Where) const {
    return !SM.isBeforeInTranslationUnit(Where, firstOfCode()) &&
           SM.isBeforeInTranslationUnit(Where, lastOfCode());
  }

  /// A brace behind \p Statement begins a block, and no list of initialisers.
  static bool beginsBlock(llvm::ArrayRef<CodeToken> Statement) {
    static constexpr llvm::StringLiteral Words[] = {"else", "do", "try",
                                                    "const", "noexcept"};
    return Statement.empty() || Statement.back().is(tok::r_paren) ||
           Statement.back().is(tok::colon) ||
           llvm::is_contained(Words, Statement.back().Text);
  }

  /// In some build \p Word, a macro of several meanings, has one of \p Names,
  /// and is more than arithmetic.
  bool namesByItself(const CodeToken &Word,
                     const llvm::StringSet<> &Names) const {
    return llvm::any_of(
               Others.definitionsOf(Word.Text),
               [&](const MacroText &Each) {
                 return llvm::any_of(Each.Tokens,
                                     [&](const CodeToken &T) {
                                       return T.isWord() &&
                                              Names.contains(T.Text) &&
                                              !llvm::is_contained(
                                                  Each.Parameters, T.Text);
                                     }) &&
                        llvm::any_of(Each.Tokens, [](const CodeToken &T) {
                          return T.is(tok::amp) || T.is(tok::l_paren) ||
                                 T.is(tok::period) || T.is(tok::l_brace) ||
                                 T.is(tok::equal);
                        });
               }) &&
           varies(Word);
  }

  /// Behind the code nothing is given away for it, unless it comes again.
  SourceLocation end() const {
    const SourceLocation Begin = firstOfCode();
    const SourceLocation Last =
        fileLocation(spelledFunction(Function).getEndLoc());
    bool Repeats = holds(Function.getBody(),
                         [](const Stmt &S) { return isa<LabelStmt>(S); });
    for (const Stmt *Around = parentOf(*Parts.front(), Context);
         Around && !Repeats; Around = parentOf(*Around, Context))
      Repeats = isLoop(*Around);
    bool MayBeLoop = false; // By a macro, up to the last token.
    forEachCodeToken(begin(), Last, [&](const CodeToken &T) {
      const bool IsBefore = SM.isBeforeInTranslationUnit(T.Where, Begin);
      Repeats |=
          isElse(T) && (T.Text == "goto" || (IsBefore && repeats(T.Text)));
      Repeats |= IsBefore && MayBeLoop && T.is(tok::l_brace);
      MayBeLoop = !T.is(tok::semi) && !T.is(tok::r_brace) &&
                  (MayBeLoop || (T.isWord() && mayBeLoop(T.Text)));
    });
    return Repeats ? Last : lastOfCode();
  }

  static bool repeats(llvm::StringRef Word) {
    return Word == "while" || Word == "for" || Word == "do";
  }
  bool mayBeLoop(llvm::StringRef Macro) const {
    return llvm::any_of(Others.definitionsOf(Macro), [](const MacroText &Each) {
      return !Each.OfSystem &&
             llvm::any_of(Each.Tokens,
                          [](const CodeToken &T) { return repeats(T.Text); });
    });
  }

  bool isElse(const CodeToken &T) const {
    return Source.hasOtherCondition(T.Where, firstOfCode());
  }

  /// \p Statement, up to \p End, may have other words in another build, and
  /// does more than to look at those of \p Names that it has, or to set them.
  bool givesAway(llvm::ArrayRef<CodeToken> Statement, const CodeToken &End,
                 const llvm::StringSet<> &Names) const {
    const auto IsNamed = [&](const CodeToken &T) {
      return T.isWord() && Names.contains(T.Text) && !isDeclaration(T);
    };
    if (llvm::none_of(Statement, IsNamed))
      return false;
    if (Source.holdsDirective(Statement.front().Where, End.Where))
      return true;
    if (llvm::none_of(Statement,
                      [&](const CodeToken &T) { return isElse(T); }) &&
        !isMadeElse(Statement, IsNamed))
      return false;
    Statement = withoutLabel(Statement);
    for (size_t At = 0; At < Statement.size(); ++At)
      if (IsNamed(Statement[At]) &&
          !isHarmless(Statement, At,
                      At + 1 < Statement.size() ? Statement[At + 1] : End))
        return true;
    return false;
  }

  /// `name:` or `case 1:` before it.
  static llvm::ArrayRef<CodeToken>
  withoutLabel(llvm::ArrayRef<CodeToken> Statement) {
    const size_t Colon = Statement.front().Text == "case" ? 2 : 1;
    return Statement.size() > Colon && Statement.front().isWord() &&
                   Statement[Colon].is(tok::colon)
               ? Statement.drop_front(Colon + 1)
               : Statement;
  }

  bool isDeclaration(const CodeToken &Name) const {
    return llvm::any_of(Variables, [&](const VarDecl *Var) {
      return fileLocation(Var->getLocation()) == Name.Where;
    });
  }

  /// Macros of \p Statement may make another one of it for those that are
  /// named: any but numbers and types, and macros that are given the names,
  /// which have to share them in some builds alone.
  bool isMadeElse(llvm::ArrayRef<CodeToken> Statement,
                  llvm::function_ref<bool(const CodeToken &)> IsNamed) const {
    for (size_t At = 0; At < Statement.size(); ++At) {
      if (!Statement[At].isWord() || !varies(Statement[At]))
        continue;
      const size_t Close = closeOfCall(Statement, At);
      const auto Within = Statement.slice(At, Close - At);
      if (mayShare(Statement[At]) || mayCall(Statement[At].Text) ||
          llvm::count_if(Statement, IsNamed) > llvm::count_if(Within, IsNamed))
        return true;
    }
    return false;
  }

  /// A function of the program's, be it by another macro.
  bool mayCall(llvm::StringRef Macro) const {
    return llvm::any_of(
        Others.definitionsOf(Macro), [&](const MacroText &Each) {
          for (size_t I = 0; I + 1 < Each.Tokens.size(); ++I) {
            const CodeToken &T = Each.Tokens[I];
            if (T.isWord() && Each.Tokens[I + 1].is(tok::l_paren) &&
                !llvm::is_contained(Each.Parameters, T.Text) &&
                !Context.Idents.get(T.Text).isKeyword(Context.getLangOpts()) &&
                !isOfSystem(T.Text))
              return true;
          }
          return false;
        });
  }

  bool isOfSystem(llvm::StringRef Function) const {
    const auto Found =
        Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Function));
    return !Found.empty() && llvm::all_of(Found, [&](const NamedDecl *D) {
      return SM.isInSystemHeader(D->getLocation());
    });
  }

  /// Behind the parentheses that follow \p At, or behind that.
  static size_t closeOfCall(llvm::ArrayRef<CodeToken> Statement, size_t At) {
    unsigned Depth = 0;
    for (size_t I = At + 1; I < Statement.size(); ++I) {
      Depth += Statement[I].is(tok::l_paren);
      Depth -= Statement[I].is(tok::r_paren);
      if (Depth == 0)
        return I == At + 1 ? I : I + 1;
    }
    return Statement.size();
  }

  /// But for numbers and their types.
  bool varies(const CodeToken &Word) const {
    const std::vector<MacroText> All = Others.definitionsOf(Word.Text);
    const bool IsOther = llvm::any_of(All, [&](const MacroText &Each) {
      return (Each.IsLeftOut || All.size() > 1) &&
             !llvm::all_of(Each.Tokens, [](const CodeToken &T) {
               return T.is(tok::numeric_constant) || T.is(tok::l_paren) ||
                      T.is(tok::r_paren) || T.is(tok::star) ||
                      T.is(tok::minus) || isNumberType(T.Text);
             });
    });
    return IsOther &&
           Others.mayRespell(Word.Where, Source.afterToken(Word.Where));
  }

  /// What is named at \p At, before \p Next, is an operand, an argument that is
  /// copied, or gets a value; or another one gets its value.
  bool isHarmless(llvm::ArrayRef<CodeToken> Statement, size_t At,
                  const CodeToken &Next) const {
    const bool IsFirst = At == 0;
    const CodeToken &Before = IsFirst ? Next : Statement[At - 1];
    const bool EndsOperand = Next.is(tok::semi) || Next.is(tok::r_paren) ||
                             Next.is(tok::comma) || Next.is(tok::r_square);
    const bool BeginsOperand =
        IsFirst || goesBeforeOperand(Before.Kind, Before.Text);
    if (!operatorsMayKeep(Context) &&
        ((BeginsOperand && goesBehindOperand(Next.Kind)) ||
         (!IsFirst && EndsOperand && goesBehindOperand(Before.Kind) &&
          !Before.is(tok::question)) ||
         (!IsFirst && Before.is(tok::l_square) && Next.is(tok::r_square))))
      return true;
    if (Next.assigns())
      return IsFirst || (Before.is(tok::r_paren) &&
                         isOfStatement(Statement.take_front(At)));
    if (IsFirst)
      return false;
    if (Before.Text == "return" && Next.is(tok::semi))
      return true;
    return isCopied(Statement.take_front(At), Next) ||
           ((Before.is(tok::l_paren) || Before.is(tok::comma)) && EndsOperand &&
            isOfCopyingCall(Statement.take_front(At)));
  }

  /// `int last = name;`, or `last = name;` where that is one of the variables,
  /// a number or a pointer.
  bool isCopied(llvm::ArrayRef<CodeToken> Before, const CodeToken &Next) const {
    if (!Next.is(tok::semi) || Before.size() < 2 ||
        !Before.back().is(tok::equal))
      return false;
    const CodeToken &Into = Before[Before.size() - 2];
    Before = Before.drop_back(2);
    if (!Into.isWord() || !Others.definitionsOf(Into.Text).empty())
      return false;
    if (Before.empty())
      return llvm::any_of(Variables, [&](const VarDecl *Var) {
        return Var->getType()->isScalarType() && Var->getName() == Into.Text;
      });
    return llvm::all_of(Before, [&](const CodeToken &T) {
      return (T.Text == "const" || isNumberType(T.Text)) &&
             Others.definitionsOf(T.Text).empty();
    });
  }

  /// Up to the last parenthesis that \p Before leaves open.
  static llvm::ArrayRef<CodeToken> withOpen(llvm::ArrayRef<CodeToken> Before) {
    unsigned Closed = 0;
    while (!Before.empty() && (Closed > 0 || !Before.back().is(tok::l_paren))) {
      Closed += Before.back().is(tok::r_paren);
      Closed -= Before.back().is(tok::l_paren);
      Before = Before.drop_back();
    }
    return Before;
  }

  /// The parenthesis that \p Before ends with is an `if`'s, or a loop's.
  static bool isOfStatement(llvm::ArrayRef<CodeToken> Before) {
    Before = withOpen(Before.drop_back());
    return Before.size() > 1 && (Before[Before.size() - 2].Text == "if" ||
                                 repeats(Before[Before.size() - 2].Text));
  }

  /// The last parenthesis that \p Before leaves open is of `if` and the like,
  /// of `int` and the like, or of printf().
  bool isOfCopyingCall(llvm::ArrayRef<CodeToken> Before) const {
    Before = withOpen(Before);
    if (Before.size() < 2 || !Before[Before.size() - 2].isWord())
      return false;
    const llvm::StringRef Name = Before[Before.size() - 2].Text;
    // Else it is a member, another namespace's, or declared there.
    const bool IsPlain = Before.size() == 2 ||
                         goesBeforeOperand(Before[Before.size() - 3].Kind,
                                           Before[Before.size() - 3].Text) ||
                         Before[Before.size() - 3].Text == "else" ||
                         Before[Before.size() - 3].is(tok::r_paren);
    return IsPlain && Others.definitionsOf(Name).empty() && takesCopies(Name);
  }

  static bool takesCopies(llvm::StringRef Name) {
    static constexpr llvm::StringLiteral Words[] = {
        "if", "while", "switch", "return", "sizeof", "printf", "fprintf"};
    return llvm::is_contained(Words, Name) || isNumberType(Name);
  }

  /// What is called with one of them, declared by one, or gets its value, up to
  /// \p End, may be something else: a function that takes a reference, or a
  /// class.
  bool mayBeTakenElse(SourceLocation End) const {
    const auto IsOne = [&](const Expr *E) {
      return E && holds(E, [&](const Stmt &S) {
               const VarDecl *Var = variableNamedBy(S);
               return Var && Variables.contains(Var);
             });
    };
    const auto MayTake = [&](const Stmt &S) {
      if (SM.isBeforeInTranslationUnit(End, fileLocation(S.getBeginLoc())))
        return false;
      if (const auto *Call = dyn_cast<CallExpr>(&S);
          Call && !isa<CUDAKernelCallExpr>(S))
        return llvm::any_of(Call->arguments(), IsOne) &&
               mayTakeReferences(*Call);
      if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
        return llvm::any_of(Declaration->decls(), [&](const Decl *D) {
          const auto *Var = dyn_cast<VarDecl>(D);
          const auto *Class =
              Var ? Var->getType()->getAsCXXRecordDecl() : nullptr;
          return Var && IsOne(Var->getInit()) &&
                 (mayRunElse(Var->getType(), Var->getLocation(), Context) ||
                  (Class && !SM.isInSystemHeader(Class->getLocation()) &&
                   (Others.mayReplace(*Class, Var->getLocation()) ||
                    Others.mayRespell(*Class, /*IsShared=*/false,
                                      /*ChoosesCode=*/true))));
        });
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      return Op && Op->isAssignmentOp() && IsOne(Op->getRHS()) &&
             (Others.mayNameElse(*Op->getLHS()) ||
              mayRunElse(Op->getLHS()->getType(), Op->getBeginLoc(), Context));
    };
    return holds(Function.getBody(), MayTake, Parts);
  }

  bool mayTakeReferences(const CallExpr &Call) const {
    const FunctionDecl *Callee = Call.getDirectCallee();
    // In a template.
    const auto *Found = dyn_cast<OverloadExpr>(Call.getCallee());
    if (!Callee)
      return !Found || !llvm::all_of(Found->decls(), [&](const NamedDecl *D) {
        return SM.isInSystemHeader(D->getLocation());
      });
    return !SM.isInSystemHeader(Callee->getLocation()) &&
           (Others.mayCallElse(Call) ||
            llvm::any_of(Callee->parameters(), [&](const ParmVarDecl *P) {
              return mayRunElse(P->getType(), P->getLocation(), Context);
            }));
  }

  const FunctionDecl &Function;
  const llvm::ArrayRef<const Stmt *> Parts;
  OtherBuilds &Others;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  llvm::SmallSetVector<const VarDecl *, 8> Variables;
};

} // namespace

bool mayBeSharedElse(const FunctionDecl &Function,
                     llvm::ArrayRef<const Stmt *> Parts, OtherBuilds &Others,
                     ASTContext &Context) {
  return !Parts.empty() && Search(Function, Parts, Others, Context).findsOne();
}

} // namespace barricade

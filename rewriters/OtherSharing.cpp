// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/OtherSharing.h"
#include "matchers/source/NamedElse.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <utility>

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

  /// Somewhere in the function, which other builds may have and this one has
  /// not.
  bool mayBeGivenAway() {
    llvm::StringSet<> Names;
    for (const VarDecl *Var : Variables)
      Names.insert(Var->getName());
    bool Found = false;
    forEachCodeToken(
        begin(), fileLocation(spelledFunction(Function).getEndLoc()),
        [&](const CodeToken &T) {
          Found |= (Last.isWord() && Names.contains(Last.Text) &&
                    !isDeclaration(Last) && isGivenAway(/*Name=*/Last, T)) ||
                   (Last.is(tok::l_square) && T.is(tok::amp) && isElse(T));
          follow(T);
        });
    return Found;
  }

  /// Where the name stands, before \p Next, if that is under a condition which
  /// the code is not under, or in what a macro of other builds makes something
  /// of.
  bool isGivenAway(const CodeToken &Name, const CodeToken &Next) const {
    return llvm::any_of(
               Calls, [&](const Call &Around) { return Around.IsOfOthers; }) ||
           (isElse(Name) && !isOnlyLookedAt(Next) && !isSet(Next) &&
            !isCopied(Next));
  }

  bool isDeclaration(const CodeToken &Name) const {
    return llvm::any_of(Variables, [&](const VarDecl *Var) {
      return fileLocation(Var->getLocation()) == Name.Where;
    });
  }

  bool isElse(const CodeToken &T) const {
    const SourceLocation Region = fileLocation(Parts.front()->getBeginLoc());
    return Source.hasOtherCondition(T.Where, Region);
  }

  /// As an operand, or by a function that takes a copy.
  bool isOnlyLookedAt(const CodeToken &Next) const {
    const bool BeginsArgument =
        BeforeLast.is(tok::l_paren) || BeforeLast.is(tok::comma);
    const bool EndsArgument = Next.is(tok::r_paren) || Next.is(tok::comma);
    return (!operatorsMayChange(Context) &&
            goesBeforeOperand(BeforeLast.Kind, BeforeLast.Text) &&
            (goesBehindOperand(Next.Kind) ||
             (BeforeLast.Text == "return" && Next.is(tok::semi)) ||
             (BeforeLast.is(tok::lessless) && Next.is(tok::semi)) ||
             (BeforeLast.is(tok::l_square) && Next.is(tok::r_square)))) ||
           (BeginsArgument && EndsArgument && !Calls.empty() &&
            Calls.back().TakesCopies);
  }

  /// `int last = name;`, or `last = name;` where that is one of the variables,
  /// a number or a pointer.
  bool isCopied(const CodeToken &Next) const {
    if (!Next.is(tok::semi) || Statement.size() < 3 ||
        !BeforeLast.is(tok::equal))
      return false;
    const auto Before = llvm::ArrayRef(Statement).drop_back(2);
    if (Before.size() == 1)
      return llvm::any_of(Variables, [&](const VarDecl *Var) {
        return Var->getType()->isScalarType() &&
               Var->getName() == Before.front().Text;
      });
    return Before.back().isWord() &&
           llvm::all_of(Before.drop_back(), [](const CodeToken &T) {
             return T.Text == "const" || isNumberType(T.Text);
           });
  }

  /// By a statement of its own.
  bool isSet(const CodeToken &Next) const {
    return Next.assigns() &&
           (BeforeLast.is(tok::semi) || BeforeLast.is(tok::l_brace) ||
            BeforeLast.is(tok::r_brace) || BeforeLast.is(tok::r_paren) ||
            BeforeLast.is(tok::colon));
  }

  void follow(const CodeToken &T) {
    if (T.is(tok::l_paren))
      Calls.push_back(callOf(Last));
    else if (T.is(tok::r_paren) && !Calls.empty())
      Calls.pop_back();
    BeforeLast = std::exchange(Last, T);
    if (T.is(tok::semi) || T.is(tok::l_brace) || T.is(tok::r_brace) ||
        T.is(tok::colon))
      Statement.clear();
    else
      Statement.push_back(T);
  }

  /// A pair of parentheses that is open.
  struct Call {
    bool IsOfOthers = false; ///< A macro that elsewhere takes addresses.
    bool TakesCopies = false;
  };

  Call callOf(const CodeToken &Before) const {
    if (!Before.isWord())
      return {};
    return {mayShare(Before), takesCopies(Before.Text)};
  }

  /// `if` and the like, `int` and the like, and a system's functions that bind
  /// no references. Those of the program may be others where the code is.
  bool takesCopies(llvm::StringRef Name) const {
    static constexpr llvm::StringLiteral Words[] = {"if", "while", "switch",
                                                    "return", "sizeof"};
    if (llvm::is_contained(Words, Name) || isNumberType(Name))
      return true;
    const auto Found =
        Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name));
    return !Found.empty() && llvm::all_of(Found, [&](const NamedDecl *D) {
      const auto *F = dyn_cast<FunctionDecl>(D);
      return F && SM.isInSystemHeader(F->getLocation()) &&
             llvm::none_of(F->parameters(), [](const ParmVarDecl *Param) {
               return Param->getType()->isReferenceType();
             });
    });
  }

  const FunctionDecl &Function;
  const llvm::ArrayRef<const Stmt *> Parts;
  OtherBuilds &Others;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  llvm::SmallSetVector<const VarDecl *, 8> Variables;
  CodeToken Last = {tok::unknown, "", SourceLocation()};
  CodeToken BeforeLast = Last;
  llvm::SmallVector<CodeToken, 16> Statement; ///< Up to the last token.
  llvm::SmallVector<Call, 8> Calls;
};

} // namespace

bool mayBeSharedElse(const FunctionDecl &Function,
                     llvm::ArrayRef<const Stmt *> Parts, OtherBuilds &Others,
                     ASTContext &Context) {
  return !Parts.empty() && Search(Function, Parts, Others, Context).findsOne();
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/OtherSharing.h"
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
  return T.is(tok::amp) ? 1 : 0;
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
          Found |= T.isWord() && Names.contains(T.Text) && isGivenAway(T);
          follow(T);
        });
    return Found;
  }

  /// Where the name stands, if that is under a condition which the code is not
  /// under, or in what a macro of other builds makes something of.
  bool isGivenAway(const CodeToken &Name) const {
    const SourceLocation Region = fileLocation(Parts.front()->getBeginLoc());
    const bool IsElse = Source.hasOtherCondition(Name.Where, Region);
    return llvm::any_of(
               Calls, [&](const Call &Around) { return Around.IsOfOthers; }) ||
           (IsElse && (Last.is(tok::amp) ||
                       (!Calls.empty() && Calls.back().TakesReferences &&
                        (Last.is(tok::l_paren) || Last.is(tok::comma)))));
  }

  void follow(const CodeToken &T) {
    if (T.is(tok::l_paren))
      Calls.push_back(callOf(Last));
    else if (T.is(tok::r_paren) && !Calls.empty())
      Calls.pop_back();
    Last = T;
  }

  /// A pair of parentheses that is open.
  struct Call {
    bool IsOfOthers = false; ///< A macro that elsewhere takes addresses.
    bool TakesReferences = false;
  };

  Call callOf(const CodeToken &Before) const {
    if (!Before.isWord())
      return {};
    return {mayShare(Before), mayTakeReferences(Before.Text)};
  }

  /// A function that is not in sight, or one that binds references.
  bool mayTakeReferences(llvm::StringRef Name) const {
    const IdentifierInfo &Id = Context.Idents.get(Name);
    if (Id.isKeyword(Context.getLangOpts()))
      return false;
    const auto Found = Context.getTranslationUnitDecl()->lookup(&Id);
    return Found.empty() || llvm::any_of(Found, [](const NamedDecl *D) {
             const auto *F = dyn_cast<FunctionDecl>(D);
             return !F ||
                    llvm::any_of(F->parameters(), [](const ParmVarDecl *Param) {
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
  llvm::SmallVector<Call, 8> Calls;
};

} // namespace

bool mayBeSharedElse(const FunctionDecl &Function,
                     llvm::ArrayRef<const Stmt *> Parts, OtherBuilds &Others,
                     ASTContext &Context) {
  return !Parts.empty() && Search(Function, Parts, Others, Context).findsOne();
}

} // namespace barricade

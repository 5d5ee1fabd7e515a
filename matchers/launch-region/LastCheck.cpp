// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-region/LastCheck.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/host/ErrorCheck.h"
#include "matchers/host/HostCalls.h"
#include "matchers/host/HostVariables.h"
#include "matchers/host/Launch.h"
#include "matchers/launch-region/LaunchRegion.h"
#include "matchers/source/NamedElse.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include <string>

using namespace clang;

namespace barricade::launch_region {
namespace {

using host::HostCallKind;

/// How often \p In names \p Var.
unsigned countUses(const VarDecl &Var, const Stmt &In) {
  unsigned Count = 0;
  (void)holds(&In, [&](const Stmt &S) {
    Count += variableNamedBy(S) == &Var;
    return false;
  });
  return Count;
}

struct FoundCheck : host::ErrorCheck {
  std::vector<const Stmt *> Statements;
  bool IsOuter = false; ///< In the loop's body itself.
};

class Search {
public:
  Search(const Stmt &Loop, llvm::ArrayRef<const Stmt *> Pauses,
         const FunctionDecl &Function)
      : Loop(Loop), Pauses(Pauses), Function(Function),
        Context(Function.getASTContext()) {
    const Stmt *Body = bodyOf(Loop);
    if (const auto *Block = dyn_cast<CompoundStmt>(Body))
      Outer.assign(Block->body_begin(), Block->body_end());
    else
      Outer = {Body};
    collect(Outer, /*IsOuter=*/true);
  }

  std::optional<LastCheck> find() const {
    if (!variablesStayWithin())
      return std::nullopt;
    const auto Last =
        llvm::find_if(llvm::reverse(Checks), [](const FoundCheck &Check) {
          return Check.Asks || !Check.Assigned.empty();
        });
    if (Last == Checks.rend())
      return LastCheck();
    if (!Last->IsOuter || Last->Calls.size() != 1 || leavesUnchecked(*Last) ||
        mayBeCaught() || !meansTheSameElsewhere(*Last) || !isLast(*Last) ||
        !standsForAll(*Last) || !meansOneThing(*Last))
      return std::nullopt;
    return LastCheck{Last->Statements, Last->Call,
                     kindOf(*Last->Call) == HostCallKind::Query,
                     !Last->Assigned.empty() || mayHaveNoValue(*Last)};
  }

private:
  void collect(llvm::ArrayRef<const Stmt *> Rest, bool IsOuter) {
    while (!Rest.empty()) {
      FoundCheck Check;
      static_cast<host::ErrorCheck &>(Check) =
          host::readErrorCheck(Rest, Context);
      Check.IsOuter = IsOuter;
      const auto Own = Rest.take_front(std::max<size_t>(Check.Length, 1));
      Rest = Rest.drop_front(Own.size());
      Check.Statements = Own.vec();
      if (Check.Call)
        Checks.push_back(std::move(Check));
      else
        collectWithin(*Own.front());
    }
  }

  void collectWithin(const Stmt &S) {
    if (llvm::is_contained(Pauses, &S))
      return;
    if (const auto *Block = dyn_cast<CompoundStmt>(&S))
      return collect(llvm::ArrayRef(Block->body_begin(), Block->size()),
                     /*IsOuter=*/false);
    for (const Stmt *Child : S.children())
      if (Child && !llvm::is_contained(Pauses, Child))
        collect(Child, /*IsOuter=*/false);
  }

  HostCallKind kindOf(const CallExpr &Call) const {
    return host::classifyHostCall(Call, Context.getSourceManager());
  }

  /// A part of \p S that is none of a pause's \p Is.
  bool holdsBetween(const Stmt &S,
                    llvm::function_ref<bool(const Stmt &)> Is) const {
    return holds(&S, Is, Pauses);
  }

  /// Where a wait reported no error yet, variables for errors have other
  /// values: nobody looks at them but checks.
  bool variablesStayWithin() const {
    llvm::SmallPtrSet<const VarDecl *, 4> Variables;
    llvm::SmallPtrSet<const VarDecl *, 4> Assigned;
    for (const FoundCheck &Check : Checks) {
      Variables.insert_range(Check.Declared);
      Assigned.insert_range(Check.Assigned);
    }
    Variables.insert_range(Assigned);
    if (!llvm::all_of(Variables, [&](const VarDecl *Var) {
          return countUses(*Var, Loop) == countUsesInChecks(*Var);
        }))
      return false;
    if (Assigned.empty())
      return true;
    const host::HostVariables Known(Function);
    return llvm::none_of(Assigned, [&](const VarDecl *Var) {
      return Known.isShared(*Var) ||
             (!declares(&Loop, *Var) && Known.livesOn(*Var, Loop));
    });
  }

  unsigned countUsesInChecks(const VarDecl &Var) const {
    unsigned Uses = 0;
    for (const FoundCheck &Check : Checks)
      for (const Stmt *S : Check.Statements)
        Uses += countUses(Var, *S);
    return Uses;
  }

  /// The function ends where nobody would ask once more, or an iteration behind
  /// a launch that no check before has waited for.
  bool leavesUnchecked(const FoundCheck &Last) const {
    llvm::SmallVector<const Stmt *> OfChecks;
    for (const FoundCheck &Check : Checks)
      llvm::append_range(OfChecks, Check.Statements);
    bool IsOwed = false;
    for (const Stmt *S : Outer) {
      if (S == Last.Statements.front())
        break;
      IsOwed = (IsOwed && !isWaitOfBody(*S)) || host::holdsLaunch(*S);
      if (IsOwed && leavesIteration(*S, OfChecks))
        return true;
    }
    llvm::append_range(OfChecks, Pauses);
    return holds(
        &Loop, [](const Stmt &S) { return isa<ReturnStmt>(S); }, OfChecks);
  }

  /// A check of the loop's body itself that waits.
  bool isWaitOfBody(const Stmt &S) const {
    return llvm::any_of(Checks, [&](const FoundCheck &Check) {
      return Check.IsOuter && Check.Statements.front() == &S &&
             kindOf(*Check.Call) == HostCallKind::Synchronise;
    });
  }

  /// \p S, without parts of it, may go on with the next iteration, or end the
  /// loop.
  static bool leavesIteration(const Stmt &S,
                              llvm::ArrayRef<const Stmt *> Without,
                              bool InLoop = false, bool InSwitch = false) {
    if (llvm::is_contained(Without, &S) || isa<LambdaExpr>(S))
      return false;
    if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(S) ||
        (isa<ContinueStmt>(S) && !InLoop) ||
        (isa<BreakStmt>(S) && !InLoop && !InSwitch))
      return true;
    return llvm::any_of(S.children(), [&](const Stmt *Child) {
      return Child && leavesIteration(*Child, Without, InLoop || isLoop(S),
                                      InSwitch || isa<SwitchStmt>(S));
    });
  }

  /// All checks of the loop that do something on an error are written like
  /// \p Last, but for what they call: an error that a wait would have told
  /// comes to any of them. What is written otherwise may do something else, in
  /// another build at least.
  bool standsForAll(const FoundCheck &Last) const {
    const std::vector<std::string> Words = wordsOf(Last);
    return llvm::all_of(Checks, [&](const FoundCheck &Check) {
      return !(Check.Asks || !Check.Assigned.empty()) ||
             wordsOf(Check) == Words;
    });
  }

  /// The tokens of \p Check as they are written, with a word that is none for
  /// its call.
  std::vector<std::string> wordsOf(const FoundCheck &Check) const {
    const SourceManager &SM = Context.getSourceManager();
    const auto Written = [&](SourceLocation Where) {
      return SM.getFileOffset(writtenAt(Where, SM));
    };
    const bool IsCallWritten = isWritten(*Check.Call, SM);
    const unsigned CallBegin =
        IsCallWritten ? Written(Check.Call->getBeginLoc()) : 0;
    const unsigned CallEnd =
        IsCallWritten ? Written(Check.Call->getEndLoc()) : 0;
    const SourceLocation Begin =
        SM.getExpansionLoc(Check.Statements.front()->getBeginLoc());
    const llvm::StringRef Text =
        Lexer::getSourceText(SM.getExpansionRange(SourceRange(
                                 Begin, Check.Statements.back()->getEndLoc())),
                             SM, Context.getLangOpts());
    std::vector<std::string> Words;
    forEachToken(Text, [&](const Token &, llvm::StringRef Word) {
      const unsigned Offset =
          SM.getFileOffset(Begin) + unsigned(Word.data() - Text.data());
      if (!IsCallWritten || Offset < CallBegin || Offset > CallEnd)
        Words.push_back(Word.str());
      else if (Offset == CallBegin)
        Words.push_back("its call");
    });
    return Words;
  }

  /// What the same words mean may be something else from one check to another,
  /// or behind the loop: types of the loop's own, and lines that they end with.
  bool meansOneThing(const FoundCheck &Last) const {
    const auto DeclaresType = [](const Stmt &S) {
      const auto *Declaration = dyn_cast<DeclStmt>(&S);
      return Declaration &&
             !llvm::all_of(Declaration->decls(),
                           [](const Decl *D) { return isa<ValueDecl>(D); });
    };
    // What an object, or a function of the program's, tells is no more than a
    // line.
    const auto EndsByPlace = [&](const Stmt &S) {
      static constexpr llvm::StringLiteral Exits[] = {"exit", "_exit", "_Exit",
                                                      "quick_exit"};
      const auto *Call = dyn_cast<CallExpr>(&S);
      const auto *Throw = dyn_cast<CXXThrowExpr>(&S);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      return (isa<ReturnStmt>(S) ||
              (Throw && Throw->getSubExpr() &&
               !Throw->getSubExpr()->getType()->isRecordType()) ||
              (Callee && Callee->getIdentifier() &&
               llvm::is_contained(Exits, Callee->getName()))) &&
             facts::dependsOnPlace(S, Context.getSourceManager());
    };
    return !holds(&Loop, DeclaresType) &&
           llvm::none_of(Last.Statements,
                         [&](const Stmt *S) { return holds(S, EndsByPlace); });
  }

  /// Behind a loop that does not run, what \p Last computes where there is no
  /// error: `check(error, 100 / steps)`.
  bool mayHaveNoValue(const FoundCheck &Last) const {
    const auto IsPartial = [&](const Stmt &S) {
      const auto *Op = dyn_cast<BinaryOperator>(&S);
      if (!Op || !Op->getType()->isIntegerType() ||
          !(Op->isMultiplicativeOp() || Op->isShiftOp()))
        return isa<ArraySubscriptExpr>(S);
      const auto Right = facts::integerOf(*Op->getRHS(), Context);
      return !Right || Right->isZero();
    };
    return llvm::any_of(Last.OnSuccess,
                        [&](const Stmt *S) { return holds(S, IsPartial); });
  }

  /// Who catches what a check throws may look at how far the loop has come.
  bool mayBeCaught() const {
    return holds(Function.getBody(),
                 [](const Stmt &S) { return isa<CXXTryStmt>(S); }) ||
           isWrittenElse("try", Function);
  }

  /// \p Last asks a wait, behind which there is no other one, nor a launch, of
  /// which nobody asks in the last iteration; or for the last error, behind all
  /// that may fail: where a wait that came later has failed, that is its error.
  bool isLast(const FoundCheck &Last) const {
    const HostCallKind Kind = kindOf(*Last.Call);
    const bool OfLastError = Kind == HostCallKind::Query;
    if ((Kind != HostCallKind::Synchronise && !OfLastError) ||
        (OfLastError && !Pauses.empty()))
      return false;
    const auto Place = llvm::find(Outer, Last.Statements.front());
    const auto Behind = llvm::ArrayRef(&*Place + Last.Statements.size(),
                                       Outer.data() + Outer.size());
    const auto IsAnother = [&](const Stmt &S) {
      const auto *Call = dyn_cast<CallExpr>(&S);
      return Call && (isa<CUDAKernelCallExpr>(Call) ||
                      kindOf(*Call) == HostCallKind::Synchronise ||
                      (OfLastError && mayFail(*Call)));
    };
    return llvm::none_of(
        Behind, [&](const Stmt *S) { return holdsBetween(*S, IsAnother); });
  }

  bool mayFail(const CallExpr &Call) const {
    const HostCallKind Kind = kindOf(Call);
    return Kind == HostCallKind::Copy || Kind == HostCallKind::Fill ||
           Kind == HostCallKind::Unknown;
  }

  /// Variables that it names are there behind the loop and in pauses, with the
  /// values that they have in the loop.
  bool meansTheSameElsewhere(const FoundCheck &Check) const {
    llvm::SmallPtrSet<const Decl *, 4> Own;
    for (const Stmt *S : Check.Statements)
      addDeclared(*S, {}, Own);
    llvm::SmallPtrSet<const Decl *, 16> OfLoop;
    addDeclared(Loop, Check.Statements, OfLoop);
    llvm::StringSet<> Hiding;
    for (const Decl *D : OfLoop)
      if (const auto *Named = dyn_cast<NamedDecl>(D))
        Hiding.insert(Named->getNameAsString());
    for (const Decl *D : Own)
      if (const auto *Named = dyn_cast<NamedDecl>(D))
        Hiding.erase(Named->getNameAsString());
    // Types have names, too.
    for (const Stmt *S : Check.Statements)
      if (namesOneOf(*S, Hiding))
        return false;
    const facts::VariableFacts Changes(&Loop);
    const auto Differs = [&](const Stmt &S) {
      if (isa<LabelStmt, LambdaExpr, StmtExpr>(S))
        return true;
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      if (!Ref || Own.contains(Ref->getDecl()))
        return false;
      const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
      return Hiding.contains(Ref->getDecl()->getNameAsString()) ||
             (Var && !Changes.isOnlyRead(*Var) &&
              !llvm::is_contained(Check.Assigned, Var));
    };
    return llvm::none_of(Own,
                         [](const Decl *D) {
                           const auto *Var = dyn_cast<VarDecl>(D);
                           return !Var || Var->isStaticLocal();
                         }) &&
           llvm::none_of(Check.Statements,
                         [&](const Stmt *S) { return holds(S, Differs); });
  }

  /// A word of \p S is one of \p Names.
  bool namesOneOf(const Stmt &S, const llvm::StringSet<> &Names) const {
    const SourceManager &SM = Context.getSourceManager();
    bool Found = false;
    forEachToken(Lexer::getSourceText(SM.getExpansionRange(S.getSourceRange()),
                                      SM, Context.getLangOpts()),
                 [&](const Token &T, llvm::StringRef Word) {
                   Found |= T.is(tok::raw_identifier) && Names.contains(Word);
                 });
    return Found;
  }

  void forEachToken(
      llvm::StringRef Text,
      llvm::function_ref<void(const Token &, llvm::StringRef)> Visit) const {
    const std::string Ended = Text.str();
    Lexer Raw(SourceLocation(), Context.getLangOpts(), Ended.data(),
              Ended.data(), Ended.data() + Ended.size());
    Token T;
    for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T))
      Visit(T, Text.substr(Raw.getCurrentBufferOffset() - T.getLength(),
                           T.getLength()));
  }

  /// All that \p S declares, but for parts of it.
  static void addDeclared(const Stmt &S, llvm::ArrayRef<const Stmt *> Without,
                          llvm::SmallPtrSetImpl<const Decl *> &Found) {
    (void)holds(
        &S,
        [&](const Stmt &Part) {
          if (const auto *Declaration = dyn_cast<DeclStmt>(&Part))
            Found.insert_range(Declaration->decls());
          return false;
        },
        Without);
  }

  const Stmt &Loop;
  const llvm::ArrayRef<const Stmt *> Pauses;
  const FunctionDecl &Function;
  ASTContext &Context;
  std::vector<const Stmt *> Outer; ///< The statements of the loop's body.
  std::vector<FoundCheck> Checks;  ///< In the order of the source.
};

} // namespace

bool LastCheck::declares() const {
  return llvm::any_of(Statements,
                      [](const Stmt *S) { return isa<DeclStmt>(S); });
}

std::optional<LastCheck> lastCheckOf(const Stmt &Loop,
                                     llvm::ArrayRef<const Stmt *> Pauses,
                                     const FunctionDecl &Function) {
  return Search(Loop, Pauses, Function).find();
}

} // namespace barricade::launch_region

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/LoopInOtherBuilds.h"
#include "matchers/artificial-barrier/Deciders.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/OptionalCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// A stretch of a file.
struct Stretch {
  SourceLocation Begin, End;

  bool holds(SourceLocation Where) const {
    return Begin <= Where && Where < End;
  }
};

/// The text of a function as all builds have it.
class FunctionText {
public:
  FunctionText(const FunctionDecl &Function, const ASTContext &Context)
      : Spelled(spelledFunction(Function)), SM(Context.getSourceManager()),
        Source(Context), Begin(SM.getExpansionLoc(Spelled.getBeginLoc())),
        End(Lexer::getLocForEndOfToken(
            SM.getExpansionRange(Spelled.getEndLoc()).getEnd(), 0, SM,
            Context.getLangOpts())) {}

  /// Reads it, other than branches beside one that holds all \p Places. The
  /// directive by which the function has no text of its own; or invalid.
  SourceLocation read(llvm::ArrayRef<SourceLocation> Places) {
    if (!SM.isWrittenInSameFile(Begin, End))
      return Begin;
    if (const SourceLocation Where = readConditions(Places); Where.isValid())
      return Where;
    bool InDirective = false;
    Source.forEachToken(Begin, End, [&](const Token &T) {
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
      if (!InDirective && !isIn(Beside, T.getLocation()))
        All.push_back(CodeToken::of(T));
    });
    return {};
  }

  std::vector<CodeToken> All;
  /// Code that not all builds have. None is within another one.
  std::vector<Stretch> Optional;

  size_t indexOf(SourceLocation Where) const {
    return size_t(
        llvm::partition_point(
            All, [&](const CodeToken &T) { return T.Where < Where; }) -
        All.begin());
  }
  /// Stands before the body.
  bool isHead(SourceLocation Where) const {
    const Stmt *Body = Spelled.getBody();
    return Body && Where < SM.getExpansionLoc(Body->getBeginLoc());
  }
  bool isOptional(SourceLocation Where) const { return isIn(Optional, Where); }

private:
  /// An `#if`, `#else` or the like and those that follow it, up to `#endif`.
  using Directives = llvm::SmallVector<SourceLocation, 2>;

  static bool isIn(llvm::ArrayRef<Stretch> Stretches, SourceLocation Where) {
    return llvm::any_of(Stretches,
                        [&](const Stretch &S) { return S.holds(Where); });
  }

  SourceLocation readConditions(llvm::ArrayRef<SourceLocation> Places) {
    std::vector<Directives> Open, Conditions;
    SourceLocation Wrong;
    Source.forEachDirective(Begin, End,
                            [&](SourceLocation Hash, llvm::StringRef Name) {
                              if (Name.starts_with("include") &&
                                  (!Open.empty() || includesConditions(Hash)))
                                Wrong = Hash;
                              if (Name.starts_with("if"))
                                return Open.push_back({Hash});
                              if (!Name.starts_with("el") && Name != "endif")
                                return;
                              if (Open.empty()) {
                                Wrong = Hash;
                                return;
                              }
                              Open.back().push_back(Hash);
                              if (Name == "endif") {
                                Conditions.push_back(std::move(Open.back()));
                                Open.pop_back();
                              }
                            });
    if (Wrong.isInvalid() && !Open.empty())
      Wrong = Open.back().front();
    llvm::sort(Conditions, [](const Directives &A, const Directives &B) {
      return A.front() < B.front();
    });
    for (const Directives &Each : Conditions)
      addCondition(Each, Places);
    return Wrong;
  }

  void addCondition(const Directives &Each,
                    llvm::ArrayRef<SourceLocation> Places) {
    const Stretch Whole = {Each.front(), Each.back()};
    if (isIn(Beside, Whole.Begin) || isIn(Optional, Whole.Begin))
      return;
    for (size_t I = 0; I + 1 < Each.size(); ++I) {
      const Stretch Branch = {Each[I], Each[I + 1]};
      if (Places.empty() || !llvm::all_of(Places, [&](SourceLocation Where) {
            return Branch.holds(Where);
          }))
        continue;
      Beside.push_back({Whole.Begin, Branch.Begin});
      Beside.push_back({Branch.End, Whole.End});
      return;
    }
    Optional.push_back(Whole);
  }

  /// The file that is included there is not the same in all builds.
  bool includesConditions(SourceLocation Hash) const {
    const SourceLocation Line = Source.nextLineStart(Hash);
    for (unsigned I = 0; I < SM.local_sloc_entry_size(); ++I) {
      const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
      if (!Entry.isFile())
        continue;
      const SourceLocation From = Entry.getFile().getIncludeLoc();
      if (From.isInvalid() || From < Hash || (Line.isValid() && From >= Line))
        continue;
      const FileID File =
          SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset()));
      if (Source.holdsCondition(SM.getLocForStartOfFile(File),
                                SM.getLocForEndOfFile(File)))
        return true;
    }
    return false;
  }

  const FunctionDecl &Spelled;
  const SourceManager &SM;
  const SourceText Source;
  const SourceLocation Begin, End;
  std::vector<Stretch> Beside;
};

/// Compares a loop with what it may be in other builds.
class Comparison {
public:
  Comparison(const LoopCandidate &C, llvm::StringRef Form, OtherBuilds &Others,
             ASTContext &Context)
      : Effects(*C.Effects), Others(Others), Context(Context),
        SM(Context.getSourceManager()), Deciding(C, Form, Context),
        Words(Deciding.Names, Deciding.ReadsMemory, Others, Context) {}

  SourceLocation run() {
    for (const Deciders::Code &Each : Deciding.All)
      if (mayDiffer(Each))
        return Each.Begin;
    for (const auto &[Global, Use] : Deciding.Globals)
      if (Others.mayReplace(*Global, Use))
        return Use;
    for (const auto &[Function, Places] : Deciding.Ways) {
      llvm::SmallVector<SourceLocation, 2> At;
      for (const Stmt *S : Places)
        At.push_back(SM.getExpansionLoc(S->getBeginLoc()));
      if (const SourceLocation Where = findIn(*Function, At); Where.isValid())
        return Where;
    }
    for (const FunctionDecl *Function : Effects.Functions)
      if (const SourceLocation Where = findElsewhere(*Function);
          Where.isValid())
        return Where;
    return {};
  }

private:
  /// Code of a function beside the ways to the loop.
  SourceLocation findElsewhere(const FunctionDecl &Function) {
    if (Deciding.Ways.contains(&Function) ||
        SM.isInSystemHeader(SM.getExpansionLoc(Function.getLocation())))
      return {};
    FunctionText Text(Function, Context);
    if (const SourceLocation Where = Text.read({}); Where.isValid())
      return Where;
    for (const Stretch &Each : Text.Optional)
      if (!Words.isHarmlessElsewhere(Text.All, Text.indexOf(Each.Begin),
                                     Text.indexOf(Each.End)))
        return Each.Begin;
    return {};
  }

  /// Macros that stand for nothing here have a part in it, too.
  bool isSpelledElse(const Deciders::Code &Code) const {
    const auto Last = Lexer::findPreviousToken(
        Code.End, SM, Context.getLangOpts(), /*IncludeComments=*/false);
    return !Last || SourceConditions(Context).holdsOtherMacro(
                        Code.Begin, std::max(Code.Begin, Last->getLocation()),
                        Code.Begin);
  }

  bool mayDiffer(const Deciders::Code &Code) {
    return !SM.isWrittenInSameFile(Code.Begin, Code.End) ||
           isSpelledElse(Code) || Others.mayRespell(Code.Begin, Code.End) ||
           llvm::any_of(Code.Parts, [&](const Stmt *Part) {
             return Others.mayCallElse(*Part) || Others.mayChooseElse(*Part);
           });
  }

  SourceLocation findIn(const FunctionDecl &Function,
                        llvm::ArrayRef<SourceLocation> Places) {
    FunctionText Text(Function, Context);
    if (const SourceLocation Where = Text.read(Places); Where.isValid())
      return Where;
    for (const Stretch &Each : Text.Optional) {
      const size_t Begin = Text.indexOf(Each.Begin),
                   End = Text.indexOf(Each.End);
      if (Text.isHead(Each.End) ? !Words.isHarmlessInHead(Text.All, Begin, End)
                                : !Words.isHarmless(Text.All, Begin, End))
        return Each.Begin;
    }
    for (size_t I = 0; I < Text.All.size(); ++I)
      if (!Text.isOptional(Text.All[I].Where) && mayMeanElse(Text.All[I]) &&
          !Words.isHarmlessMacro(Text.All, I))
        return Text.All[I].Where;
    return findDiscarded(Function, Places);
  }

  /// Other builds may give the word another meaning, that this one sees.
  bool mayMeanElse(const CodeToken &T) {
    if (!T.isWord())
      return false;
    const std::vector<MacroText> Known = Others.definitionsOf(T.Text);
    return Known.size() > 1 || (Known.size() == 1 && Known.front().IsLeftOut);
  }

  /// An `if constexpr` of a template, of which other instances have other
  /// branches, that are not around the places.
  SourceLocation findDiscarded(const FunctionDecl &Function,
                               llvm::ArrayRef<SourceLocation> Places) {
    const FunctionDecl &Spelled = spelledFunction(Function);
    if (&Spelled == &Function)
      return {};
    FunctionText Text(Function, Context);
    Text.read(Places);
    SourceLocation Found;
    codeHolds(Spelled, [&](const Stmt &S) {
      const auto *If = dyn_cast<IfStmt>(&S);
      if (!If || !If->isConstexpr())
        return false;
      const Stretch Whole = {SM.getExpansionLoc(If->getBeginLoc()),
                             SM.getExpansionRange(If->getEndLoc()).getEnd()};
      if (!llvm::all_of(Places,
                        [&](SourceLocation At) { return Whole.holds(At); }) &&
          !Words.isHarmlessStatement(Text.All, Text.indexOf(Whole.Begin),
                                     Text.indexOf(Whole.End) + 1))
        Found = Whole.Begin;
      return Found.isValid();
    });
    return Found;
  }

  const KernelEffects &Effects;
  OtherBuilds &Others;
  ASTContext &Context;
  const SourceManager &SM;
  Deciders Deciding;
  OptionalCode Words;
};

} // namespace

SourceLocation differsInOtherBuilds(const LoopCandidate &C,
                                    llvm::StringRef Form, OtherBuilds &Others,
                                    ASTContext &Context) {
  return Comparison(C, Form, Others, Context).run();
}

} // namespace barricade::artificial_barrier

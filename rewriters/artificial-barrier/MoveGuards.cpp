// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a GuardPlan. Refuses where a macro, a directive or a pragma
// stands in it, where there is no room for a flag's declaration, and where
// declarations cannot be written before the `if` (HoistDeclarations).

#include "matchers/source/Statements.h"
#include "rewriters/Indentation.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/Braces.h"
#include "rewriters/artificial-barrier/HoistDeclarations.h"
#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "rewriters/artificial-barrier/LoopText.h"
#include "rewriters/artificial-barrier/Names.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// Code that all threads come to, of which only those with a flag run more than
/// the loops.
struct Surroundings {
  std::string Flag; ///< Empty: no guard is around it yet.
  int Levels;       ///< How far its lines move to the right.
  /// In the body of a loop that votes: that loop's own flag.
  std::string LoopFlag = {};
};

/// One past \p S, also where a macro ends it; invalid where it cannot be found.
SourceLocation endOfStatement(const Stmt &S, const SourceText &Source,
                              const ASTContext &Context) {
  SourceLocation End = Source.afterStatement(S);
  return End.isValid() ? End
                       : Lexer::findLocationAfterToken(
                             S.getEndLoc(), tok::semi,
                             Context.getSourceManager(), Context.getLangOpts(),
                             /*SkipTrailingWhitespaceAndNewLine=*/false);
}

/// What the user says of the jump would be lost with it.
bool commentsJump(const IfStmt &If, const ASTContext &Context) {
  const SourceText Source(Context);
  SourceLocation Begin = If.getRParenLoc(),
                 End = endOfStatement(If, Source, Context);
  if (!SourceText::isWritable(Begin) || !SourceText::isWritable(End))
    return false;
  llvm::StringRef Text = Source.text(CharSourceRange::getCharRange(Begin, End));
  return Text.contains("//") || Text.contains("/*");
}

/// What is left of the end of a branch.
enum class Closing {
  If,    ///< It closes an `if` on the flag: an `else` may follow.
  Block, ///< It closes a block.
  Gone,  ///< Its brace goes away, or there was none.
};

class GuardMover {
public:
  GuardMover(const GuardPlan &Plan, llvm::ArrayRef<NamedLoop> Loops,
             NameSource NewName, const FunctionDecl &Function,
             ASTContext &Context)
      : Plan(Plan), Outermost(*Plan.Outermost->Statement), Loops(Loops),
        NewName(NewName), Function(Function), Context(Context), Source(Context),
        Lines(Source, Outermost.getBeginLoc(), firstInside()) {}

  RewriteResult run() {
    SourceLocation Begin = Outermost.getBeginLoc();
    SourceLocation End = Source.afterStatement(Outermost);
    if (!makeRoomBefore(withAttributes(Outermost, Context), Source, Result,
                        Context))
      refuse(Begin);
    else if (!SourceText::isWritable(Begin) || !SourceText::isWritable(End))
      refuse(Begin, ReasonId::InMacro);
    else if (Source.countDirectives(Begin, End) != countLoopPragmas(Outermost))
      refuse(Begin, ReasonId::Preprocessor);
    if (refused())
      return std::move(Result);
    OneLine = Source.onOneLine(Begin, End);
    liftStatement(*Plan.Outermost, {"", 0});
    llvm::append_range(Result.Edits, Lines.edits(Result.Edits));
    return std::move(Result);
  }

private:
  bool refused() const { return !Result.Blockers.empty(); }

  void refuse(SourceLocation Where, ReasonId Why = ReasonId::GuardShape) {
    Result.refuse(Why, Where);
  }

  /// Lines like `#pragma unroll`, which move with their loops.
  unsigned countLoopPragmas(const Stmt &S) const {
    unsigned Count = 0;
    if (const auto *Attributed = dyn_cast<AttributedStmt>(&S))
      if (const Stmt &Loop = *Attributed->getSubStmt(); isLoop(Loop))
        if (SourceLocation First = beginWithPragmas(Loop, Source, Context);
            First.isValid())
          Count = Source.countDirectives(
              Source.lineStart(First).getLocWithOffset(-1), Loop.getBeginLoc());
    for (const Stmt *Child : S.children())
      if (Child)
        Count += countLoopPragmas(*Child);
    return Count;
  }

  /// A statement that shows how deep the guard's body stands.
  SourceLocation firstInside() const {
    const auto *If = dyn_cast<IfStmt>(&Outermost);
    const Stmt *First = If ? If->getThen() : bodyOf(Outermost);
    if (const auto *Block = dyn_cast<CompoundStmt>(First))
      First = Block->body_empty() ? Block
                                  : &withoutAttributes(*Block->body_front());
    return SourceText::isWritable(First->getBeginLoc())
               ? First->getBeginLoc()
               : Outermost.getBeginLoc();
  }

  //===--------------------------------------------------------------------===//
  // Guards
  //===--------------------------------------------------------------------===//

  /// `if (c) A else B`, with a loop in A or B or both.
  void liftGuard(const SharedStatement &Guard, const Surroundings &Outer) {
    const auto &If = *cast<IfStmt>(Guard.Statement);
    SourceLocation Begin = If.getBeginLoc();
    if (!Source.fileRange(*If.getCond()) ||
        !SourceText::isWritable(If.getRParenLoc()))
      return refuse(Begin, ReasonId::InMacro);
    std::string Flag = NewName("inside");
    std::string Declaration = flagDeclaration(Flag, *If.getCond(), Outer);
    const auto *Block = dyn_cast<CompoundStmt>(If.getThen());
    Closing Then = Closing::If;
    if (Guard.Inner) {
      Then = liftBranch(Begin, "", *If.getThen(), *Guard.Inner, Declaration,
                        {Flag, Outer.Levels});
      if (Block && Then == Closing::Gone && !If.getElse())
        remove(*Block);
    } else {
      replace(Begin, Source.afterToken(If.getRParenLoc()),
              Declaration + newLine(Begin, Outer.Levels) + "if (" + Flag + ")");
    }
    if (!If.getElse() || refused())
      return;
    if (!SourceText::isWritable(If.getElseLoc()) ||
        !SourceText::isWritable(If.getElse()->getBeginLoc()))
      return refuse(If.getElseLoc(), ReasonId::InMacro);
    SourceLocation End = !Block ? If.getElseLoc()
                         : Then == Closing::Gone
                             ? Block->getRBracLoc()
                             : Source.afterToken(Block->getRBracLoc());
    if (Guard.Else)
      liftElse(If, *Guard.Else, End, Then, Flag, Outer);
    else
      keepElse(If, End, Then, Flag, Outer);
  }

  std::string flagDeclaration(const std::string &Flag, const Expr &Condition,
                              const Surroundings &Outer) const {
    std::string Text = conditionText(Condition);
    return "const bool " + Flag + " = " +
           (Outer.Flag.empty() ? Text : Outer.Flag + " && (" + Text + ")") +
           ";";
  }

  /// The condition as the initialiser of a bool.
  std::string conditionText(const Expr &Condition) const {
    std::string Text = Source.text(*Source.fileRange(Condition)).str();
    const Expr *Plain = Condition.IgnoreUnlessSpelledInSource();
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    bool Comma = Op && (Op->isCommaOp() || Op->isAssignmentOp());
    return Plain->getType()->isBooleanType() && !Comma
               ? Text
               : "static_cast<bool>(" + Text + ")";
  }

  /// An `else` without a loop stays as it is, behind whatever became of its
  /// `if`, the text before which ends at \p End.
  void keepElse(const IfStmt &If, SourceLocation End, Closing Then,
                const std::string &Flag, const Surroundings &Outer) {
    const Stmt &Else = *If.getElse();
    SourceLocation AfterElse = Source.afterToken(If.getElseLoc());
    std::string Wrap = isa<IfStmt>(Else) ? " {" : "";
    if (Then == Closing::If && Outer.Flag.empty())
      return;
    if (Then == Closing::If)
      insert(AfterElse, " if (" + Outer.Flag + ")" + Wrap);
    else
      replace(End, AfterElse,
              (Then == Closing::Block ? newLine(If.getBeginLoc(), Outer.Levels)
                                      : "") +
                  "if (" + (Outer.Flag.empty() ? "" : Outer.Flag + " && ") +
                  "!" + Flag + ")" + Wrap);
    if (Wrap.empty())
      return;
    SourceLocation AfterBranch = endOf(Else);
    if (SourceText::isWritable(AfterBranch))
      insert(AfterBranch, " }");
    else
      refuse(Else.getBeginLoc(), ReasonId::InMacro);
  }

  void liftElse(const IfStmt &If, const SharedStatement &Shared,
                SourceLocation End, Closing Then, const std::string &Flag,
                const Surroundings &Outer) {
    std::string Otherwise = "!" + Flag, Declaration;
    if (!Outer.Flag.empty()) {
      Otherwise = NewName("outside");
      Declaration =
          "const bool " + Otherwise + " = " + Outer.Flag + " && !" + Flag + ";";
    }
    bool BeginsLine = Then == Closing::Gone || Source.isFirstOnLine(End);
    Closing Else = liftBranch(
        End, BeginsLine ? "" : newLine(If.getBeginLoc(), Outer.Levels),
        *If.getElse(), Shared, Declaration, {Otherwise, Outer.Levels});
    if (const auto *Block = dyn_cast<CompoundStmt>(If.getElse());
        Block && Else == Closing::Gone)
      remove(*Block);
  }

  /// A branch with a loop, \p Shared without its attributes. What leads to it,
  /// from \p Header on, gives way to \p Declaration, which \p Separator keeps
  /// off the text before.
  Closing liftBranch(SourceLocation Header, const std::string &Separator,
                     const Stmt &Branch, const SharedStatement &Shared,
                     const std::string &Declaration, Surroundings Where) {
    std::string Start = Separator + Declaration;
    std::string Next = Declaration.empty() ? "" : newLine(Header, Where.Levels);
    const auto *Block = dyn_cast<CompoundStmt>(&Branch);
    if (!Block && isa<AttributedStmt>(Branch)) {
      refuse(Branch.getBeginLoc(), ReasonId::Preprocessor);
      return Closing::Gone;
    }
    if (!Block) {
      replace(Header, Branch.getBeginLoc(), Start + Next);
      if (!Source.onOneLine(Header, Branch.getBeginLoc()))
        Lines.moveLines(Branch.getBeginLoc(), Branch.getEndLoc(),
                        --Where.Levels);
      liftStatement(Shared, Where);
      return Closing::Gone;
    }
    if (!SourceText::isWritable(Block->getLBracLoc()) ||
        !SourceText::isWritable(Block->getRBracLoc())) {
      refuse(Branch.getBeginLoc(), ReasonId::InMacro);
      return Closing::Gone;
    }
    SourceLocation AfterOpen = Source.afterToken(Block->getLBracLoc());
    std::vector<HoistedText> Hoisted = hoistAll(Shared.Parts);
    if (refused())
      return Closing::Gone;
    if (!mayFlatten(*Block, Shared.Parts)) {
      replace(Header, AfterOpen, Start + Next + "{");
      liftParts(*Block, Shared.Parts, Hoisted, Where, /*BraceCloses=*/false);
      return Closing::Block;
    }
    if (Declaration.empty())
      Result.Edits.push_back(Source.removal(Header, AfterOpen));
    else
      replace(Header, AfterOpen, Start);
    --Where.Levels;
    return liftParts(*Block, Shared.Parts, Hoisted, Where, /*BraceCloses=*/true)
               ? Closing::If
               : Closing::Gone;
  }

  //===--------------------------------------------------------------------===//
  // Other statements around the loops
  //===--------------------------------------------------------------------===//

  /// One statement with a loop in it, to be run by all threads.
  void liftStatement(const SharedStatement &Shared, const Surroundings &Where) {
    const Stmt &S = *Shared.Statement;
    if (!SourceText::isWritable(S.getBeginLoc()))
      return refuse(S.getBeginLoc(), ReasonId::InMacro);
    switch (Shared.What) {
    case SharedStatement::Kind::BarrierLoop:
      return writeLoop(Shared, Where);
    case SharedStatement::Kind::Guard:
      return liftGuard(Shared, Where);
    case SharedStatement::Kind::Block:
      return liftBlock(Shared, Where);
    case SharedStatement::Kind::UniformLoop:
      return liftLoopBody(Shared, Where);
    case SharedStatement::Kind::VotingLoop:
      return liftVotingLoop(Shared, Where);
    }
  }

  void liftBlock(const SharedStatement &Shared, const Surroundings &Where) {
    std::vector<HoistedText> Hoisted = hoistAll(Shared.Parts);
    if (!refused())
      liftParts(*cast<CompoundStmt>(Shared.Statement), Shared.Parts, Hoisted,
                Where, /*BraceCloses=*/false);
  }

  /// A loop that keeps all threads until the last is done with it.
  void liftVotingLoop(const SharedStatement &Shared,
                      const Surroundings &Where) {
    FlagNames Names;
    Names.Flag = NewName("staying");
    if (!Where.Flag.empty())
      Names.Start = Where.Flag;
    Names.MayDeclare = true;
    RewriteResult Written = keepAllThreads(Shared.Kept, Names, Context);
    llvm::append_range(Result.Blockers, Written.Blockers);
    if (refused())
      return;
    guardStart(Shared.Start, Where);
    liftLoopBody(Shared, {Names.Flag, Where.Levels, Names.Flag});
    SourceLocation File = startOfFile();
    for (Edit &E : Written.Edits) {
      SourceLocation At = File.getLocWithOffset(E.Offset);
      if (llvm::any_of(Skips, [&](SourceRange Skip) {
            return Skip.getBegin() <= At && At < Skip.getEnd();
          }))
        continue;
      E.Text = Lines.moved(E.Text, Lines.levelsOf(At));
      Result.Edits.push_back(std::move(E));
    }
  }

  /// `if (c) continue;` or `if (c) break;` before a loop: the threads that do
  /// so come to the loop, too, and to the vote behind it, but without the flag.
  void writeSkip(const IfStmt &If, const Skip &Plan, Surroundings &Where) {
    SourceLocation Begin = If.getBeginLoc(), End = endOf(If);
    if (!SourceText::isWritable(Begin) || !SourceText::isWritable(End) ||
        !Source.fileRange(*If.getCond()))
      return refuse(Begin, ReasonId::InMacro);
    std::string Condition = conditionText(*If.getCond());
    std::string Passed = Where.Flag + " && !(" + Condition + ");";
    std::string Outer = Where.Flag;
    if (Plan.MakesFlag)
      Where.Flag = NewName("inside");
    std::string Declared = "const bool " + Where.Flag + " = ";
    if (!Plan.Leaves)
      replace(Begin, End, Declared + Passed);
    else if (!Plan.MakesFlag)
      replace(Begin, End, Outer + " = " + Passed);
    else
      replace(Begin, End,
              "if (" + Outer + " && (" + Condition + ")) " + Where.LoopFlag +
                  " = false;" + newLine(Begin, Where.Levels) + Declared +
                  Outer + " && " + Where.LoopFlag + ";");
    Skips.push_back({Begin, End});
  }

  SourceLocation startOfFile() const {
    const SourceManager &SM = Context.getSourceManager();
    return SM.getLocForStartOfFile(SM.getFileID(Outermost.getBeginLoc()));
  }

  void liftLoopBody(const SharedStatement &Shared, const Surroundings &Where) {
    const Stmt &Loop = *Shared.Statement;
    const Stmt &Body = *bodyOf(Loop);
    bool Braces = !isa<CompoundStmt>(Body);
    SourceLocation Header = headerEnd(Loop, Source), End = endOf(Body);
    if (!SourceText::isWritable(Header) || !SourceText::isWritable(End))
      return refuse(Loop.getBeginLoc(), ReasonId::InMacro);
    if (Braces)
      insert(Header, " {");
    liftStatement(*Shared.Inner, Where);
    if (Braces)
      closeBody(Loop, End, newLine(Loop.getBeginLoc(), Where.Levels), Source,
                Result);
  }

  void writeLoop(const SharedStatement &Shared, const Surroundings &Where) {
    FlagNames Names = llvm::find_if(Loops, [&](const NamedLoop &L) {
                        return L.Loop == Shared.Statement;
                      })->Names;
    Names.Start = Where.Flag;
    Names.MayDeclare = true;
    RewriteResult Written = keepAllThreads(Shared.Kept, Names, Context);
    for (Edit &E : Written.Edits) {
      E.Text = Lines.moved(E.Text, Where.Levels);
      Result.Edits.push_back(std::move(E));
    }
    llvm::append_range(Result.Blockers, Written.Blockers);
    guardStart(Shared.Start, Where);
  }

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  /// The text of what each of \p Parts hoists.
  std::vector<HoistedText> hoistAll(llvm::ArrayRef<GuardedPart> Parts) {
    std::vector<HoistedText> Texts;
    for (const GuardedPart &P : Parts) {
      Texts.push_back(hoistDeclarations(P.Run, Function, Context));
      if (Texts.back().Obstacle.isValid())
        refuse(Texts.back().Obstacle);
    }
    return Texts;
  }

  /// The braces of the block can go: nothing outside of it has a name that is
  /// declared for all threads within.
  bool mayFlatten(const CompoundStmt &Block,
                  llvm::ArrayRef<GuardedPart> Parts) const {
    llvm::StringSet<> Names = namesOutside(Parts);
    if (Names.empty())
      return true;
    SourceLocation Begin = Function.getBody()->getBeginLoc();
    SourceLocation End = Function.getBody()->getEndLoc();
    return !mentionsAny(Names, Function, &Block) &&
           SourceText::isWritable(Begin) && SourceText::isWritable(End) &&
           llvm::none_of(Names.keys(), [&](llvm::StringRef Name) {
             return Source.hasNameBetween(Name, Begin, Block.getLBracLoc()) ||
                    Source.hasNameBetween(Name, Block.getRBracLoc(), End);
           });
  }

  /// The names that are declared outside of the `if`s.
  static llvm::StringSet<> namesOutside(llvm::ArrayRef<GuardedPart> Parts) {
    llvm::StringSet<> Names;
    const auto Add = [&](const Stmt *Declaration) {
      for (const auto *D : cast<DeclStmt>(Declaration)->decls())
        Names.insert(cast<VarDecl>(D)->getName());
    };
    for (const GuardedPart &P : Parts) {
      llvm::for_each(P.Run.FreeBefore, Add);
      llvm::for_each(P.Run.FreeAfter, Add);
      for (const HoistedDeclaration &H : P.Run.Hoisted)
        Add(H.Declaration);
    }
    return Names;
  }

  /// Writes the parts of \p Block. Where \p BraceCloses, the `if` around the
  /// last run may end at the block's own brace: whether it does.
  bool liftParts(const CompoundStmt &Block, llvm::ArrayRef<GuardedPart> Parts,
                 llvm::ArrayRef<HoistedText> Hoisted, Surroundings Where,
                 bool BraceCloses) {
    SourceLocation Written = Source.afterToken(Block.getLBracLoc());
    SourceLocation Close = Block.getRBracLoc();
    moveLinesBelow(Written, Close, Where.Levels + 1);
    bool Closed = false;
    for (const auto &[P, Text] : llvm::zip(Parts, Hoisted)) {
      if (refused())
        return false;
      if (P.Single) {
        SourceLocation End = endOf(*P.Single);
        moveLinesBelow(Written, End, Where.Levels);
        if (P.Skipping)
          writeSkip(*cast<IfStmt>(P.Single), *P.Skipping, Where);
        else
          liftStatement(*P.WithLoop, Where);
        Written = End;
        continue;
      }
      liftFree(P.Run.FreeBefore, Written, Where);
      if (!P.Run.Guarded.empty()) {
        Closed = BraceCloses && &P == &Parts.back() && P.Run.FreeAfter.empty();
        SourceLocation End = endOf(*P.Run.Guarded.back());
        writeRun(P.Run, Text, Written, End, Where, Closed);
        Written = End;
      }
      liftFree(P.Run.FreeAfter, Written, Where);
    }
    if (!Closed && Written.isValid())
      moveLinesBelow(Written, Close, Where.Levels);
    return Closed;
  }

  /// Declarations that stay, behind what is \p Written.
  void liftFree(llvm::ArrayRef<Stmt *> Free, SourceLocation &Written,
                const Surroundings &Where) {
    if (Free.empty())
      return;
    SourceLocation End = endOf(*Free.back());
    moveLinesBelow(Written, End, Where.Levels);
    Written = End;
  }

  /// Lines that begin behind \p Where, up to the one that ends at \p End.
  void moveLinesBelow(SourceLocation Where, SourceLocation End, int Levels) {
    SourceLocation First = Source.nextLineStart(Where);
    if (End.isValid() && Source.isFirstOnLine(End))
      End = Source.lineStart(End).getLocWithOffset(-1);
    if (First.isValid() && End.isValid() && First <= End)
      Lines.moveLines(First, End, Levels);
  }

  /// `if (flag) { ... }` around a run that begins behind \p Before and ends at
  /// \p End; \p Closed: the block's brace is its own.
  void writeRun(const GuardedRun &Run, const HoistedText &Hoisted,
                SourceLocation Before, SourceLocation End,
                const Surroundings &Where, bool Closed) {
    const Stmt &First = withoutAttributes(*Run.Guarded.front());
    SourceLocation Begin = Context.getSourceManager().getExpansionLoc(
        beginWithPragmas(First, Source, Context));
    if (Begin.isInvalid() || !startsInFile(First) ||
        !SourceText::isWritable(End))
      return refuse(First.getBeginLoc(), ReasonId::InMacro);
    std::vector<std::string> Opening = Hoisted.Lines;
    Opening.push_back("if (" + Where.Flag + ") {");
    SourceLocation Lead = Source.leadingComment(Before, Begin);
    bool OwnLine = Source.isFirstOnLine(Lead);
    std::string Indent = Lines.at(Begin, Where.Levels);
    std::string Text;
    for (const std::string &Line : Opening)
      Text +=
          OwnLine ? Indent + Line + Source.lineEnding(Begin).str() : Line + " ";
    insert(OwnLine ? Source.lineStart(Lead) : Begin, std::move(Text));
    llvm::append_range(Result.Edits, Hoisted.Edits);
    if (Closed)
      return;
    bool Inline = !OwnLine && Source.onOneLine(Begin, End);
    insert(Inline ? End : Source.afterTrailingComment(End),
           Inline ? " }" : Source.lineEnding(Begin).str() + Indent + "}");
  }

  bool startsInFile(const Stmt &S) const {
    SourceLocation Begin = S.getBeginLoc();
    return SourceText::isWritable(Begin) ||
           Lexer::isAtStartOfMacroExpansion(Begin, Context.getSourceManager(),
                                            Context.getLangOpts());
  }

  SourceLocation endOf(const Stmt &S) const {
    return endOfStatement(S, Source, Context);
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  void guardStart(const LoopStart &Start, const Surroundings &Where) {
    if (Start.Guarded)
      wrap(*Start.Guarded, Where.Flag + " ? (void)(", ") : (void)0");
    for (const VarDecl *Var : Start.Zeroed)
      wrap(*Var->getInit(), Where.Flag + " ? (",
           Var->getType()->isPointerType() ? ") : nullptr" : ") : 0");
  }

  //===--------------------------------------------------------------------===//
  // Text
  //===--------------------------------------------------------------------===//

  std::string newLine(SourceLocation At, int Levels) const {
    return OneLine ? " " : Source.lineEnding(At).str() + Lines.at(At, Levels);
  }

  void insert(SourceLocation Where, std::string Text) {
    Result.Edits.push_back(Source.insertion(Where, std::move(Text)));
  }

  void replace(SourceLocation Begin, SourceLocation AfterEnd,
               std::string Text) {
    Result.Edits.push_back(
        Source.replacement(Begin, AfterEnd, std::move(Text)));
  }

  void remove(const CompoundStmt &Closed) {
    Result.Edits.push_back(Source.removal(
        Closed.getRBracLoc(), Source.afterToken(Closed.getRBracLoc())));
  }

  void wrap(const Expr &E, std::string Before, std::string After) {
    auto Range = Source.fileRange(E);
    if (!Range)
      return refuse(E.getBeginLoc(), ReasonId::InMacro);
    insert(Range->getBegin(), std::move(Before));
    insert(Range->getEnd(), std::move(After));
  }

  const GuardPlan &Plan;
  const Stmt &Outermost;
  const llvm::ArrayRef<NamedLoop> Loops;
  const NameSource NewName;
  const FunctionDecl &Function;
  ASTContext &Context;
  const SourceText Source;
  Indentation Lines;
  bool OneLine = false;
  /// Statements that became a flag, breaks among them.
  std::vector<SourceRange> Skips;
  RewriteResult Result;
};

} // namespace

RewriteResult moveGuards(const GuardPlan &Plan, llvm::ArrayRef<NamedLoop> Loops,
                         NameSource NewName, const FunctionDecl &Function,
                         ASTContext &Context) {
  return GuardMover(Plan, Loops, NewName, Function, Context).run();
}

TextQuestions textQuestions(ASTContext &Context) {
  return {[&Context](const DeclStmt &Declaration) {
            return SourceText(Context).fileRange(Declaration).has_value();
          },
          [&Context](const IfStmt &If) { return commentsJump(If, Context); }};
}

} // namespace barricade::artificial_barrier

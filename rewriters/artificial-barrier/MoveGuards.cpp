// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/LoopJumps.h"
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

bool jumpsAway(const Stmt &S, bool ReturnsCount) {
  LoopJumps Jumps = jumpsOutOf(S);
  return !Jumps.Breaks.empty() || !Jumps.Continues.empty() ||
         !Jumps.Gotos.empty() || (ReturnsCount && !Jumps.Returns.empty());
}

/// A piece of a block: one statement with a loop in it, one by which threads
/// skip the rest of a voting loop's body, or a run of others.
struct Part {
  const Stmt *WithLoop = nullptr;
  const IfStmt *Skip = nullptr;
  GuardedRun Run;
};

/// Code that all threads come to, of which only those with a flag run more than
/// the loops.
struct Surroundings {
  std::string Flag; ///< Empty: no guard is around it yet.
  int Levels;       ///< How far its lines move to the right.
  /// The `if` or the loop's body that the flag speaks of: outside of it, it is
  /// the others' variables, too, that may change.
  const Stmt *Guard = nullptr;
  /// In the body of a loop that votes: that loop's own flag.
  std::string LoopFlag = {};
};

/// The `continue` or `break` that is all there is in the `if` \p S; otherwise
/// null.
const Stmt *onlyJumpIn(const IfStmt &S) {
  const Stmt *Then = S.getThen();
  if (const auto *Block = dyn_cast<CompoundStmt>(Then);
      Block && Block->size() == 1)
    Then = Block->body_front();
  return isa<ContinueStmt, BreakStmt>(Then) && !S.getElse() && !S.getInit() &&
                 !S.getConditionVariable() && !S.isConstexpr()
             ? Then
             : nullptr;
}

/// What is left of the end of a branch.
enum class Closing {
  If,    ///< It closes an `if` on the flag: an `else` may follow.
  Block, ///< It closes a block.
  Gone,  ///< Its brace goes away, or there was none.
};

class GuardMover {
public:
  GuardMover(const Stmt &Outermost, llvm::ArrayRef<GuardedLoop> Loops,
             NameSource NewName, const FunctionDecl &Function,
             ASTContext &Context)
      : Outermost(Outermost), Loops(Loops), NewName(NewName),
        Function(Function), IsKernel(Function.hasAttr<CUDAGlobalAttr>()),
        Context(Context), Source(Context),
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
    liftStatement(Outermost, {"", 0});
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

  /// \p S without attributes.
  static const Stmt &plain(const Stmt &S) {
    const auto *Attributed = dyn_cast<AttributedStmt>(&S);
    return Attributed ? *Attributed->getSubStmt() : S;
  }

  /// A statement that shows how deep the guard's body stands.
  SourceLocation firstInside() const {
    const auto *If = dyn_cast<IfStmt>(&Outermost);
    const Stmt *First = If ? If->getThen() : bodyOf(Outermost);
    if (const auto *Block = dyn_cast<CompoundStmt>(First))
      First = Block->body_empty() ? Block : &plain(*Block->body_front());
    return SourceText::isWritable(First->getBeginLoc())
               ? First->getBeginLoc()
               : Outermost.getBeginLoc();
  }

  bool holdsLoop(const Stmt *S) const {
    return holds(S, [&](const Stmt &Inner) {
      return llvm::any_of(
          Loops, [&](const GuardedLoop &L) { return L.Loop == &Inner; });
    });
  }

  //===--------------------------------------------------------------------===//
  // Guards
  //===--------------------------------------------------------------------===//

  /// `if (c) A else B`, with a loop in A or B or both.
  void liftGuard(const IfStmt &If, const Surroundings &Outer) {
    SourceLocation Begin = If.getBeginLoc();
    if (If.getInit() || If.getConditionVariable() || If.isConstexpr())
      return refuse(Begin);
    if (!Source.fileRange(*If.getCond()) ||
        !SourceText::isWritable(If.getRParenLoc()))
      return refuse(Begin, ReasonId::InMacro);
    std::string Flag = NewName("inside");
    std::string Declaration = flagDeclaration(Flag, *If.getCond(), Outer);
    const auto *Block = dyn_cast<CompoundStmt>(If.getThen());
    Closing Then = Closing::If;
    if (holdsLoop(If.getThen())) {
      Then = liftBranch(Begin, "", *If.getThen(), Declaration,
                        {Flag, Outer.Levels, &If});
      if (Block && Then == Closing::Gone && !If.getElse())
        remove(*Block);
    } else {
      replace(Begin, Source.afterToken(If.getRParenLoc()),
              Declaration + newLine(Begin, Outer.Levels) + "if (" + Flag + ")");
      noteJump(*If.getThen());
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
    if (holdsLoop(If.getElse()))
      liftElse(If, End, Then, Flag, Outer);
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
    noteJump(Else);
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

  void liftElse(const IfStmt &If, SourceLocation End, Closing Then,
                const std::string &Flag, const Surroundings &Outer) {
    std::string Otherwise = "!" + Flag, Declaration;
    if (!Outer.Flag.empty()) {
      Otherwise = NewName("outside");
      Declaration =
          "const bool " + Otherwise + " = " + Outer.Flag + " && !" + Flag + ";";
    }
    bool BeginsLine = Then == Closing::Gone || Source.isFirstOnLine(End);
    Closing Else = liftBranch(
        End, BeginsLine ? "" : newLine(If.getBeginLoc(), Outer.Levels),
        *If.getElse(), Declaration, {Otherwise, Outer.Levels, &If});
    if (const auto *Block = dyn_cast<CompoundStmt>(If.getElse());
        Block && Else == Closing::Gone)
      remove(*Block);
  }

  /// A branch with a loop. What leads to it, from \p Header on, gives way to
  /// \p Declaration, which \p Separator keeps off the text before.
  Closing liftBranch(SourceLocation Header, const std::string &Separator,
                     const Stmt &Branch, const std::string &Declaration,
                     Surroundings Where) {
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
      liftStatement(Branch, Where);
      return Closing::Gone;
    }
    if (!SourceText::isWritable(Block->getLBracLoc()) ||
        !SourceText::isWritable(Block->getRBracLoc())) {
      refuse(Branch.getBeginLoc(), ReasonId::InMacro);
      return Closing::Gone;
    }
    SourceLocation AfterOpen = Source.afterToken(Block->getLBracLoc());
    std::vector<Part> Parts = partsOf(*Block, /*IsLoopBody=*/false);
    if (!mayFlatten(*Block, Parts)) {
      replace(Header, AfterOpen, Start + Next + "{");
      liftParts(*Block, Parts, Where, /*BraceCloses=*/false);
      return Closing::Block;
    }
    if (Declaration.empty())
      Result.Edits.push_back(Source.removal(Header, AfterOpen));
    else
      replace(Header, AfterOpen, Start);
    --Where.Levels;
    return liftParts(*Block, Parts, Where, /*BraceCloses=*/true)
               ? Closing::If
               : Closing::Gone;
  }

  //===--------------------------------------------------------------------===//
  // Other statements around the loops
  //===--------------------------------------------------------------------===//

  /// One statement with a loop in it, to be run by all threads.
  void liftStatement(const Stmt &Whole, const Surroundings &Where) {
    const Stmt &S = plain(Whole);
    if (!SourceText::isWritable(S.getBeginLoc()))
      return refuse(S.getBeginLoc(), ReasonId::InMacro);
    for (const GuardedLoop &L : Loops)
      if (L.Loop == &S)
        return writeLoop(L, Where);
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return liftGuard(*If, Where);
    if (const auto *Block = dyn_cast<CompoundStmt>(&S)) {
      liftParts(*Block, partsOf(*Block, Where.Guard == Block), Where,
                /*BraceCloses=*/false);
      return;
    }
    if (!isLoop(S) || !holdsLoop(bodyOf(S)))
      return refuse(S.getBeginLoc());
    if (llvm::any_of(Loops, [&](const GuardedLoop &L) {
          return llvm::is_contained(L.Enclosing, &S);
        }))
      liftUniformLoop(S, Where);
    else
      liftVotingLoop(S, Where);
  }

  /// A loop that all threads run equally often.
  void liftUniformLoop(const Stmt &Loop, const Surroundings &Where) {
    liftLoopBody(Loop, Where);
    // The next iteration comes to the barrier, too.
    if (Jump.isValid())
      refuse(Jump);
  }

  /// A loop that keeps all threads until the last is done with it.
  void liftVotingLoop(const Stmt &Loop, const Surroundings &Where) {
    if (Jump.isValid())
      return refuse(Jump);
    ActiveForm Form;
    Form.Flag = NewName("staying");
    if (!Where.Flag.empty())
      Form.Start = Where.Flag;
    Form.Barrier = Loops.front().Form.Barrier;
    Form.MayDeclare = true;
    Form.GuardBody = false;
    RewriteResult Written = keepAllThreads(Loop, Form, Context);
    llvm::append_range(Result.Blockers, Written.Blockers);
    if (refused())
      return;
    guardInitialisation(Loop, Where);
    liftLoopBody(Loop, {Form.Flag, Where.Levels, bodyOf(Loop), Form.Flag});
    // What jumps in the body leads to the vote.
    Jump = SourceLocation();
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
  void writeSkip(const IfStmt &Skip, Surroundings &Where) {
    SourceLocation Begin = Skip.getBeginLoc(), End = endOf(Skip);
    if (!SourceText::isWritable(Begin) || !SourceText::isWritable(End) ||
        !Source.fileRange(*Skip.getCond()))
      return refuse(Begin, ReasonId::InMacro);
    std::string Condition = conditionText(*Skip.getCond());
    std::string Passed = Where.Flag + " && !(" + Condition + ");";
    bool Leaves = isa<BreakStmt>(onlyJumpIn(Skip));
    std::string Outer = Where.Flag;
    if (!Leaves || Outer != Where.LoopFlag)
      Where.Flag = NewName("inside");
    std::string Declared = "const bool " + Where.Flag + " = ";
    if (!Leaves)
      replace(Begin, End, Declared + Passed);
    else if (Outer == Where.LoopFlag)
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

  void liftLoopBody(const Stmt &Loop, const Surroundings &Where) {
    const Stmt &Body = *bodyOf(Loop);
    bool Braces = !isa<CompoundStmt>(Body);
    SourceLocation Header = headerEnd(Loop, Source), End = endOf(Body);
    if (!SourceText::isWritable(Header) || !SourceText::isWritable(End))
      return refuse(Loop.getBeginLoc(), ReasonId::InMacro);
    if (Braces)
      insert(Header, " {");
    liftStatement(Body, Where);
    if (Braces)
      closeBody(Loop, End, newLine(Loop.getBeginLoc(), Where.Levels), Source,
                Result);
  }

  void writeLoop(const GuardedLoop &L, const Surroundings &Where) {
    if (Jump.isValid())
      return refuse(Jump);
    ActiveForm Form = L.Form;
    Form.Start = Where.Flag;
    Form.MayDeclare = true;
    RewriteResult Written = keepAllThreads(*L.Loop, Form, Context);
    for (Edit &E : Written.Edits) {
      E.Text = Lines.moved(E.Text, Where.Levels);
      Result.Edits.push_back(std::move(E));
    }
    llvm::append_range(Result.Blockers, Written.Blockers);
    guardInitialisation(*L.Loop, Where);
  }

  /// A thread that jumps away would be missed at a later barrier. From a kernel
  /// it may return: then nobody waits for it.
  void noteJump(const Stmt &S) {
    if (Jump.isInvalid() && jumpsAway(S, !IsKernel))
      Jump = S.getBeginLoc();
  }

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  /// What the user says of the jump would be lost with it.
  bool commentsJump(const IfStmt &If) const {
    SourceLocation Begin = If.getRParenLoc(), End = endOf(If);
    if (!SourceText::isWritable(Begin) || !SourceText::isWritable(End))
      return false;
    llvm::StringRef Text =
        Source.text(CharSourceRange::getCharRange(Begin, End));
    return Text.contains("//") || Text.contains("/*");
  }

  /// \p IsLoopBody: of a loop that votes.
  std::vector<Part> partsOf(const CompoundStmt &Block, bool IsLoopBody) {
    std::vector<Part> Parts;
    llvm::ArrayRef<Stmt *> Rest(const_cast<Stmt **>(Block.body_begin()),
                                Block.size());
    auto IsSkip = [&](const Stmt *S) {
      const auto *If = dyn_cast<IfStmt>(S);
      return IsLoopBody && If && onlyJumpIn(*If) && !commentsJump(*If) &&
             llvm::any_of(Rest, [&](const Stmt *Later) {
               return If->getEndLoc() < Later->getBeginLoc() &&
                      holdsLoop(Later);
             });
    };
    while (!Rest.empty()) {
      Part P;
      if (IsSkip(Rest.front())) {
        P.Skip = cast<IfStmt>(Rest.front());
        Rest = Rest.drop_front();
        Parts.push_back(std::move(P));
        continue;
      }
      llvm::ArrayRef<Stmt *> Run = Rest.take_while(
          [&](const Stmt *S) { return !holdsLoop(S) && !IsSkip(S); });
      Rest = Rest.drop_front(Run.size());
      if (Run.empty()) {
        P.WithLoop = Rest.front();
        Rest = Rest.drop_front();
      } else {
        P.Run = guardRun(Run, Rest, Function, Context);
        if (P.Run.Obstacle.isValid())
          refuse(P.Run.Obstacle);
      }
      Parts.push_back(std::move(P));
    }
    return Parts;
  }

  /// The braces of the block can go: nothing outside of it has a name that is
  /// declared for all threads within.
  bool mayFlatten(const CompoundStmt &Block, llvm::ArrayRef<Part> Parts) const {
    llvm::StringSet<> Names;
    for (const Part &P : Parts)
      for (llvm::StringRef Name : P.Run.Names.keys())
        Names.insert(Name);
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

  /// Writes the parts of \p Block. Where \p BraceCloses, the `if` around the
  /// last run may end at the block's own brace: whether it does.
  bool liftParts(const CompoundStmt &Block, llvm::ArrayRef<Part> Parts,
                 Surroundings Where, bool BraceCloses) {
    for (const Stmt *S : Block.body())
      if (isa<SwitchCase, LabelStmt>(S))
        refuse(S->getBeginLoc());
    SourceLocation Written = Source.afterToken(Block.getLBracLoc());
    SourceLocation Close = Block.getRBracLoc();
    moveLinesBelow(Written, Close, Where.Levels + 1);
    bool Closed = false;
    for (const Part &P : Parts) {
      if (refused())
        return false;
      if (const Stmt *Single = P.Skip ? P.Skip : P.WithLoop) {
        SourceLocation End = endOf(*Single);
        moveLinesBelow(Written, End, Where.Levels);
        if (P.Skip)
          writeSkip(*P.Skip, Where);
        else
          liftStatement(*P.WithLoop, Where);
        Written = End;
        continue;
      }
      liftFree(P.Run.FreeBefore, Written, Where);
      if (!P.Run.Guarded.empty()) {
        Closed = BraceCloses && &P == &Parts.back() && P.Run.FreeAfter.empty();
        SourceLocation End = endOf(*P.Run.Guarded.back());
        writeRun(P.Run, Written, End, Where, Closed);
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
  void writeRun(const GuardedRun &Run, SourceLocation Before,
                SourceLocation End, const Surroundings &Where, bool Closed) {
    const Stmt &First = plain(*Run.Guarded.front());
    SourceLocation Begin = Context.getSourceManager().getExpansionLoc(
        beginWithPragmas(First, Source, Context));
    if (Begin.isInvalid() || !startsInFile(First) ||
        !SourceText::isWritable(End))
      return refuse(First.getBeginLoc(), ReasonId::InMacro);
    for (const Stmt *S : Run.Guarded)
      noteJump(*S);
    std::vector<std::string> Opening = Run.Hoisted;
    Opening.push_back("if (" + Where.Flag + ") {");
    SourceLocation Lead = Source.leadingComment(Before, Begin);
    bool OwnLine = Source.isFirstOnLine(Lead);
    std::string Indent = Lines.at(Begin, Where.Levels);
    std::string Text;
    for (const std::string &Line : Opening)
      Text +=
          OwnLine ? Indent + Line + Source.lineEnding(Begin).str() : Line + " ";
    insert(OwnLine ? Source.lineStart(Lead) : Begin, std::move(Text));
    llvm::append_range(Result.Edits, Run.Edits);
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

  /// One past \p S, also where a macro ends it; invalid where it cannot be
  /// found.
  SourceLocation endOf(const Stmt &S) const {
    SourceLocation End = Source.afterStatement(S);
    return End.isValid()
               ? End
               : Lexer::findLocationAfterToken(
                     S.getEndLoc(), tok::semi, Context.getSourceManager(),
                     Context.getLangOpts(),
                     /*SkipTrailingWhitespaceAndNewLine=*/false);
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  /// Threads outside the guard must not evaluate what the loop starts with.
  void guardInitialisation(const Stmt &Loop, const Surroundings &Where) {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    if (!For || !For->getInit() || !Where.Guard)
      return;
    if (const auto *E = dyn_cast<Expr>(For->getInit())) {
      if (!startsOwnVariable(*E, *Where.Guard))
        wrap(*E, Where.Flag + " ? (void)(", ") : (void)0");
      return;
    }
    const auto *Decl = cast<DeclStmt>(For->getInit());
    for (const auto *D : Decl->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var)
        return refuse(Decl->getBeginLoc());
      const Expr *Init = Var->getInit();
      if (isPlainScalar(*Var) && (!Init || Init->isCXX11ConstantExpr(Context)))
        continue;
      // The other arm is an int: neither an enumeration nor `auto` takes it,
      // and a class converts to it in its own way.
      if (!Init || !isPlainScalar(*Var) || Var->getType()->isEnumeralType() ||
          Var->getType()->getContainedDeducedType() ||
          Init->IgnoreUnlessSpelledInSource()->getType()->isRecordType() ||
          Var->getInitStyle() != VarDecl::CInit)
        return refuse(Decl->getBeginLoc());
      wrap(*Init, Where.Flag + " ? (",
           Var->getType()->isPointerType() ? ") : nullptr" : ") : 0");
    }
  }

  /// `k = 0`, where \p Guard declares `k`: nothing is lost where a thread
  /// outside of it does so, too.
  bool startsOwnVariable(const Expr &E, const Stmt &Guard) const {
    const auto *Assign = dyn_cast<BinaryOperator>(&E);
    if (!Assign || Assign->getOpcode() != BO_Assign ||
        !Assign->getRHS()->isCXX11ConstantExpr(Context))
      return false;
    const auto *Ref = dyn_cast<DeclRefExpr>(Assign->getLHS()->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Var && isPlainScalar(*Var) && declaredInside(*Var, Guard);
  }

  static bool declaredInside(const VarDecl &Var, const Stmt &Guard) {
    return holds(&Guard, [&](const Stmt &S) {
      const auto *Decl = dyn_cast<DeclStmt>(&S);
      return Decl && llvm::is_contained(Decl->decls(), &Var);
    });
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

  const Stmt &Outermost;
  const llvm::ArrayRef<GuardedLoop> Loops;
  const NameSource NewName;
  const FunctionDecl &Function;
  const bool IsKernel;
  ASTContext &Context;
  const SourceText Source;
  Indentation Lines;
  bool OneLine = false;
  /// A statement after which some threads may be missed.
  SourceLocation Jump;
  /// Statements that became a flag, breaks among them.
  std::vector<SourceRange> Skips;
  RewriteResult Result;
};

} // namespace

RewriteResult moveGuards(const Stmt &Outermost,
                         llvm::ArrayRef<GuardedLoop> Loops, NameSource NewName,
                         const FunctionDecl &Function, ASTContext &Context) {
  return GuardMover(Outermost, Loops, NewName, Function, Context).run();
}

} // namespace barricade::artificial_barrier

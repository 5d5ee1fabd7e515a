// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a KeptLoop. Refuses where a macro, a directive or a pragma stands
// in it, or where there is no room for the flag's declaration.

#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/Braces.h"
#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "rewriters/artificial-barrier/LoopText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

class ActiveWriter {
public:
  ActiveWriter(const KeptLoop &Plan, const FlagNames &Names,
               ASTContext &Context)
      : Plan(Plan), Loop(*Plan.Loop), Names(Names), Context(Context),
        Source(Context) {}

  RewriteResult run() {
    check();
    if (!Result.Blockers.empty())
      return std::move(Result);
    declareFlag();
    if (const auto *For = dyn_cast<ForStmt>(&Loop))
      writeFor(*For);
    else if (const auto *While = dyn_cast<WhileStmt>(&Loop))
      writeWhile(*While);
    else
      writeDo(*cast<DoStmt>(&Loop));
    for (const Stmt *Break : Plan.Breaks)
      writeBreak(*Break);
    breakLineBehind(Loop, Source, Result.Edits);
    return std::move(Result);
  }

private:
  //===--------------------------------------------------------------------===//
  // What the text must be like
  //===--------------------------------------------------------------------===//

  void check() {
    SourceLocation Begin = Loop.getBeginLoc();
    const Stmt &Whole = withAttributes(Loop, Context);
    if (!Names.MayDeclare && !makeRoomBefore(Whole, Source, Result, Context))
      return Result.refuse(ReasonId::LoopShape, Begin);
    // With an interval, the pragma's loop would become two.
    if (beginWithPragmas(Loop, Source, Context).isInvalid() ||
        (interval() > 1 && &Whole != &Loop))
      return Result.refuse(ReasonId::Preprocessor, Whole.getBeginLoc());
    if (!SourceText::isWritable(Begin) ||
        !SourceText::isWritable(headerEnd(Loop, Source)) ||
        (condition() && !rangeOf(*condition())) ||
        (increment() && !rangeOf(*increment())))
      return Result.refuse(ReasonId::InMacro, Begin);
    for (const Stmt *Break : Plan.Breaks)
      if (!SourceText::isWritable(Break->getBeginLoc()) ||
          !SourceText::isWritable(Source.afterStatement(*Break)))
        return Result.refuse(ReasonId::InMacro, Break->getBeginLoc());
    if (Source.hasDirectiveBetween(Begin, headerEnd(Loop, Source)))
      return Result.refuse(ReasonId::Preprocessor, Begin);
  }

  unsigned interval() const { return Plan.Settings.Interval; }

  const Expr *condition() const { return conditionOf(Loop); }

  const Expr *increment() const {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    return For ? For->getInc() : nullptr;
  }

  std::optional<CharSourceRange> rangeOf(const Expr &E) const {
    return Source.fileRange(E);
  }

  //===--------------------------------------------------------------------===//
  // Writing
  //===--------------------------------------------------------------------===//

  void insert(SourceLocation Where, std::string Text) {
    Result.Edits.push_back(Source.insertion(Where, std::move(Text)));
  }

  void wrap(const Expr &E, std::string Before, std::string After) {
    CharSourceRange Range = *rangeOf(E);
    insert(Range.getBegin(), std::move(Before));
    insert(Range.getEnd(), std::move(After));
  }

  void declareFlag() {
    Result.Edits.push_back(
        declareBefore(Loop, "bool " + Names.Flag + " = " + Names.Start + ";",
                      Source, Context));
  }

  /// `active = active && (` or, where all threads agree, `active = (`.
  std::string assignBefore() const {
    return Names.Flag + " = " + (Plan.Vote ? Names.Flag + " && " : "") +
           openCondition(*condition()).str();
  }

  /// The header of the inner loop up to the user's condition.
  std::string stripBefore() const {
    return "for (int " + Names.Round + " = 0; " + Names.Round + " < " +
           std::to_string(interval()) + " && (" + assignBefore();
  }

  /// Whoever asks this with `(...)` behind it waits for all to answer.
  std::string voteName() const {
    return Plan.Settings.Barrier ? "__syncthreads_or" : "";
  }
  std::string vote() const { return voteName() + "(" + Names.Flag + ")"; }
  std::string barrier() const {
    return Plan.Settings.Barrier ? "__syncthreads()" : "(void)0";
  }

  void writeFor(const ForStmt &For) {
    if (interval() > 1)
      return stripMineFor(For);
    if (For.getCond())
      wrap(*For.getCond(), voteName() + "(" + assignBefore(), "))");
    else
      insert(firstSemicolon(For), " " + vote());
    if (For.getInc())
      wrap(*For.getInc(), Names.Flag + " ? (void)(", ") : (void)0");
    guardBody();
  }

  void stripMineFor(const ForStmt &For) {
    std::string Outer =
        Plan.Vote ? vote() + "; ) " : Names.Flag + "; " + barrier() + ") ";
    if (For.getCond())
      wrap(*For.getCond(), Outer + stripBefore(), "))");
    else
      insert(firstSemicolon(For),
             " " + Outer + "for (int " + Names.Round + " = 0; " + Names.Round +
                 " < " + std::to_string(interval()) + " && " + Names.Flag);
    // The comma is not the user's own.
    if (For.getInc() && mayHaveOperators(firstOperand(*For.getInc())))
      wrap(*For.getInc(), "++" + Names.Round + ", (void)(", ")");
    else if (For.getInc())
      insert(rangeOf(*For.getInc())->getBegin(), "++" + Names.Round + ", ");
    else
      insert(For.getRParenLoc(), " ++" + Names.Round);
  }

  /// What a comma in front of \p E would take.
  static const Expr &firstOperand(const Expr &E) {
    const Expr &Plain = *E.IgnoreUnlessSpelledInSource();
    const auto *Overloaded = dyn_cast<CXXOperatorCallExpr>(&Plain);
    if (Overloaded && Overloaded->getOperator() == OO_Comma)
      return firstOperand(*Overloaded->getArg(0));
    const auto *Comma = dyn_cast<BinaryOperator>(&Plain);
    return &Plain == E.IgnoreImplicit() && Comma && Comma->isCommaOp()
               ? firstOperand(*Comma->getLHS())
               : E;
  }

  void writeWhile(const WhileStmt &While) {
    if (interval() == 1) {
      wrap(*While.getCond(), voteName() + "(" + assignBefore(), "))");
      return guardBody();
    }
    std::string Before = Plan.Vote
                             ? "while (" + vote() + ") "
                             : "for (; " + Names.Flag + "; " + barrier() + ") ";
    Result.Edits.push_back(Source.replacement(
        While.getWhileLoc(), Source.afterToken(While.getLParenLoc()),
        Before + stripBefore()));
    insert(While.getRParenLoc(), ")); ++" + Names.Round);
  }

  void writeDo(const DoStmt &Do) {
    if (interval() == 1) {
      wrap(*Do.getCond(), voteName() + "(" + assignBefore(), "))");
      return guardBody();
    }
    insert(headerEnd(Do, Source),
           " for (int " + Names.Round + " = 0; " + Names.Flag + " && " +
               Names.Round + " < " + std::to_string(interval()) + "; ++" +
               Names.Round + ", " + assignBefore() +
               Source.text(*rangeOf(*Do.getCond())).str() + "))");
    CharSourceRange Condition = *rangeOf(*Do.getCond());
    Result.Edits.push_back(
        Source.replacement(Condition.getBegin(), Condition.getEnd(),
                           Plan.Vote ? vote() : barrier() + ", " + Names.Flag));
  }

  void guardBody() {
    if (Plan.GuardBody)
      guardBodyOf(Loop, "if (" + Names.Flag + ")", Source, Result);
  }

  /// A break leaves the loop for this thread only.
  void writeBreak(const Stmt &Break) {
    SourceLocation Begin = Break.getBeginLoc();
    std::string Leave = Names.Flag + " = false;";
    std::string Jump = interval() == 1 ? "continue;" : "break;";
    bool OwnLine =
        Source.isFirstOnLine(Begin) && mayDeclareBefore(Break, Context);
    std::string Text = OwnLine ? Leave + Source.lineEnding(Begin).str() +
                                     Source.indentation(Begin).str() + Jump
                               : "{ " + Leave + " " + Jump + " }";
    Result.Edits.push_back(
        Source.replacement(Begin, Source.afterStatement(Break), Text));
  }

  /// Behind the semicolon that ends a for loop's initialisation.
  SourceLocation firstSemicolon(const ForStmt &For) const {
    if (!For.getInit())
      return Source.afterNextToken(For.getLParenLoc());
    SourceLocation End = For.getInit()->getEndLoc();
    return isa<DeclStmt>(For.getInit()) ? Source.afterToken(End)
                                        : Source.afterNextToken(End);
  }

  const KeptLoop &Plan;
  const Stmt &Loop;
  const FlagNames &Names;
  ASTContext &Context;
  SourceText Source;
  RewriteResult Result;
};

} // namespace

RewriteResult keepAllThreads(const KeptLoop &Plan, const FlagNames &Names,
                             ASTContext &Context) {
  return ActiveWriter(Plan, Names, Context).run();
}

} // namespace barricade::artificial_barrier

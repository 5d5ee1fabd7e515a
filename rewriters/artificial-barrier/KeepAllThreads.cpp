// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/LoopJumps.h"
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
  ActiveWriter(const Stmt &Loop, const ActiveForm &Form, ASTContext &Context)
      : Loop(Loop), Form(Form), Context(Context), Source(Context),
        Jumps(jumpsOf(Loop)) {}

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
    for (const Stmt *Break : Jumps.Breaks)
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
    if (isa<CXXForRangeStmt>(Loop) || declaresInCondition())
      return Result.refuse(ReasonId::LoopShape, Begin);
    const Stmt &Whole = withAttributes(Loop, Context);
    if (!Form.MayDeclare && !makeRoomBefore(Whole, Source, Result, Context))
      return Result.refuse(ReasonId::LoopShape, Begin);
    // With an interval, the pragma's loop would become two.
    if (beginWithPragmas(Loop, Source, Context).isInvalid() ||
        (Form.Interval > 1 && &Whole != &Loop))
      return Result.refuse(ReasonId::Preprocessor, Whole.getBeginLoc());
    if (!Jumps.Returns.empty())
      return Result.refuse(ReasonId::ReturnInLoop,
                           Jumps.Returns.front()->getBeginLoc());
    if (!Jumps.Gotos.empty())
      return Result.refuse(ReasonId::LoopShape,
                           Jumps.Gotos.front()->getBeginLoc());
    if (!SourceText::isWritable(Begin) ||
        !SourceText::isWritable(headerEnd(Loop, Source)) ||
        (condition() && !rangeOf(*condition())) ||
        (increment() && !rangeOf(*increment())))
      return Result.refuse(ReasonId::InMacro, Begin);
    for (const Stmt *Break : Jumps.Breaks)
      if (!SourceText::isWritable(Break->getBeginLoc()) ||
          !SourceText::isWritable(Source.afterStatement(*Break)))
        return Result.refuse(ReasonId::InMacro, Break->getBeginLoc());
    if (Source.hasDirectiveBetween(Begin, headerEnd(Loop, Source)))
      return Result.refuse(ReasonId::Preprocessor, Begin);
  }

  bool declaresInCondition() const {
    if (const auto *For = dyn_cast<ForStmt>(&Loop))
      return For->getConditionVariable();
    if (const auto *While = dyn_cast<WhileStmt>(&Loop))
      return While->getConditionVariable();
    return false;
  }

  const Expr *condition() const {
    if (const auto *For = dyn_cast<ForStmt>(&Loop))
      return For->getCond();
    if (const auto *While = dyn_cast<WhileStmt>(&Loop))
      return While->getCond();
    return cast<DoStmt>(&Loop)->getCond();
  }

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
    Result.Edits.push_back(declareBefore(
        Loop, "bool " + Form.Flag + " = " + Form.Start + ";", Source, Context));
  }

  /// `active = active && (` or, where all threads agree, `active = (`.
  std::string assignBefore() const {
    return Form.Flag + " = " + (Form.Vote ? Form.Flag + " && " : "") +
           openCondition(*condition()).str();
  }

  /// The header of the inner loop up to the user's condition.
  std::string stripBefore() const {
    return "for (int " + Form.Round + " = 0; " + Form.Round + " < " +
           std::to_string(Form.Interval) + " && (" + assignBefore();
  }

  /// Whoever asks this with `(...)` behind it waits for all to answer.
  std::string voteName() const {
    return Form.Barrier ? "__syncthreads_or" : "";
  }
  std::string vote() const { return voteName() + "(" + Form.Flag + ")"; }
  std::string barrier() const {
    return Form.Barrier ? "__syncthreads()" : "(void)0";
  }

  void writeFor(const ForStmt &For) {
    if (Form.Interval > 1)
      return stripMineFor(For);
    if (For.getCond())
      wrap(*For.getCond(), voteName() + "(" + assignBefore(), "))");
    else
      insert(firstSemicolon(For), " " + vote());
    if (For.getInc())
      wrap(*For.getInc(), Form.Flag + " ? (void)(", ") : (void)0");
    guardBody();
  }

  void stripMineFor(const ForStmt &For) {
    std::string Outer =
        Form.Vote ? vote() + "; ) " : Form.Flag + "; " + barrier() + ") ";
    if (For.getCond())
      wrap(*For.getCond(), Outer + stripBefore(), "))");
    else
      insert(firstSemicolon(For),
             " " + Outer + "for (int " + Form.Round + " = 0; " + Form.Round +
                 " < " + std::to_string(Form.Interval) + " && " + Form.Flag);
    // The comma is not the user's own.
    if (For.getInc() && mayHaveOperators(firstOperand(*For.getInc())))
      wrap(*For.getInc(), "++" + Form.Round + ", (void)(", ")");
    else if (For.getInc())
      insert(rangeOf(*For.getInc())->getBegin(), "++" + Form.Round + ", ");
    else
      insert(For.getRParenLoc(), " ++" + Form.Round);
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
    if (Form.Interval == 1) {
      wrap(*While.getCond(), voteName() + "(" + assignBefore(), "))");
      return guardBody();
    }
    std::string Before = Form.Vote
                             ? "while (" + vote() + ") "
                             : "for (; " + Form.Flag + "; " + barrier() + ") ";
    Result.Edits.push_back(Source.replacement(
        While.getWhileLoc(), Source.afterToken(While.getLParenLoc()),
        Before + stripBefore()));
    insert(While.getRParenLoc(), ")); ++" + Form.Round);
  }

  void writeDo(const DoStmt &Do) {
    if (Form.Interval == 1) {
      wrap(*Do.getCond(), voteName() + "(" + assignBefore(), "))");
      return guardBody();
    }
    insert(headerEnd(Do, Source),
           " for (int " + Form.Round + " = 0; " + Form.Flag + " && " +
               Form.Round + " < " + std::to_string(Form.Interval) + "; ++" +
               Form.Round + ", " + assignBefore() +
               Source.text(*rangeOf(*Do.getCond())).str() + "))");
    CharSourceRange Condition = *rangeOf(*Do.getCond());
    Result.Edits.push_back(
        Source.replacement(Condition.getBegin(), Condition.getEnd(),
                           Form.Vote ? vote() : barrier() + ", " + Form.Flag));
  }

  void guardBody() {
    if (Form.GuardBody)
      guardBodyOf(Loop, "if (" + Form.Flag + ")", Source, Result);
  }

  /// A break leaves the loop for this thread only.
  void writeBreak(const Stmt &Break) {
    SourceLocation Begin = Break.getBeginLoc();
    std::string Leave = Form.Flag + " = false;";
    std::string Jump = Form.Interval == 1 ? "continue;" : "break;";
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

  const Stmt &Loop;
  const ActiveForm &Form;
  ASTContext &Context;
  SourceText Source;
  LoopJumps Jumps;
  RewriteResult Result;
};

} // namespace

RewriteResult keepAllThreads(const Stmt &Loop, const ActiveForm &Form,
                             ASTContext &Context) {
  return ActiveWriter(Loop, Form, Context).run();
}

} // namespace barricade::artificial_barrier

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a loop that counts its rounds. Not where a macro, a directive or
// a pragma stands in it, or where there is no room for the leader's
// declaration; refuses what means something else where it is written once more.

#include "matchers/source/BuildVariants.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "rewriters/artificial-barrier/Braces.h"
#include "rewriters/artificial-barrier/LeaderText.h"
#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "rewriters/artificial-barrier/LoopText.h"
#include "rewriters/artificial-barrier/SpelledTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

class RoundsWriter {
public:
  RoundsWriter(const Stmt &Loop, const StridedLoop &Strided,
               const RoundsForm &Form, const FunctionDecl &Function,
               ASTContext &Context)
      : Loop(Loop), Strided(Strided), Form(Form), Function(Function),
        Context(Context), Source(Context) {}

  /// False where the text does not allow the form.
  bool run() {
    if (!isPlain() || !readTexts())
      return false;
    if (const auto *While = dyn_cast<WhileStmt>(&Loop))
      writeWhile(*While);
    else if (!writeFor(*cast<ForStmt>(&Loop)))
      return false;
    breakLineBehind(Loop, Source, Result.Edits);
    return true;
  }

  RewriteResult Result;

private:
  //===--------------------------------------------------------------------===//
  // What the text must be like
  //===--------------------------------------------------------------------===//

  bool isPlain() const {
    SourceLocation Header = headerEnd(Loop, Source);
    return SourceText::isWritable(Loop.getBeginLoc()) &&
           beginWithPragmas(Loop, Source, Context).isValid() &&
           // With an interval, the pragma's loop would become two.
           (Form.Interval == 1 || &withAttributes(Loop, Context) == &Loop) &&
           SourceText::isWritable(Header) && mayGetCondition() &&
           !Source.hasDirectiveBetween(Loop.getBeginLoc(), Header);
  }

  /// No `else` follows that the new `if` would take for its own.
  bool mayGetCondition() const {
    const Stmt *Inner = &Loop;
    while (true) {
      const DynTypedNodeList Parents = Context.getParents(*Inner);
      const Stmt *Outer =
          Parents.size() == 1 ? Parents[0].get<Stmt>() : nullptr;
      if (Outer && isa<CompoundStmt>(Outer))
        return true;
      const auto *If = dyn_cast_or_null<IfStmt>(Outer);
      bool Passes = Outer && (isLoop(*Outer) || isa<AttributedStmt>(Outer));
      if (!(If ? !If->getElse() : Passes))
        return false;
      Inner = Outer;
    }
  }

  bool readTexts() {
    const Expr &Test = *conditionOf(Loop);
    auto Range = Source.fileRange(Test);
    auto Leading = withLeader(Test, *Strided.Counter, Form.Leader, Context);
    auto First = leaderStart(Strided, Context);
    auto By = amount();
    if (!Range || !Leading || !First || !By)
      return false;
    Condition = Source.text(*Range).str();
    LeaderCondition = *Leading;
    Start = *First;
    Amount = *By;
    const auto *Op = dyn_cast<BinaryOperator>(Test.IgnoreImpCasts());
    IsComparison = Op && Op->isComparisonOp();
    return true;
  }

  std::optional<std::string> amount() const {
    if (!Strided.Amount)
      return "1";
    auto Range = Source.fileRange(*Strided.Amount);
    if (!Range)
      return std::nullopt;
    return Source.text(*Range).str();
  }

  //===--------------------------------------------------------------------===//
  // The parts of the new header
  //===--------------------------------------------------------------------===//

  /// `leader < n`, and whether anybody is left where others may come after the
  /// leader.
  std::string roundsCondition() const {
    return Strided.LeaderIsLast
               ? LeaderCondition
               : asOperand(LeaderCondition) + " || " + vote() +
                     (isWholeAsInt()
                          ? "(" + Condition + ")"
                          : "(static_cast<bool>(" + Condition + "))");
  }

  /// As an int, which votes take, the condition is zero where it fails only,
  /// whatever other instantiations and builds compute in.
  bool isWholeAsInt() const {
    const Expr &Test = *conditionOf(Loop);
    const QualType Type = Test.IgnoreUnlessSpelledInSource()->getType();
    return Type->isBooleanType() ||
           (Type->isIntegerType() && !mayHaveOperators(Test) &&
            Context.getIntWidth(Type) <= Context.getIntWidth(Context.IntTy) &&
            !Function.isTemplateInstantiation() &&
            !typesMayDiffer(Test, Context));
  }

  std::string vote() const { return Form.Barrier ? "__syncthreads_or" : ""; }
  std::string barrier() const {
    return Form.Barrier ? "__syncthreads()" : "(void)0";
  }

  /// \p Test, the condition or that of the leader, as one of `||`.
  std::string asOperand(const std::string &Test) const {
    return mayHaveOperators(*conditionOf(Loop))
               ? "static_cast<bool>(" + Test + ")"
               : operand(Test);
  }

  std::string operand(const std::string &Test) const {
    return IsComparison ? Test : "(" + Test + ")";
  }

  std::string sign() const { return Strided.Downwards ? " -= " : " += "; }

  /// `i += i < n ? 64 : 0`: a thread that is done steps no more.
  std::string stepWhile(const std::string &Test,
                        const std::string &Counter) const {
    return Counter + sign() + operand(Test) + " ? " + Amount + " : 0";
  }

  std::string stepLeader() const {
    // Without idle rounds behind it, the leader's last step is its own.
    if (Strided.LeaderIsLast && Form.Interval == 1)
      return Form.Leader + sign() + Amount;
    return stepWhile(LeaderCondition, Form.Leader);
  }

  /// The whole increment of the loop, as far as the thread is not done.
  std::string stepCounter(const Expr &Increment, llvm::StringRef Text) const {
    if (Increment.IgnoreParens() == Strided.Step)
      return stepWhile(Condition, Strided.Counter->getName().str());
    return operand(Condition) + " ? (void)(" + Text.str() + ") : (void)0";
  }

  /// The increments. With an interval they are those of an inner loop of that
  /// many rounds.
  std::string rest(const std::string &Steps) const {
    if (Form.Interval == 1)
      return Steps + ", " + barrier();
    return barrier() + ")" + lineBreak(2) + "for (int " + Form.Round +
           " = 0; " + Form.Round + " < " + std::to_string(Form.Interval) +
           "; ++" + Form.Round + ", " + Steps;
  }

  /// A new line, \p Columns right of the loop.
  std::string lineBreak(unsigned Columns) const {
    SourceLocation Begin = Loop.getBeginLoc();
    return Source.lineEnding(Begin).str() + Source.indentation(Begin).str() +
           std::string(Columns, ' ');
  }

  std::string guard() const { return "if (" + Condition + ")"; }

  /// Another instantiation, or another build, may have another type.
  bool typeVaries() const {
    return Function.isTemplateInstantiation() ||
           Strided.Counter->getTypeSpecStartLoc().isMacroID() ||
           (Strided.Counter->getType()->getContainedDeducedType() &&
            plainDeducedType(*Strided.Counter, Context).isNull());
  }

  /// `int leader = 0` as a declaration of its own.
  std::string declaration() const {
    if (typeVaries())
      return "decltype(" + Strided.Counter->getName().str() + ") " +
             Form.Leader + " = " + Start;
    PrintingPolicy Policy(Context.getLangOpts());
    Policy.SuppressTagKeyword = true;
    QualType Type = Strided.Counter->getType().getUnqualifiedType();
    if (Type->getContainedDeducedType())
      Type = plainDeducedType(*Strided.Counter, Context);
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    Type.print(Stream, Policy, Form.Leader);
    return Text + " = " + Start;
  }

  /// `, leader = 0` where the header declares the counter with its type in
  /// plain sight.
  std::optional<std::string> declarator() const {
    TypeLoc Type =
        Strided.Counter->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
    std::string Star;
    if (auto Pointer = Type.getAs<PointerTypeLoc>()) {
      Type = Pointer.getPointeeLoc().getUnqualifiedLoc();
      Star = "*";
    }
    // Anything more around the name would have to be repeated.
    if (Type.getAs<PointerTypeLoc>() || Type.getAs<ParenTypeLoc>() ||
        Type.getAs<AttributedTypeLoc>() ||
        Type.getAs<MacroQualifiedTypeLoc>() ||
        Type.getType()->getContainedDeducedType())
      return std::nullopt;
    return ", " + Star + Form.Leader + " = " + Start;
  }

  //===--------------------------------------------------------------------===//
  // Writing
  //===--------------------------------------------------------------------===//

  bool writeFor(const ForStmt &For) {
    std::optional<CharSourceRange> Increment;
    if (For.getInc() && !(Increment = Source.fileRange(*For.getInc())))
      return false;
    if (!declareLeader(For, For.getInit()))
      return false;
    replace(*Source.fileRange(*For.getCond()), roundsCondition());
    if (Increment)
      replace(withBlanksBefore(*Increment),
              lineBreak(5) +
                  rest(stepCounter(*For.getInc(), Source.text(*Increment)) +
                       ", " + stepLeader()));
    else
      insert(For.getRParenLoc(), lineBreak(5) + rest(stepLeader()));
    guardBodyOf(For, guard(), Source, Result);
    return true;
  }

  CharSourceRange withBlanksBefore(CharSourceRange Range) const {
    SourceLocation End = Source.fileRange(*conditionOf(Loop))->getEnd();
    llvm::StringRef Between =
        Source.text(CharSourceRange::getCharRange(End, Range.getBegin()));
    Range.setBegin(Range.getBegin().getLocWithOffset(
        int(Between.rtrim().size()) - int(Between.size())));
    return Range;
  }

  bool declareLeader(const ForStmt &For, const Stmt *Init) {
    if (!Init) {
      insert(Source.afterToken(For.getLParenLoc()), declaration());
      return true;
    }
    const auto *Declaration = dyn_cast<DeclStmt>(Init);
    auto More = Declaration ? declarator() : std::nullopt;
    if (More && SourceText::isWritable(Declaration->getEndLoc())) {
      insert(Declaration->getEndLoc(), *More);
      return true;
    }
    // The name that decltype would need is the header's own.
    if ((Declaration && typeVaries()) ||
        !mayDeclareBefore(withAttributes(Loop, Context), Context))
      return false;
    Result.Edits.push_back(
        declareBefore(For, declaration() + ";", Source, Context));
    return true;
  }

  void writeWhile(const WhileStmt &While) {
    replace(CharSourceRange::getCharRange(
                While.getWhileLoc(), Source.afterToken(While.getLParenLoc())),
            "for (" + declaration() + "; ");
    replace(*Source.fileRange(*While.getCond()), roundsCondition());
    insert(While.getRParenLoc(), ";" + lineBreak(5) + rest(stepLeader()));
    guardBodyOf(While, guard(), Source, Result);
  }

  void insert(SourceLocation Where, std::string Text) {
    Result.Edits.push_back(Source.insertion(Where, std::move(Text)));
  }

  void replace(CharSourceRange Range, std::string Text) {
    Result.Edits.push_back(
        Source.replacement(Range.getBegin(), Range.getEnd(), std::move(Text)));
  }

  const Stmt &Loop;
  const StridedLoop &Strided;
  const RoundsForm &Form;
  const FunctionDecl &Function;
  ASTContext &Context;
  SourceText Source;
  std::string Condition, LeaderCondition, Start, Amount;
  bool IsComparison = false;
};

} // namespace

std::optional<RewriteResult> writeRounds(const Stmt &Loop,
                                         const StridedLoop &Strided,
                                         const RoundsForm &Form,
                                         const FunctionDecl &Function,
                                         ASTContext &Context) {
  RoundsWriter Writer(Loop, Strided, Form, Function, Context);
  if (!Writer.run())
    return std::nullopt;
  return std::move(Writer.Result);
}

} // namespace barricade::artificial_barrier

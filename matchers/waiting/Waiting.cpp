// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/waiting/Waiting.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/Purity.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade {

using facts::UseKind;
using facts::VariableFacts;
using facts::VariableUse;

namespace {

/// Whether an lvalue of a function is one that a walk looks for.
using ReadQuestion =
    llvm::function_ref<bool(const Expr &, const FunctionDecl &)>;

/// Looks, through visible calls, for reads by which another thread's writes
/// could be noticed.
class SignalReads : public ConstDynamicRecursiveASTVisitor {
public:
  SignalReads(const SourceManager &SM, ReadQuestion MayBeWritten,
              const FunctionDecl &Function)
      : SM(SM), MayBeWritten(MayBeWritten), Function(&Function) {
    ShouldVisitImplicitCode = true;
  }

  /// What is a signal whatever else is done.
  SourceLocation Signal;
  /// One of volatile memory that is asked about.
  SourceLocation VolatileRead;
  /// A read of plain memory that the kernel writes, and something that orders
  /// it among what other threads do.
  SourceLocation PlainRead;
  bool Ordered = false;
  /// The threads of a block wait for each other.
  bool MeetsBlock = false;
  /// There is a fence for the host, too.
  bool FencesSystem = false;

  SourceLocation found() const {
    return Signal.isValid() ? Signal : Ordered ? PlainRead : SourceLocation();
  }

  /// What is written to memory by assignments and steps.
  llvm::SmallVector<QualType, 8> Stored;

  bool VisitExpr(const Expr *E) override {
    // The message of a static_assert has no type.
    if (!E->isLValue() || E->getType().isNull())
      return true;
    if (E->getType().isVolatileQualified()) {
      note(Signal, E->getExprLoc());
      if (MayBeWritten(*E, *Function))
        note(VolatileRead, E->getExprLoc());
    } else if (isMemory(*E) && MayBeWritten(*E, *Function))
      note(PlainRead, E->getExprLoc());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      noteStore(*Op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      noteStore(*Op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call) override {
    if (Call->isAssignmentOp() && Call->getNumArgs() > 0)
      noteStore(*Call->getArg(0));
    return true;
  }
  bool VisitAtomicExpr(const AtomicExpr *E) override {
    note(Signal, E->getBeginLoc());
    return true;
  }
  bool VisitAsmStmt(const AsmStmt *Asm) override {
    note(Signal, Asm->getAsmLoc());
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    note(Signal, Lambda->getBeginLoc());
    return true;
  }
  bool VisitStmt(const Stmt *S) override {
    const SilentCalls Calls = silentCallsOf(*S);
    if (Calls.AreSeveral ||
        llvm::any_of(Calls.Callees, [](const FunctionDecl *Callee) {
          return !facts::isLibraryCode(*Callee);
        }))
      note(Signal, S->getBeginLoc());
    return true;
  }
  bool VisitInitListExpr(const InitListExpr *List) override {
    return TraverseStmt(List->getArrayFiller());
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    switch (classifyCall(*Call, SM)) {
    case CallKind::Atomic:
      Ordered = true;
      if (!Discarded.contains(Call))
        note(Signal, Call->getBeginLoc());
      break;
    case CallKind::Load:
      // The L2-cached loads see other blocks' stores anew each time.
      if (Call->getDirectCallee()->getName().contains("cg"))
        note(Signal, Call->getBeginLoc());
      break;
    case CallKind::Clock:
      // Who sleeps waits for something.
      if (Call->getDirectCallee()->getName().contains("nanosleep"))
        note(Signal, Call->getBeginLoc());
      Ordered = true;
      break;
    case CallKind::Unknown:
    case CallKind::NamedBarrier:
    case CallKind::GridBarrier:
      note(Signal, Call->getBeginLoc());
      break;
    case CallKind::Visible:
      follow(*calleeDefinition(*Call));
      break;
    // A loop that the whole block goes round together holds none of it up.
    case CallKind::BlockBarrier:
      MeetsBlock = true;
      break;
    case CallKind::Pure:
    case CallKind::Assignment:
    case CallKind::UniformIndex:
    case CallKind::ThreadIndex:
      break;
    case CallKind::Fence:
      FencesSystem |= facts::calleeName(*Call).contains("sys");
      Ordered = true;
      break;
    default:
      Ordered = true;
      break;
    }
    return true;
  }
  bool VisitCompoundStmt(const CompoundStmt *Block) override {
    for (const Stmt *S : Block->body())
      discard(S);
    return true;
  }
  bool VisitIfStmt(const IfStmt *If) override {
    discard(If->getThen());
    discard(If->getElse());
    return true;
  }
  bool VisitForStmt(const ForStmt *For) override {
    discard(For->getBody());
    return true;
  }
  bool VisitWhileStmt(const WhileStmt *While) override {
    discard(While->getBody());
    return true;
  }

private:
  /// The lvalue \p E leads to memory other than by its parts, which are asked
  /// for themselves.
  static bool isMemory(const Expr &E) {
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return Op->getOpcode() == UO_Deref;
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return Op->isPtrMemOp();
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return !isa<FunctionDecl>(Member->getMemberDecl()) &&
             !isPartOfBase(*Member);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
      return isMemory(*Ref);
    // What a call returns a reference to is seen in what it calls.
    return !isa<ParenExpr, CastExpr, AbstractConditionalOperator, CallExpr,
                FullExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr,
                CXXDefaultArgExpr, CXXDefaultInitExpr, OpaqueValueExpr,
                PseudoObjectExpr, MSPropertyRefExpr, GenericSelectionExpr,
                ChooseExpr, SubstNonTypeTemplateParmExpr, StringLiteral,
                PredefinedExpr, SourceLocExpr, CompoundLiteralExpr,
                InitListExpr>(E);
  }

  static bool isMemory(const DeclRefExpr &Ref) {
    char Member = 0;
    const auto *Var = dyn_cast<VarDecl>(Ref.getDecl());
    return isa<BindingDecl>(Ref.getDecl()) ||
           (Var && builtinIndexVariable(Ref, Member).empty() &&
            (!Var->hasLocalStorage() || Var->getType()->isReferenceType()) &&
            !Var->getType()->isArrayType());
  }

  void noteStore(const Expr &To) {
    const auto IsMemory = [](const Stmt &S) {
      const auto *E = dyn_cast<Expr>(&S);
      return E && isMemory(*E);
    };
    if (holds(&To, IsMemory))
      Stored.push_back(To.getType());
  }

  /// A statement's value is thrown away.
  void discard(const Stmt *S) {
    if (const auto *E = dyn_cast_or_null<Expr>(S))
      Discarded.insert(E->IgnoreParenImpCasts());
  }

  void follow(const FunctionDecl &Callee) {
    if (!Visited.insert(&Callee).second)
      return;
    const FunctionDecl *Outer = Function;
    Function = &Callee;
    TraverseStmt(Callee.getBody());
    Function = Outer;
  }

  static void note(SourceLocation &Slot, SourceLocation Where) {
    if (Slot.isInvalid())
      Slot = Where;
  }

  const SourceManager &SM;
  ReadQuestion MayBeWritten;
  const FunctionDecl *Function;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;
  llvm::SmallPtrSet<const Expr *, 16> Discarded;
};

/// What runs in every iteration; some may be null.
llvm::SmallVector<const Stmt *, 4> repeatedParts(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return {For->getConditionVariableDeclStmt(), For->getCond(), For->getInc(),
            For->getBody()};
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return {Range->getCond(), Range->getInc(), Range->getLoopVarStmt(),
            Range->getBody()};
  return {&Loop};
}

/// What decides how often a loop runs: its conditions, those of the jumps out
/// of it, and all that gives the variables in them their values.
class DecidingCode {
public:
  DecidingCode(const Stmt &Loop, const FunctionDecl &Function)
      : Repeated(repeatedParts(Loop)), InLoop(Repeated), Whole(Function) {
    add(conditionOf(Loop));
    addConditionsOf([](const Stmt &S) {
      return isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt,
                 IndirectGotoStmt>(S);
    });
    // What is added in doing so is looked at, too.
    for (size_t I = 0; I < Parts.size(); ++I)
      (void)holds(Parts[I], [&](const Stmt &S) {
        const VarDecl *Var = variableNamedBy(S);
        if (Var && Var->hasLocalStorage() && Variables.insert(Var).second)
          addChangesOf(*Var);
        return false;
      });
  }

  llvm::SmallVector<const Stmt *, 8> Parts;

private:
  void add(const Stmt *Part) {
    if (Part && !llvm::is_contained(Parts, Part))
      Parts.push_back(Part);
  }

  void addChangesOf(const VarDecl &Var) {
    if (!Whole.changesByNameOnly(Var)) {
      for (const Stmt *Part : Repeated)
        add(Part);
      return;
    }
    forEachPart([&](const Stmt &S) {
      const auto *Declaration = dyn_cast<DeclStmt>(&S);
      if (Declaration && llvm::is_contained(Declaration->decls(), &Var))
        add(Var.getInit());
    });
    for (const VariableUse &U : InLoop.of(Var))
      if (InLoop.mayChange(U)) {
        add(U.By);
        addConditionsOf([&](const Stmt &S) { return &S == U.By; });
      }
  }

  /// Of statements in the loop that hold what passes \p Test, which runs under
  /// their conditions.
  void addConditionsOf(llvm::function_ref<bool(const Stmt &)> Test) {
    forEachPart([&](const Stmt &S) {
      if (const Stmt *Condition = conditionWithin(S);
          Condition && holds(&S, Test))
        add(Condition);
    });
  }

  void forEachPart(llvm::function_ref<void(const Stmt &)> Visit) const {
    for (const Stmt *Part : Repeated)
      (void)holds(Part, [&](const Stmt &S) {
        Visit(S);
        return false;
      });
  }

  static const Stmt *conditionWithin(const Stmt &S) {
    if (const auto *If = dyn_cast<IfStmt>(&S))
      return If->getCond();
    if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
      return Switch->getCond();
    if (const auto *Either = dyn_cast<AbstractConditionalOperator>(&S))
      return Either->getCond();
    if (const auto *Op = dyn_cast<BinaryOperator>(&S))
      return Op->isLogicalOp() ? Op->getLHS() : nullptr;
    return isLoop(S) ? conditionOf(S) : nullptr;
  }

  const llvm::SmallVector<const Stmt *, 4> Repeated;
  const VariableFacts InLoop, Whole;
  llvm::SmallPtrSet<const VarDecl *, 8> Variables;
};

/// Nothing but numbers and local variables that \p Fixed accepts.
bool isPlainArithmetic(const Expr &E,
                       llvm::function_ref<bool(const VarDecl &)> Fixed) {
  const auto Known = [&](const Expr &Part) -> std::optional<bool> {
    char Member = 0;
    if (!builtinIndexVariable(Part, Member).empty())
      return true;
    const auto *Ref = dyn_cast<DeclRefExpr>(&Part);
    if (!Ref)
      return std::nullopt;
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return isa<EnumConstantDecl>(Ref->getDecl());
    return !Var->getType()->isReferenceType() &&
           !Var->getType().isVolatileQualified() &&
           (Var->hasLocalStorage() ? Fixed(*Var) : Var->isConstexpr());
  };
  return facts::isPure(E, {facts::PureReach::Arithmetic, Known});
}

/// \p Step is the increment of a for loop, or part of it by commas, or a
/// statement of the body that nothing can skip.
bool isInEveryIteration(const Expr &Step, const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop)) {
    const Expr *Part = For->getInc();
    while (const auto *Comma = dyn_cast_or_null<BinaryOperator>(Part)) {
      if (!Comma->isCommaOp())
        break;
      if (Comma->getRHS()->IgnoreParens() == &Step)
        return true;
      Part = Comma->getLHS();
    }
    if (Part && Part->IgnoreParens() == &Step)
      return true;
  }
  const Stmt *Body = bodyOf(Loop);
  const auto *Block = dyn_cast_or_null<CompoundStmt>(Body);
  return Block && llvm::is_contained(Block->body(), &Step) &&
         !holds(Block, [](const Stmt &S) {
           return isa<ContinueStmt, GotoStmt, IndirectGotoStmt>(S);
         });
}

const VarDecl *localVariable(const Expr *E) {
  const auto *Ref =
      dyn_cast_or_null<DeclRefExpr>(E ? E->IgnoreParenImpCasts() : nullptr);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType()
             ? Var
             : nullptr;
}

/// What a loop does to the local variables of its function.
class LoopVariables {
public:
  LoopVariables(const Stmt &Loop, const FunctionDecl &Function)
      : Loop(Loop), Context(Function.getASTContext()), Whole(Function),
        Repeated(repeatedParts(Loop)) {}

  /// The variable has one value as long as the loop runs.
  bool isFixed(const VarDecl &Var) const {
    return isFollowed(Var) && Repeated.isOnlyRead(Var);
  }

  /// The condition ends the loop, whatever memory holds, and nothing else in it
  /// does: it compares counters that every iteration moves towards a bound.
  bool isCounted(const Expr &Condition) const {
    const Expr *Plain = Condition.IgnoreParenImpCasts();
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    if (Op && Op->getOpcode() == BO_LAnd)
      return isCounted(*Op->getLHS()) && isCounted(*Op->getRHS());
    if (Op && Op->getOpcode() == BO_NE)
      return isHit(*Op->getLHS(), *Op->getRHS()) ||
             isHit(*Op->getRHS(), *Op->getLHS());
    if (Op && Op->isRelationalOp())
      return isPassed(*Op->getLHS(), *Op->getRHS(), Op->getOpcode()) ||
             isPassed(*Op->getRHS(), *Op->getLHS(),
                      BinaryOperator::reverseComparisonOp(Op->getOpcode()));
    // `while (n)`
    const VarDecl *Var = localVariable(Plain);
    return Var && Var->getType()->isIntegerType() && isWide(*Var) &&
           !movesOf(*Var).empty() && movesByOne(*Var);
  }

  /// A counter that every iteration moves towards a bound ends the loop at
  /// last, whatever memory holds; something else may end it before.
  bool isBounded(const Expr &Condition) const {
    const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
    return isCounted(Condition) ||
           (Op && Op->getOpcode() == BO_LAnd &&
            (isBounded(*Op->getLHS()) || isBounded(*Op->getRHS())));
  }

  /// One place of the function changes \p Var, by its name; nullptr: none or
  /// several.
  const Stmt *onlyChange(const VarDecl &Var) const {
    const Stmt *Only = nullptr;
    if (!isFollowed(Var))
      return nullptr;
    for (const VariableUse &U : Whole.of(Var))
      if (Whole.mayChange(U)) {
        if (Only)
          return nullptr;
        Only = U.By;
      }
    return Only;
  }

  /// All changes of the variable stand in the function by its name, and it
  /// lives longer than an iteration.
  bool isFollowed(const VarDecl &Var) const {
    return Var.hasLocalStorage() && !Var.getType()->isReferenceType() &&
           !Var.getType().isVolatileQualified() &&
           Whole.changesByNameOnly(Var) && !isDeclaredAnew(Var);
  }

private:
  bool isDeclaredAnew(const VarDecl &Var) const {
    return llvm::any_of(repeatedParts(Loop), [&](const Stmt *Part) {
      return holds(Part, [&](const Stmt &S) {
        const auto *Declaration = dyn_cast<DeclStmt>(&S);
        return Declaration && llvm::is_contained(Declaration->decls(), &Var);
      });
    });
  }

  /// The steps by which the loop changes \p Var, if every iteration takes each
  /// of them; empty where it changes in another way, or not at all.
  llvm::SmallVector<const Expr *, 2> movesOf(const VarDecl &Var) const {
    llvm::SmallVector<const Expr *, 2> Moves;
    if (!isFollowed(Var))
      return {};
    for (const VariableUse &U : Repeated.of(Var)) {
      if (!Repeated.mayChange(U))
        continue;
      const auto *Step = dyn_cast<Expr>(U.By);
      if (U.Kind != UseKind::Step || U.IsPart || !Step ||
          !isInEveryIteration(*Step, Loop))
        return {};
      Moves.push_back(Step);
    }
    return Moves;
  }

  /// Up, or down, by one: `++i` or `i += 1`.
  bool movesByOne(const VarDecl &Var, std::optional<bool> Up = {}) const {
    const auto Moves = movesOf(Var);
    if (Moves.size() != 1)
      return false;
    if (const auto *Op = dyn_cast<UnaryOperator>(Moves.front()))
      return !Up || Op->isIncrementOp() == *Up;
    const auto *Op = cast<BinaryOperator>(Moves.front());
    const auto By = facts::integerOf(*Op->getRHS(), Context);
    return (Op->getOpcode() == BO_AddAssign ||
            Op->getOpcode() == BO_SubAssign) &&
           (!Up || (Op->getOpcode() == BO_AddAssign) == *Up) && By && *By == 1;
  }

  /// Every iteration moves \p Var up, or down, and never stands still.
  bool moves(const VarDecl &Var, bool Up) const {
    const auto Moves = movesOf(Var);
    return !Moves.empty() && llvm::all_of(Moves, [&](const Expr *Step) {
      if (const auto *Op = dyn_cast<UnaryOperator>(Step))
        return Op->isIncrementOp() == Up;
      const auto *Op = cast<BinaryOperator>(Step);
      switch (Op->getOpcode()) {
      case BO_AddAssign:
        return Up && isPositive(*Op->getRHS());
      case BO_SubAssign:
        return !Up && isPositive(*Op->getRHS());
      case BO_ShrAssign:
        return !Up && isAtLeast(*Op->getRHS(), 1);
      case BO_DivAssign:
        return !Up && isAtLeast(*Op->getRHS(), 2);
      case BO_ShlAssign:
        return Up && isAtLeast(*Op->getRHS(), 1) && startsPositive(Var);
      case BO_MulAssign:
        return Up && isAtLeast(*Op->getRHS(), 2) && startsPositive(Var);
      default:
        return false;
      }
    });
  }

  /// It halves, and so comes to 0 and stays there.
  bool shrinks(const VarDecl &Var) const {
    return llvm::any_of(movesOf(Var), [](const Expr *Step) {
      const auto *Op = dyn_cast<BinaryOperator>(Step);
      return Op && (Op->getOpcode() == BO_ShrAssign ||
                    Op->getOpcode() == BO_DivAssign);
    });
  }

  bool startsPositive(const VarDecl &Var) const {
    return Var.getInit() && isPositive(*Var.getInit()) &&
           llvm::all_of(Whole.of(Var), [&](const VariableUse &U) {
             return !Whole.mayChange(U) || U.Kind == UseKind::Step;
           });
  }

  bool isAtLeast(const Expr &E, int64_t Least) const {
    const auto Value = facts::integerOf(E, Context);
    return Value && *Value >= Least;
  }

  /// Never 0 nor negative: numbers, extents of the grid, and their products.
  bool isPositive(const Expr &E, unsigned Depth = 0) const {
    char Member = 0;
    const Expr *Plain = E.IgnoreParenCasts();
    if (isAtLeast(E, 1))
      return true;
    if (llvm::StringRef Name = builtinIndexVariable(*Plain, Member);
        !Name.empty())
      return Name != "threadIdx" && Name != "blockIdx";
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
      return (Op->getOpcode() == BO_Mul || Op->getOpcode() == BO_Add) &&
             isPositive(*Op->getLHS(), Depth) &&
             isPositive(*Op->getRHS(), Depth);
    const VarDecl *Var = localVariable(Plain);
    return Var && Depth < 8 && Var->getInit() && !isa<ParmVarDecl>(Var) &&
           Whole.isOnlyRead(*Var) && isPositive(*Var->getInit(), Depth + 1);
  }

  /// Smaller ones wrap around before they come to what they are compared with.
  /// In a template not every type is known.
  bool isWide(const VarDecl &Var) const {
    return !Var.getType()->isDependentType() &&
           Context.getIntWidth(Var.getType()) >= 32;
  }

  bool isFixedNumber(const Expr &E) const {
    return isPlainArithmetic(E,
                             [&](const VarDecl &Var) { return isFixed(Var); });
  }

  /// `Counter != End`: it is hit, for no value is left out.
  bool isHit(const Expr &Counter, const Expr &End) const {
    const VarDecl *Var = localVariable(&Counter);
    return Var && isWide(*Var) &&
           Context.getIntWidth(Counter.getType()) ==
               Context.getIntWidth(Var->getType()) &&
           isFixedNumber(End) && movesByOne(*Var);
  }

  /// The counter of `i`, `i + k`, `k + i` or `i - k`.
  const VarDecl *counterIn(const Expr &E) const {
    const Expr *Plain = E.IgnoreParenImpCasts();
    const auto *Sum = dyn_cast<BinaryOperator>(Plain);
    if (!Sum)
      return localVariable(Plain);
    // In unsigned arithmetic the sum may come round before the counter does.
    if (!Sum->isAdditiveOp() || !Sum->getType()->isSignedIntegerType())
      return nullptr;
    if (isFixedNumber(*Sum->getRHS()))
      return counterIn(*Sum->getLHS());
    return Sum->getOpcode() == BO_Add && isFixedNumber(*Sum->getLHS())
               ? counterIn(*Sum->getRHS())
               : nullptr;
  }

  /// `Counter Opcode Bound` ends.
  bool isPassed(const Expr &Counter, const Expr &Bound,
                BinaryOperatorKind Opcode) const {
    const bool Up = Opcode == BO_LT || Opcode == BO_LE;
    const bool IsStrict = Opcode == BO_LT || Opcode == BO_GT;
    const VarDecl *Var = counterIn(Counter);
    if (!Var || !moves(*Var, Up))
      return false;
    if (Var->getType()->isPointerType())
      return IsStrict && isFixedNumber(Bound);
    if (!Var->getType()->isIntegerType() || !isWide(*Var))
      return false;
    if (shrinks(*Var))
      return isAtLeast(Bound, IsStrict ? 0 : 1);
    const bool IsSigned = Var->getType()->isSignedIntegerType();
    const bool IsSameWidth = Context.getIntWidth(Counter.getType()) ==
                             Context.getIntWidth(Var->getType());
    // Signed counters do not wrap around, unsigned ones do at the end of their
    // type: `i >= 0` goes on for ever.
    if (!IsSigned && (!IsSameWidth || !(IsStrict || isInnerBound(Bound, Up))))
      return false;
    if (isFixedNumber(Bound))
      return true;
    // Wherever others take the bound meanwhile, the counter comes to the end of
    // its type (in practice not that of one of 64 bits). What the loop itself
    // moves may run ahead of the counter for ever.
    return IsSameWidth && !isMoved(Bound) &&
           Context.getIntWidth(Var->getType()) == 32 &&
           (IsSigned ? stepsAreNumbers(*Var)
                     : IsStrict && movesByOne(*Var, Up));
  }

  /// The loop moves a variable of its function that \p E names, or one that a
  /// reference in it stands for.
  bool isMoved(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      const VarDecl *Var = variableNamedBy(S);
      if (!Var || !Var->hasLocalStorage())
        return false;
      if (Var->getType()->isReferenceType())
        return Var->getInit() && isMoved(*Var->getInit());
      return !Whole.changesByNameOnly(*Var) ||
             llvm::any_of(Repeated.of(*Var), [&](const VariableUse &U) {
               return Repeated.mayChange(U) && !isSetFromOutside(U);
             });
    });
  }

  /// By an assignment of what the loop itself does not move.
  bool isSetFromOutside(const VariableUse &U) const {
    const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
    return U.Kind == UseKind::Assign && Op && Op->getOpcode() == BO_Assign &&
           !holds(Op->getRHS(), [&](const Stmt &S) {
             const VarDecl *Var = variableNamedBy(S);
             return Var && Var->hasLocalStorage() && !isFixed(*Var);
           });
  }

  /// A number that is not the last one of its type in the direction.
  bool isInnerBound(const Expr &Bound, bool Up) const {
    const auto Number = facts::integerOf(Bound, Context);
    return Number && (Up ? !Number->isMaxValue() : !Number->isMinValue());
  }

  bool stepsAreNumbers(const VarDecl &Var) const {
    return llvm::all_of(movesOf(Var), [&](const Expr *Step) {
      const auto *Op = dyn_cast<BinaryOperator>(Step);
      return !Op || isAtLeast(*Op->getRHS(), 1);
    });
  }

  const Stmt &Loop;
  const ASTContext &Context;
  const VariableFacts Whole, Repeated;
};

/// Nothing but counters end the loop. One with a bound may still wait until
/// then: for what comes in time, as long as nobody is held up.
bool onlyCounts(const Stmt &Loop, const FunctionDecl &Function) {
  if (leavesEarly(Loop))
    return false;
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return Range->getRangeInit()->getType()->isArrayType();
  const Expr *Condition = conditionOf(Loop);
  return Condition && LoopVariables(Loop, Function).isCounted(*Condition);
}

/// The reads in what decides how often \p Loop runs, of what \p MayBeWritten
/// says.
SignalReads readsThatDecide(const Stmt &Loop, const FunctionDecl &Function,
                            const SourceManager &SM,
                            ReadQuestion MayBeWritten) {
  SignalReads Reads(SM, MayBeWritten, Function);
  for (const Stmt *Part : DecidingCode(Loop, Function).Parts)
    Reads.TraverseStmt(Part);
  return Reads;
}

bool isBounded(const Stmt &Loop, const FunctionDecl &Function) {
  const Expr *Condition = conditionOf(Loop);
  return Condition && LoopVariables(Loop, Function).isBounded(*Condition);
}

/// A plain read of memory that others write, and that decides how often \p Loop
/// runs, where no counter ends it anyway. Compilers may read once what nothing
/// in the loop can change, but often do not: where its address changes, or
/// where not every iteration reads it. Of two different pointers it is asked
/// that they have to read anew, for one of \p Stored, the loop's own stores,
/// may change what is read: most kernels that read by one and write by another
/// are called with different memory.
SourceLocation decidingRead(const Stmt &Loop, const FunctionDecl &Function,
                            const SourceManager &SM,
                            llvm::ArrayRef<QualType> Stored,
                            const KernelEffects &Effects,
                            ReadQuestion IsAskedAbout) {
  if (isBounded(Loop, Function))
    return {};
  const auto IsReadAnew = [&](const Expr &Read, const FunctionDecl &In) {
    const ForeignWrites Writes = Effects.foreignWrites(Read, In);
    return IsAskedAbout(Read, In) &&
           (Writes == ForeignWrites::Seen ||
            (Writes == ForeignWrites::ByAlias &&
             llvm::any_of(Stored, [&](QualType Type) {
               return typesMayAlias(Type, Read.getType(),
                                    Function.getASTContext());
             })));
  };
  return readsThatDecide(Loop, Function, SM, IsReadAnew).PlainRead;
}

/// `To = From`, a plain assignment of a local variable.
struct LocalAssignment {
  const VarDecl *To = nullptr;
  const Expr *From = nullptr;
};

LocalAssignment localAssignment(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  const auto *Op =
      E ? dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts()) : nullptr;
  if (!Op || Op->getOpcode() != BO_Assign || !localVariable(Op->getLHS()))
    return {};
  return {localVariable(Op->getLHS()), Op->getRHS()->IgnoreParenImpCasts()};
}

/// The call of atomicCAS that \p E is, or null.
const CallExpr *exchangeIn(const Expr *E) {
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getDeclName().isIdentifier() &&
                 Callee->getName() == "atomicCAS" && Call->getNumArgs() == 3
             ? Call
             : nullptr;
}

/// Every iteration of the loop evaluates the address \p E to the same.
bool isSameAddress(const Stmt &E, const LoopVariables &Variables) {
  char Member = 0;
  if (const auto *Whole = dyn_cast<Expr>(&E);
      Whole && !builtinIndexVariable(*Whole, Member).empty())
    return true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var &&
           (Var->hasLocalStorage() ? Variables.isFixed(*Var)
                                   : !Var->getType()->isPointerType() &&
                                         !Var->getType()->isReferenceType());
  }
  // A global variable or an array may stand for its address, but what lies in
  // memory may change.
  if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&E);
      Cast && Cast->getCastKind() == CK_LValueToRValue) {
    const Expr *Read = Cast->getSubExpr()->IgnoreParens();
    while (const auto *Field = dyn_cast<MemberExpr>(Read)) {
      if (!isPartOfBase(*Field))
        return false;
      Read = Field->getBase()->IgnoreParens();
    }
    const VarDecl *Var = variableNamedBy(*Read);
    return Var && Var->hasLocalStorage() && Variables.isFixed(*Var);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(&E);
      Op && Op->isIncrementDecrementOp())
    return false;
  if (const auto *Op = dyn_cast<BinaryOperator>(&E); Op && Op->isAssignmentOp())
    return false;
  return isa<BinaryOperator, UnaryOperator, CastExpr, ParenExpr,
             ArraySubscriptExpr, MemberExpr, IntegerLiteral,
             SubstNonTypeTemplateParmExpr, ConstantExpr>(E) &&
         llvm::all_of(E.children(), [&](const Stmt *Child) {
           return Child && isSameAddress(*Child, Variables);
         });
}

/// \code
///   do {
///     assumed = old;
///     old = atomicCAS(address, assumed, f(assumed));
///   } while (assumed != old);
/// \endcode
/// It repeats only if another thread's exchange came between, not until one
/// comes (CUDA C++ Programming Guide, "Atomic Functions", its example). The
/// address is always the same, and so are the types: otherwise two that never
/// are equal would be compared for ever.
bool isRetriedExchange(const Stmt &Loop, const FunctionDecl &Function) {
  const auto *Do = dyn_cast<DoStmt>(&Loop);
  const auto *Body = Do ? dyn_cast<CompoundStmt>(Do->getBody()) : nullptr;
  const auto *Unequal =
      Do ? dyn_cast<BinaryOperator>(Do->getCond()->IgnoreParenImpCasts())
         : nullptr;
  if (!Body || Body->size() < 2 || !Unequal || Unequal->getOpcode() != BO_NE)
    return false;
  LocalAssignment Renewal = localAssignment(Body->body_front());
  LocalAssignment Exchange = localAssignment(Body->body_back());
  const VarDecl *Assumed = Renewal.To, *Old = Exchange.To;
  const VarDecl *A = localVariable(Unequal->getLHS()),
                *B = localVariable(Unequal->getRHS());
  const CallExpr *Call = exchangeIn(Exchange.From);
  if (!Assumed || !Old || Assumed == Old || !Call)
    return false;
  const ASTContext &Context = Function.getASTContext();
  const LoopVariables Variables(Loop, Function);
  const QualType Type = Assumed->getType();
  return Type->isIntegerType() &&
         Context.hasSameUnqualifiedType(Type, Old->getType()) &&
         Context.hasSameUnqualifiedType(Type, Call->getType()) &&
         localVariable(Renewal.From) == Old &&
         localVariable(Call->getArg(1)) == Assumed &&
         ((A == Assumed && B == Old) || (A == Old && B == Assumed)) &&
         isSameAddress(*Call->getArg(0), Variables) &&
         !holds(Body, [](const Stmt &S) { return isa<ContinueStmt>(S); }) &&
         Variables.onlyChange(*Assumed) ==
             cast<Expr>(Body->body_front())->IgnoreParenImpCasts() &&
         Variables.isFollowed(*Old);
}

/// What the kernel writes is its own affair; the rest may be somebody else's.
bool isForeign(const Expr &Read, const FunctionDecl &In,
               const KernelEffects &Effects) {
  return Effects.foreignWrites(Read, In) != ForeignWrites::Seen &&
         Effects.isWithinReachOfHost(Read, In);
}

/// A read that decides when \p Loop ends, of what the host may write and
/// \p IsAskedAbout, if anything makes compilers read anew.
SourceLocation waitForHost(
    const Stmt &Loop, const FunctionDecl &Function, const SourceManager &SM,
    const KernelEffects &Effects,
    ReadQuestion IsAskedAbout = [](const Expr &, const FunctionDecl &) {
      return true;
    }) {
  if (onlyCounts(Loop, Function) || isBounded(Loop, Function))
    return {};
  const auto IsForeign = [&](const Expr &Read, const FunctionDecl &In) {
    return isForeign(Read, In, Effects) && IsAskedAbout(Read, In);
  };
  SignalReads All(SM, IsForeign, Function);
  All.TraverseStmt(&Loop);
  return All.Ordered || All.MeetsBlock
             ? readsThatDecide(Loop, Function, SM, IsForeign).PlainRead
             : SourceLocation();
}

/// By reads that \p IsAskedAbout, of what others may write.
SourceLocation findWaitBy(const Stmt &Loop, const FunctionDecl &Function,
                          const SourceManager &SM, const KernelEffects &Effects,
                          ReadQuestion IsAskedAbout) {
  const auto MayBeWritten = [&](const Expr &Read, const FunctionDecl &In) {
    return Effects.foreignWrites(Read, In) != ForeignWrites::None &&
           IsAskedAbout(Read, In);
  };
  SignalReads Reads(SM, MayBeWritten, Function);
  Reads.TraverseStmt(&Loop);
  const SourceLocation Found =
      Reads.found().isValid() ? Reads.found()
                              : decidingRead(Loop, Function, SM, Reads.Stored,
                                             Effects, IsAskedAbout);
  if (Found.isInvalid() && Reads.FencesSystem)
    return waitForHost(Loop, Function, SM, Effects);
  if (Found.isInvalid() || onlyCounts(Loop, Function) ||
      isRetriedExchange(Loop, Function))
    return {};
  return Found;
}

} // namespace

SourceLocation findWait(const Stmt &Loop, const FunctionDecl &Function,
                        const SourceManager &SM, const KernelEffects &Effects) {
  return findWaitBy(Loop, Function, SM, Effects,
                    [](const Expr &, const FunctionDecl &) { return true; });
}

SourceLocation findHostWait(const Stmt &Loop, const FunctionDecl &Function,
                            const SourceManager &SM,
                            const KernelEffects &Effects) {
  const SourceLocation Found =
      findWaitBy(Loop, Function, SM, Effects,
                 [&](const Expr &Read, const FunctionDecl &In) {
                   return Effects.isWithinReachOfHost(Read, In);
                 });
  return Found.isValid() ? Found : waitForHost(Loop, Function, SM, Effects);
}

/// A goto of \p Function that leads back.
static SourceLocation backwardGoto(const FunctionDecl &Function,
                                   const SourceManager &SM) {
  struct GotoFinder : ConstDynamicRecursiveASTVisitor {
    explicit GotoFinder(const SourceManager &SM) : SM(SM) {}
    const SourceManager &SM;
    SourceLocation Backward;
    bool VisitGotoStmt(const GotoStmt *Goto) override {
      const Stmt *Target = Goto->getLabel()->getStmt();
      if (Target && SM.isBeforeInTranslationUnit(Target->getBeginLoc(),
                                                 Goto->getBeginLoc()))
        Backward = Goto->getBeginLoc();
      return true;
    }
  } Finder(SM);
  Finder.TraverseStmt(Function.getBody());
  return Finder.Backward;
}

/// Of reads of what \p MayBeWritten says.
static SourceLocation findGotoWaitBy(const FunctionDecl &Function,
                                     const SourceManager &SM,
                                     ReadQuestion MayBeWritten) {
  if (backwardGoto(Function, SM).isInvalid())
    return {};
  // What decides how often it runs is not looked for: any read may.
  SignalReads Reads(SM, MayBeWritten, Function);
  Reads.TraverseStmt(Function.getBody());
  return Reads.Signal.isValid() ? Reads.Signal : Reads.PlainRead;
}

SourceLocation findGotoWait(const FunctionDecl &Function,
                            const SourceManager &SM,
                            const KernelEffects &Effects) {
  return findGotoWaitBy(
      Function, SM, [&](const Expr &Read, const FunctionDecl &In) {
        return Effects.foreignWrites(Read, In) != ForeignWrites::None;
      });
}

SourceLocation findHostGotoWait(const FunctionDecl &Function,
                                const SourceManager &SM,
                                const KernelEffects &Effects) {
  return findGotoWaitBy(Function, SM,
                        [&](const Expr &Read, const FunctionDecl &In) {
                          return Effects.isWithinReachOfHost(Read, In);
                        });
}

/// Of `atomic<T, Scope>`, `barrier<Scope>`: no more than a block's threads meet
/// there.
static bool isOfBlock(const CXXRecordDecl &Class) {
  const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
  constexpr int OfBlock = 2; // cuda::thread_scope_block; one thread's is more
  return Instance &&
         llvm::any_of(Instance->getTemplateArgs().asArray(),
                      [](const TemplateArgument &Argument) {
                        return Argument.getKind() ==
                                   TemplateArgument::Integral &&
                               Argument.getIntegralType()->isEnumeralType() &&
                               Argument.getAsIntegral() >= OfBlock;
                      });
}

bool isMeetingPlace(const CXXRecordDecl &Class) {
  const llvm::StringRef Name = Class.getIdentifier() ? Class.getName() : "";
  return (Name.contains("atomic") || Name.contains("semaphore") ||
          Name.contains("latch") || Name.contains("barrier")) &&
         !isOfBlock(Class);
}

namespace {

/// Finds reads that see each time anew what somebody else has written.
class PollFinder : public ConstDynamicRecursiveASTVisitor {
public:
  PollFinder(const FunctionDecl &Function, const KernelEffects &Effects)
      : Function(Function), Context(Function.getASTContext()),
        Effects(Effects) {
    ShouldVisitImplicitCode = true;
  }

  SourceLocation Found;

  bool VisitCompoundStmt(const CompoundStmt *Block) override {
    for (const Stmt *S : Block->body())
      if (const auto *E = dyn_cast<Expr>(S))
        Discarded.insert(E->IgnoreParenCasts());
    return true;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    return Cast->getCastKind() != CK_LValueToRValue ||
           lookAt(*Cast->getSubExpr());
  }
  /// What changes volatile memory by itself reads it first.
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    return !Op->isIncrementDecrementOp() || lookAt(*Op->getSubExpr());
  }
  bool VisitCompoundAssignOperator(const CompoundAssignOperator *Op) override {
    return lookAt(*Op->getLHS());
  }
  bool VisitAtomicExpr(const AtomicExpr *E) override {
    const llvm::StringRef Name = E->getOpAsString();
    const bool HasValue = E->getNumSubExprs() > 2 && !Name.contains("load");
    return note(!Discarded.contains(E) &&
                    !(HasValue && takes(Name, *E->getVal1(), nullptr)),
                E->getBeginLoc());
  }
  bool VisitAsmStmt(const AsmStmt *Asm) override {
    return note(!isPlainAsm(*Asm) || readsAnew(*Asm), Asm->getAsmLoc());
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return note(Callee && (isKnown(facts::nameOf(Callee)) || onlyLooks(*Call) ||
                           (facts::isLibraryCode(*Callee) &&
                            looksByLibrary(*Call, *Callee))),
                Call->getBeginLoc());
  }

private:
  bool note(bool IsPoll, SourceLocation Where) {
    if (IsPoll)
      Found = Where;
    return Found.isInvalid();
  }

  bool lookAt(const Expr &Read) {
    return note(Read.getType().isVolatileQualified() &&
                    Effects.isWithinReachOfHost(Read, Function),
                Read.getBeginLoc());
  }

  /// Loads past the first cache, what sleeps, and what orders memory for the
  /// host.
  static bool isKnown(llvm::StringRef Name) {
    return Name == "__ldcv" || Name == "__ldcg" || Name == "__ldlu" ||
           Name == "__nanosleep" || Name == "__threadfence_system" ||
           Name.starts_with("__nv_atomic_load") ||
           (Name.starts_with("atomic") && Name.ends_with("_system"));
  }

  /// It runs each time, and loads, or has the compiler load again.
  bool readsAnew(const AsmStmt &Asm) const {
    return (Asm.isVolatile() || Asm.getNumOutputs() == 0) &&
           (llvm::StringRef(Asm.generateAsmString(Context)).contains("ld") ||
            llvm::any_of(llvm::seq(Asm.getNumClobbers()), [&](unsigned I) {
              return Asm.getClobber(I) == "memory";
            }));
  }

  /// Whether an atomic of this name leaves another value than it has found, so
  /// that who repeats it does not just wait: it adds what is not 0, or puts
  /// one thing in place of another. \p New: of an exchange that compares.
  bool takes(llvm::StringRef Name, const Expr &By, const Expr *New) const {
    const auto Number = facts::integerOf(By, Context);
    if (Name.contains_insensitive("CAS") || Name.contains("compare"))
      return New && !isSame(By, *New, Number);
    if (Name.contains_insensitive("exch"))
      return true;
    const bool Adds = Name.contains_insensitive("add") ||
                      Name.contains_insensitive("sub") ||
                      Name.contains_insensitive("xor");
    return Adds && (Number ? !Number->isZero() : isFloatNotZero(By));
  }

  bool isSame(const Expr &Old, const Expr &New,
              const std::optional<llvm::APSInt> &Number) const {
    const VarDecl *From = localVariable(&Old);
    return (From && From == localVariable(&New)) ||
           (Number && Number == facts::integerOf(New, Context));
  }

  bool isFloatNotZero(const Expr &E) const {
    Expr::EvalResult Value;
    return !E.isValueDependent() && E.EvaluateAsRValue(Value, Context) &&
           Value.Val.isFloat() && !Value.Val.getFloat().isZero();
  }

  /// An atomic that is called for what it returns.
  bool onlyLooks(const CallExpr &Call) const {
    const llvm::StringRef Name = facts::calleeName(Call);
    return (Name.starts_with("atomic") || Name.starts_with("__nv_atomic") ||
            Name.starts_with("__sync_")) &&
           !Name.starts_with("atomic_") && Call.getNumArgs() > 1 &&
           !Discarded.contains(&Call) && !Name.starts_with("atomicInc") &&
           !Name.starts_with("atomicDec") &&
           !takes(Name, *Call.getArg(1),
                  Call.getNumArgs() > 2 ? Call.getArg(2) : nullptr);
  }

  /// By an object or a function of libcu++, or a load of CUB's.
  bool looksByLibrary(const CallExpr &Call, const FunctionDecl &Callee) const {
    const llvm::StringRef Name = facts::nameOf(&Callee);
    if (Name == "atomic_thread_fence")
      return !isBelowSystem(Call);
    if (Name == "ThreadLoad")
      return true;
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    const bool IsAtomic =
        Method ? isMeetingPlace(*Method->getParent())
               : Name.starts_with("atomic_") && Name != "atomic_init";
    if (!IsAtomic || Discarded.contains(&Call) || Name.contains("store") ||
        Name == "arrive" || (Method && isa<CXXConstructorDecl>(Method)))
      return false;
    const unsigned Value = Method ? 0 : 1;
    return !Name.contains("fetch_") || Call.getNumArgs() <= Value ||
           !takes(Name, *Call.getArg(Value), nullptr);
  }

  /// Of a fence, that it says so: the narrower scopes come behind the device's.
  bool isBelowSystem(const CallExpr &Fence) const {
    constexpr int OfDevice = 1; // cuda::thread_scope_device
    const auto Scope = Fence.getNumArgs() > 1
                           ? facts::integerOf(*Fence.getArg(1), Context)
                           : std::nullopt;
    return Scope && *Scope >= OfDevice;
  }

  const FunctionDecl &Function;
  const ASTContext &Context;
  const KernelEffects &Effects;
  llvm::SmallPtrSet<const Expr *, 16> Discarded;
};

/// \p Function may go on for as long as somebody else wants it to.
bool mayRunOn(const FunctionDecl &Function, const SourceManager &SM) {
  return backwardGoto(Function, SM).isValid() ||
         codeHolds(Function, [&](const Stmt &S) {
           return isLoop(S) && !isOfPattern(S) && !onlyCounts(S, Function) &&
                  !isBounded(S, Function) && !isRetriedExchange(S, Function);
         });
}

/// A plain read by which a loop of \p Function waits, between barriers or
/// fences, until what the kernel does not write is another: it looks at the
/// same place each time.
SourceLocation plainPoll(const FunctionDecl &Function, const SourceManager &SM,
                         const KernelEffects &Effects) {
  SourceLocation Found;
  codeHolds(Function, [&](const Stmt &S) {
    if (!isLoop(S) || isOfPattern(S))
      return false;
    const LoopVariables Variables(S, Function);
    Found =
        waitForHost(S, Function, SM, Effects,
                    [&](const Expr &Read, const FunctionDecl &In) {
                      return &In != &Function || isSameAddress(Read, Variables);
                    });
    return Found.isValid();
  });
  return Found;
}

} // namespace

SourceLocation findPoll(const KernelEffects &Effects, const SourceManager &SM) {
  // The runtime's barriers wait for the same grid.
  const auto IsUsers = [&](const FunctionDecl *F) {
    return !isInRuntimeHeader(F->getLocation(), SM) &&
           !facts::isLibraryCode(*F);
  };
  if (!Effects.Recursive &&
      llvm::none_of(Effects.Functions, [&](const FunctionDecl *F) {
        return IsUsers(F) && mayRunOn(*F, SM);
      }))
    return {};
  for (const FunctionDecl *F : Effects.Functions) {
    if (!IsUsers(F))
      continue;
    PollFinder Finder(*F, Effects);
    Finder.TraverseDecl(F); // with a constructor's initialisers
    if (Finder.Found.isValid())
      return Finder.Found;
    if (const SourceLocation Read = plainPoll(*F, SM, Effects); Read.isValid())
      return Read;
  }
  return {};
}

bool isPlainAsm(const AsmStmt &Asm) {
  const auto *Gcc = dyn_cast<GCCAsmStmt>(&Asm);
  if (!Gcc || Gcc->isAsmGoto())
    return false;
  std::string Text = Gcc->getAsmString();
  // Comments could hide instructions from a reader as simple as this one.
  if (llvm::StringRef(Text).contains("//") ||
      llvm::StringRef(Text).contains("/*"))
    return false;
  llvm::SmallVector<llvm::StringRef, 8> Lines;
  llvm::StringRef(Text).split(Lines, ';');
  for (llvm::StringRef Line : Lines) {
    Line = Line.trim(" \t\r\n{}");
    if (Line.empty() || Line.starts_with(".reg"))
      continue;
    llvm::StringRef Opcode = Line.take_until(
        [](char C) { return C == ' ' || C == '\t' || C == '\n'; });
    auto [Name, Modifiers] = Opcode.split('.');
    bool Computes =
        llvm::StringSwitch<bool>(Name)
            .Cases({"mov", "add", "sub", "mul", "mad", "fma", "div", "rem"},
                   true)
            .Cases({"neg", "abs", "min", "max", "and", "or", "xor", "not"},
                   true)
            .Cases({"shl", "shr", "shf", "prmt", "bfe", "bfi", "lop3", "bfind"},
                   true)
            .Cases(
                {"cvt", "setp", "set", "selp", "slct", "popc", "clz", "brev"},
                true)
            .Cases({"ex2", "lg2", "rcp", "sqrt", "rsqrt", "sin", "cos", "tanh"},
                   true)
            .Cases({"dp4a", "dp2a", "mul24", "mad24", "sad", "addc", "subc",
                    "madc"},
                   true)
            .Cases({"prefetch", "prefetchu", "cvta", "isspacep"}, true)
            .Default(false);
    bool Accesses =
        (Name == "ld" || Name == "st") && !Modifiers.contains("volatile") &&
        !Modifiers.contains("acquire") && !Modifiers.contains("release") &&
        !Modifiers.contains("relaxed") && !Modifiers.contains("mmio") &&
        !Modifiers.contains(".c") && !Modifiers.starts_with("c");
    if (!Computes && !Accesses)
      return false;
  }
  return true;
}

} // namespace barricade

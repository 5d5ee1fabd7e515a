// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/Waiting.h"
#include "matchers/DeviceCalls.h"
#include "matchers/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade {
namespace {

/// Looks, through visible calls, for reads by which another thread's doings
/// could be noticed.
class SignalReads : public ConstDynamicRecursiveASTVisitor {
public:
  SignalReads(const SourceManager &SM, MemoryQuestion MayBeWritten,
              const FunctionDecl &Function)
      : SM(SM), MayBeWritten(MayBeWritten), Function(&Function) {
    ShouldVisitImplicitCode = true;
  }

  /// What is a signal whatever else the loop does.
  SourceLocation Signal;
  /// A read of plain memory that the kernel writes, and something that keeps
  /// the compiler from reading it once and for all.
  SourceLocation PlainRead;
  bool Ordered = false;

  SourceLocation found() const {
    return Signal.isValid() ? Signal : Ordered ? PlainRead : SourceLocation();
  }

  bool VisitExpr(const Expr *E) override {
    // The message of a static_assert has no type.
    if (!E->isLValue() || E->getType().isNull())
      return true;
    if (E->getType().isVolatileQualified())
      note(Signal, E->getExprLoc());
    else if (isMemory(*E) && MayBeWritten(*E, *Function))
      note(PlainRead, E->getExprLoc());
    return true;
  }
  bool VisitAtomicExpr(const AtomicExpr *E) override {
    note(Signal, E->getBeginLoc());
    return true;
  }
  bool VisitAsmStmt(const AsmStmt *Asm) override {
    note(Signal, Asm->getBeginLoc());
    return true;
  }
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    note(Signal, Lambda->getBeginLoc());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    const CXXConstructorDecl *Constructor = E->getConstructor();
    if (!Constructor->isTrivial() &&
        !SM.isInSystemHeader(Constructor->getLocation()))
      note(Signal, E->getBeginLoc());
    return true;
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
    case CallKind::Pure:
    case CallKind::Assignment:
    case CallKind::UniformIndex:
    case CallKind::ThreadIndex:
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
  static bool isMemory(const Expr &E) {
    if (isa<ArraySubscriptExpr>(E))
      return true;
    if (const auto *Op = dyn_cast<UnaryOperator>(&E))
      return Op->getOpcode() == UO_Deref;
    if (const auto *Member = dyn_cast<MemberExpr>(&E))
      return Member->isArrow();
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return Var &&
           (!Var->hasLocalStorage() || Var->getType()->isReferenceType()) &&
           !Var->getType()->isArrayType();
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
  MemoryQuestion MayBeWritten;
  const FunctionDecl *Function;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Visited;
  llvm::SmallPtrSet<const Expr *, 16> Discarded;
};

/// Which local variables a loop changes, and how.
class Changes : public ConstDynamicRecursiveASTVisitor {
public:
  llvm::SmallPtrSet<const VarDecl *, 16> Stepped; ///< By a fixed-size step.
  llvm::SmallPtrSet<const VarDecl *, 16> Changed; ///< In any other way.
  struct Step {
    const VarDecl *Var;
    const Expr *Whole;
    const Expr *By; ///< Null for ++ and --.
  };
  llvm::SmallVector<Step, 8> Steps;

  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      step(*Op, Op->getSubExpr(), nullptr);
    else if (Op->getOpcode() == UO_AddrOf)
      change(Op->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isCompoundAssignmentOp())
      step(*Op, Op->getLHS(), Op->getRHS());
    else if (Op->getOpcode() == BO_Assign)
      change(Op->getLHS());
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    for (const Expr *Arg : Call->arguments())
      if (Arg->isLValue())
        change(Arg);
    return true;
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->getType()->isReferenceType() && Var->getInit())
      change(Var->getInit());
    return true;
  }

private:
  void step(const Expr &Whole, const Expr *Target, const Expr *By) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Target->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Var)
      return change(Target);
    Stepped.insert(Var);
    Steps.push_back({Var, &Whole, By});
  }
  /// Every variable that the expression names: which of them is written does
  /// not matter. An index or a pointer is read only; variables that pointers
  /// reach were named where their address was taken.
  void change(const Stmt *Target) {
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Target))
      return change(Subscript->getBase());
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Target);
        Cast && Cast->getCastKind() == CK_LValueToRValue)
      return;
    if (const auto *Op = dyn_cast<UnaryOperator>(Target);
        Op && Op->getOpcode() == UO_Deref)
      return;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Target))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
        Changed.insert(Var);
    for (const Stmt *Child : Target->children())
      if (Child)
        change(Child);
  }
};

/// Nothing but numbers and local variables that \p Fixed accepts.
bool isPlainArithmetic(const Stmt &S,
                       llvm::function_ref<bool(const VarDecl &)> Fixed) {
  char Member = 0;
  if (const auto *E = dyn_cast<Expr>(&S);
      E && !builtinIndexVariable(*E, Member).empty())
    return true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return isa<EnumConstantDecl>(Ref->getDecl());
    if (Var->getType()->isReferenceType() ||
        Var->getType().isVolatileQualified())
      return false;
    return Var->hasLocalStorage() ? Fixed(*Var) : Var->isConstexpr();
  }
  if (!isa<BinaryOperator, UnaryOperator, ImplicitCastExpr, ParenExpr,
           ConditionalOperator, ExplicitCastExpr, IntegerLiteral,
           FloatingLiteral, CXXBoolLiteralExpr, UnaryExprOrTypeTraitExpr,
           SubstNonTypeTemplateParmExpr, ConstantExpr>(S))
    return false;
  if (const auto *Op = dyn_cast<UnaryOperator>(&S);
      Op && (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf))
    return false;
  return llvm::all_of(S.children(), [&](const Stmt *Child) {
    return Child && isPlainArithmetic(*Child, Fixed);
  });
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

/// The number of iterations follows from local numbers alone, whatever memory
/// holds: breaks can only make it smaller.
bool isCounted(const Stmt &Loop) {
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop))
    return Range->getRangeInit()->getType()->isArrayType();
  const Expr *Condition = conditionOf(Loop);
  if (!Condition)
    return false;
  Changes C;
  C.TraverseStmt(&Loop);
  llvm::SmallPtrSet<const VarDecl *, 4> Counters;
  auto Steady = [&](const VarDecl &Var) {
    if (C.Stepped.contains(&Var))
      Counters.insert(&Var);
    return !C.Changed.contains(&Var);
  };
  auto Fixed = [&](const VarDecl &Var) {
    return !C.Changed.contains(&Var) && !C.Stepped.contains(&Var);
  };
  // A constant condition is no count.
  return isPlainArithmetic(*Condition, Steady) && !Counters.empty() &&
         llvm::all_of(C.Steps, [&](const Changes::Step &Step) {
           return !Counters.contains(Step.Var) ||
                  (isInEveryIteration(*Step.Whole, Loop) &&
                   (!Step.By || isPlainArithmetic(*Step.By, Fixed)));
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

/// \p Step moves its variable up (or down) in every iteration of \p Loop.
/// Without \p MayJump, it takes every value on its way.
bool movesBy(const Changes::Step &Step, const Stmt &Loop, bool Up, bool MayJump,
             const ASTContext &Context) {
  if (!isInEveryIteration(*Step.Whole, Loop))
    return false;
  if (const auto *Op = dyn_cast<UnaryOperator>(Step.Whole))
    return Op->isIncrementOp() == Up;
  const auto Code = cast<BinaryOperator>(Step.Whole)->getOpcode();
  Expr::EvalResult By;
  return MayJump && Code == (Up ? BO_AddAssign : BO_SubAssign) &&
         Step.By->EvaluateAsInt(By, Context) &&
         By.Val.getInt().isStrictlyPositive();
}

/// `Counter < Bound` ends, wherever the bound goes meanwhile: the counter comes
/// to the end of its type. (Not so one that wraps around before, since it steps
/// over the end or is compared as a wider type; nor in practice one of 64
/// bits.)
bool isBoundedBy(const Expr &Counter, bool Up, bool IsStrict, const Stmt &Loop,
                 const Changes &C, const ASTContext &Context) {
  const VarDecl *Var = localVariable(&Counter);
  if (!Var || C.Changed.contains(Var) || !C.Stepped.contains(Var) ||
      Var->getType().isVolatileQualified() ||
      !Var->getType()->isIntegerType() ||
      Context.getTypeSize(Var->getType()) != 32 ||
      Context.getTypeSize(Counter.getType()) != 32)
    return false;
  // Signed counters do not wrap around.
  const bool MayJump = Var->getType()->isSignedIntegerType();
  return (IsStrict || MayJump) && llvm::all_of(C.Steps, [&](const auto &Step) {
           return Step.Var != Var || movesBy(Step, Loop, Up, MayJump, Context);
         });
}

/// The number of iterations is bounded, whatever memory holds: for no condition
/// that another thread might bring about does it go on for ever.
bool isBounded(const Expr &Condition, const Stmt &Loop, const Changes &C,
               const ASTContext &Context) {
  const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
  if (!Op)
    return false;
  if (Op->getOpcode() == BO_LAnd)
    return isBounded(*Op->getLHS(), Loop, C, Context) ||
           isBounded(*Op->getRHS(), Loop, C, Context);
  const bool Less = Op->getOpcode() == BO_LT || Op->getOpcode() == BO_LE;
  const bool Greater = Op->getOpcode() == BO_GT || Op->getOpcode() == BO_GE;
  const bool IsStrict = Op->getOpcode() == BO_LT || Op->getOpcode() == BO_GT;
  if (!Less && !Greater)
    return false;
  return isBoundedBy(*Op->getLHS(), /*Up=*/Less, IsStrict, Loop, C, Context) ||
         isBoundedBy(*Op->getRHS(), /*Up=*/Greater, IsStrict, Loop, C, Context);
}

bool isBounded(const Stmt &Loop, const ASTContext &Context) {
  const Expr *Condition = conditionOf(Loop);
  if (!Condition)
    return false;
  Changes C;
  C.TraverseStmt(&Loop);
  return isBounded(*Condition, Loop, C, Context);
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

/// The compare operand of an atomicCAS, or null for any other expression.
const Expr *comparedByExchange(const Expr *E) {
  const auto *Call = dyn_cast_or_null<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getDeclName().isIdentifier() &&
                 Callee->getName() == "atomicCAS" && Call->getNumArgs() == 3
             ? Call->getArg(1)
             : nullptr;
}

/// Places of \p Function that may change \p Var, its declaration aside.
unsigned countWrites(const FunctionDecl &Function, const VarDecl &Var) {
  unsigned Writes = 0;
  holds(Function.getBody(), [&](const Stmt &S) {
    const Expr *Target = nullptr;
    if (const auto *Op = dyn_cast<BinaryOperator>(&S))
      Target = Op->isAssignmentOp() ? Op->getLHS() : nullptr;
    else if (const auto *Op = dyn_cast<UnaryOperator>(&S))
      Target = Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf
                   ? Op->getSubExpr()
                   : nullptr;
    else if (const auto *Decl = dyn_cast<DeclStmt>(&S))
      for (const auto *D : Decl->decls())
        if (const auto *Alias = dyn_cast<VarDecl>(D);
            Alias && Alias->getType()->isReferenceType())
          Target = Alias->getInit();
    Writes += localVariable(Target) == &Var;
    return false;
  });
  return Writes;
}

/// \code
///   do {
///     assumed = old;
///     old = atomicCAS(address, assumed, f(assumed));
///   } while (assumed != old);
/// \endcode
/// It repeats only if another thread's exchange came between, not until one
/// comes (CUDA C++ Programming Guide, "Atomic Functions", its example).
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
  return Assumed && Old && Assumed != Old &&
         localVariable(Renewal.From) == Old &&
         localVariable(comparedByExchange(Exchange.From)) == Assumed &&
         ((A == Assumed && B == Old) || (A == Old && B == Assumed)) &&
         countWrites(Function, *Assumed) == 1;
}

} // namespace

SourceLocation findWait(const Stmt &Loop, const FunctionDecl &Function,
                        const SourceManager &SM, MemoryQuestion MayBeWritten) {
  if (isCounted(Loop) || isBounded(Loop, Function.getASTContext()) ||
      isRetriedExchange(Loop, Function))
    return {};
  SignalReads Reads(SM, MayBeWritten, Function);
  Reads.TraverseStmt(&Loop);
  return Reads.found();
}

SourceLocation findGotoWait(const FunctionDecl &Function,
                            const SourceManager &SM,
                            MemoryQuestion MayBeWritten) {
  struct GotoFinder : ConstDynamicRecursiveASTVisitor {
    SourceLocation Backward;
    bool VisitGotoStmt(const GotoStmt *Goto) override {
      if (Goto->getLabel()->getStmt() &&
          Goto->getLabel()->getStmt()->getBeginLoc() < Goto->getBeginLoc())
        Backward = Goto->getBeginLoc();
      return true;
    }
  } Finder;
  Finder.TraverseStmt(Function.getBody());
  if (Finder.Backward.isInvalid())
    return {};
  SignalReads Reads(SM, MayBeWritten, Function);
  Reads.TraverseStmt(Function.getBody());
  return Reads.found();
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
        !Modifiers.contains(".c");
    if (!Computes && !Accesses)
      return false;
  }
  return true;
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dependence/ElementOwners.h"
#include "matchers/facts/AffineForm.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/LocalValues.h"
#include "matchers/facts/Names.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::dependence {
namespace {

/// Larger offsets might lead out of 32 bits.
constexpr int64_t MaxOffset = 1 << 20;
/// Definitions of variables that are followed one after the other.
constexpr unsigned MaxDepth = 16;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Finds what `for` loops ask before each of their steps.
class LoopConditions : public ConstDynamicRecursiveASTVisitor {
public:
  explicit LoopConditions(const FunctionDecl &Kernel) {
    if (Kernel.getBody())
      TraverseStmt(Kernel.getBody());
  }

  /// What is true, and the counter as it was asked about, whenever \p Step
  /// runs, as long as nothing else changes the counter; null if unknown.
  const Expr *before(const CompoundAssignOperator &Step) const {
    return Found.lookup(&Step);
  }

  bool VisitForStmt(const ForStmt *For) override {
    if (For->getCond() && For->getInc() && !mayBeEnteredInside(*For))
      addSteps(*For->getInc(), *For->getCond());
    return true;
  }

private:
  /// By a jump the step may follow without the question.
  static bool mayBeEnteredInside(const ForStmt &For) {
    return holds(For.getBody(), [](const Stmt &Part) {
      return isa<LabelStmt, SwitchCase>(Part);
    });
  }

  void addSteps(const Expr &Whole, const Expr &Condition) {
    const Expr &E = *Whole.IgnoreParens();
    if (const auto *Step = dyn_cast<CompoundAssignOperator>(&E)) {
      Found[Step] = &Condition;
    } else if (const auto *Op = dyn_cast<BinaryOperator>(&E);
               Op && Op->isCommaOp()) {
      addSteps(*Op->getLHS(), Condition);
      addSteps(*Op->getRHS(), Condition);
    }
  }

  llvm::DenseMap<const CompoundAssignOperator *, const Expr *> Found;
};

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

const Symbol ThreadX = builtinSymbol(Symbol::ThreadIdx, 0);
const Symbol BlockX = builtinSymbol(Symbol::BlockIdx, 0);
const Symbol SizeX = builtinSymbol(Symbol::BlockDim, 0);
const Symbol GridX = builtinSymbol(Symbol::GridDim, 0);

/// Stands for the number of an iteration of the loop that \p Counter counts.
Symbol iterationOf(const VarDecl &Counter) {
  Symbol S;
  S.Kind = Symbol::Induction;
  S.Key = &Counter;
  S.Name = "iteration of " + Counter.getNameAsString();
  return S;
}

/// Stands for how far `i ^ Distance` is from i.
Symbol shiftBy(const ParmVarDecl &Distance) {
  Symbol S;
  S.Kind = Symbol::Opaque;
  S.Key = &Distance;
  S.Name = "shift by " + Distance.getNameAsString();
  return S;
}

/// Index expressions as forms that hold in the arithmetic of the machine, too,
/// and in all builds.
class IndexReader {
public:
  IndexReader(const LocalValues &Locals, const FunctionDecl &Kernel,
              std::optional<uint64_t> BlockThreads, bool FixedArguments)
      : Locals(Locals), Kernel(Kernel), Conditions(Kernel),
        Context(Kernel.getASTContext()), Where(spelledLocation(Kernel)),
        BlockThreads(BlockThreads), FixedArguments(FixedArguments) {}

  std::optional<AffineForm> read(const Expr &Whole, unsigned Depth = 0) const {
    const Expr &E = *Whole.IgnoreParens();
    if (Depth > MaxDepth || !E.getType()->isIntegerType())
      return std::nullopt;
    if (auto Index = builtin(E))
      return Index;
    if (const auto Value = facts::integerOf(E, Context))
      return valueMayDiffer(E, Where, Context, FixedArguments)
                 ? std::nullopt
                 : std::optional<AffineForm>(Value->getExtValue());
    if (const auto *Cast = dyn_cast<CastExpr>(&E))
      return readCast(*Cast, Depth);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&E))
      return readVariable(*Ref, Depth);
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return readBinary(*Op, Depth);
    return std::nullopt;
  }

  /// `blockDim.x`, or its value.
  AffineForm blockSize() const {
    return BlockThreads ? AffineForm(int64_t(*BlockThreads))
                        : AffineForm(SizeX);
  }
  AffineForm threadNumber() const {
    return AffineForm(BlockX) * blockSize() + AffineForm(ThreadX);
  }
  AffineForm lastOfBlock() const { return blockSize() - AffineForm(1); }
  /// The thread's index within the block, counted from the end.
  AffineForm mirrored() const { return lastOfBlock() - AffineForm(ThreadX); }
  AffineForm threadCount() const { return AffineForm(GridX) * blockSize(); }
  /// The counter of a loop over the grid's stride of which \p F is the thread's
  /// number in some iteration, or null.
  const VarDecl *counterIn(const AffineForm &F) const {
    for (const Symbol &S : F.symbols())
      if (S.Kind == Symbol::Induction &&
          F == threadNumber() + threadCount() * AffineForm(S))
        return static_cast<const VarDecl *>(S.Key);
    return nullptr;
  }

  /// What must leave room for a stride above it, or \p Counter may wrap; null
  /// where it does not anyway. To be asked of what counterIn has found.
  const ParmVarDecl *limitOf(const VarDecl &Counter) const {
    const CompoundAssignOperator &Step = *Locals.onlyStep(Counter);
    return mayWrap(Step) ? limitOf(Counter, Step) : nullptr;
  }

  /// The distance of the one shift in \p Index, if there is one.
  static const ParmVarDecl *shiftIn(const AffineForm &Index) {
    for (const Symbol &S : Index.symbols())
      if (isShift(S))
        return static_cast<const ParmVarDecl *>(S.Key);
    return nullptr;
  }

private:
  std::optional<AffineForm> builtin(const Expr &E) const {
    char Member = 0;
    const llvm::StringRef Name = builtinIndexVariable(E, Member);
    if (Name.empty() || Member != 'x')
      return std::nullopt;
    return Name == "threadIdx"  ? AffineForm(ThreadX)
           : Name == "blockIdx" ? AffineForm(BlockX)
           : Name == "blockDim" ? blockSize()
                                : AffineForm(GridX);
  }

  /// Conversions keep what fits into 31 bits, and to wider types they keep all.
  std::optional<AffineForm> readCast(const CastExpr &Cast,
                                     unsigned Depth) const {
    const Expr &From = *Cast.getSubExpr();
    switch (Cast.getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
      return read(From, Depth);
    case CK_IntegralCast: {
      const auto Value = read(From, Depth);
      const bool KeepsAll = bits(Cast) > bits(From) ||
                            (bits(Cast) == bits(From) &&
                             (bits(Cast) == 64 || sign(Cast) == sign(From)));
      return Value && bits(Cast) >= 32 && (isSmall(*Value) || KeepsAll)
                 ? Value
                 : std::nullopt;
    }
    default:
      return std::nullopt;
    }
  }

  uint64_t bits(const Expr &E) const {
    return Context.getIntWidth(E.getType());
  }
  static bool sign(const Expr &E) {
    return E.getType()->isSignedIntegerOrEnumerationType();
  }

  /// From 0 to the number of threads. What a shift leads to within the block
  /// is, and elsewhere nobody asks for it.
  bool isSmall(const AffineForm &Whole) const {
    const AffineForm F = Whole.without(isShift);
    const std::optional<int64_t> Constant = F.asConstant();
    const AffineForm FirstOfBlock = AffineForm(BlockX) * blockSize();
    return (Constant && *Constant >= 0 && *Constant <= INT32_MAX) ||
           llvm::is_contained(
               {AffineForm(ThreadX), AffineForm(BlockX), AffineForm(SizeX),
                AffineForm(GridX), FirstOfBlock, threadNumber(), threadCount(),
                lastOfBlock(), mirrored(), FirstOfBlock + mirrored()},
               F);
  }

  std::optional<AffineForm> readVariable(const DeclRefExpr &Ref,
                                         unsigned Depth) const {
    const auto *Var = dyn_cast<VarDecl>(Ref.getDecl());
    if (!Var || !Var->getInit() || isa<ParmVarDecl>(Var))
      return std::nullopt;
    if (Locals.isConstant(*Var))
      return read(*Var->getInit(), Depth + 1);
    const CompoundAssignOperator *Step = Locals.onlyStep(*Var);
    if (!Step || (mayWrap(*Step) && !limitOf(*Var, *Step)))
      return std::nullopt;
    auto Start = read(*Var->getInit(), Depth + 1);
    auto Growth = read(*Step->getRHS(), Depth + 1);
    if (!Start || !(*Start == threadNumber()) || !Growth ||
        !(*Growth == threadCount()))
      return std::nullopt;
    return *Start + *Growth * AffineForm(iterationOf(*Var));
  }

  /// A variable of 64 bits comes to no end. A sum of signed numbers does not
  /// overflow; but `int k; k += gridDim.x * blockDim.x` adds numbers without a
  /// sign, and what becomes of them is defined.
  bool mayWrap(const CompoundAssignOperator &Step) const {
    const QualType Sum = Step.getComputationResultType();
    return bits(Step) != 64 &&
           (bits(Step) != 32 ||
            !Context.hasSameUnqualifiedType(Sum, Step.getLHS()->getType()) ||
            !Sum->isSignedIntegerType());
  }

  /// The parameter n of `i < n`, or `i <= n`, which is true before each step of
  /// \p Counter, of 32 bits. As long as n is not negative and n + T is no more
  /// than an int can be, for the T threads by which the counter grows, no sum
  /// is more than that either, whatever types it is computed in; and types of
  /// fewer than 32 bits are not among them.
  const ParmVarDecl *limitOf(const VarDecl &Counter,
                             const CompoundAssignOperator &Step) const {
    const Expr *Condition =
        bits(Step) == 32 ? Conditions.before(Step) : nullptr;
    return Condition ? limitIn(*Condition, Counter) : nullptr;
  }

  const ParmVarDecl *limitIn(const Expr &Whole, const VarDecl &Counter) const {
    const auto *Op = dyn_cast<BinaryOperator>(Whole.IgnoreParens());
    if (!Op)
      return nullptr;
    const Expr &Left = *Op->getLHS(), &Right = *Op->getRHS();
    switch (Op->getOpcode()) {
    case BO_LAnd: {
      const ParmVarDecl *First = limitIn(Left, Counter);
      return First ? First : limitIn(Right, Counter);
    }
    case BO_LT:
    case BO_LE:
      return keeps(Left, Counter) ? parameterOf(Right, 32) : nullptr;
    case BO_GT:
    case BO_GE:
      return keeps(Right, Counter) ? parameterOf(Left, 32) : nullptr;
    default:
      return nullptr;
    }
  }

  /// \p Whole is the value of \p Counter, if that fits into 31 bits.
  bool keeps(const Expr &Whole, const VarDecl &Counter) const {
    const Expr &E = *Whole.IgnoreParens();
    if (!E.getType()->isIntegerType() || bits(E) < 32)
      return false;
    const auto *Cast = dyn_cast<ImplicitCastExpr>(&E);
    if (Cast && (Cast->getCastKind() == CK_LValueToRValue ||
                 Cast->getCastKind() == CK_IntegralCast))
      return keeps(*Cast->getSubExpr(), Counter);
    return variableNamedBy(E) == &Counter;
  }

  static bool isShift(const Symbol &S) { return S.Kind == Symbol::Opaque; }

  /// \p F holds on conditions, which are asked for where its symbols are seen.
  /// Of one iteration another may be meant where the counter has gone on since.
  static bool isConditional(const AffineForm &F) {
    return llvm::any_of(F.symbols(), [](const Symbol &S) {
      return isShift(S) || S.Kind == Symbol::Induction;
    });
  }

  /// No longer to be seen in the result: `(i ^ j) - (i ^ (short)j)`.
  static bool mayCancel(BinaryOperatorKind Op, bool OnLeft, bool OnRight) {
    return Op == BO_Add   ? OnLeft && OnRight
           : Op == BO_Sub ? OnRight
                          : OnLeft || OnRight;
  }

  /// `i ^ j`, of the thread's number and a parameter.
  std::optional<AffineForm> readXor(const BinaryOperator &Op,
                                    unsigned Depth) const {
    const Expr *Number = Op.getLHS(), *Distance = Op.getRHS();
    // No block has more threads than 16 bits count.
    const ParmVarDecl *Parameter = parameterOf(*Distance, 16);
    if (!Parameter) {
      std::swap(Number, Distance);
      Parameter = parameterOf(*Distance, 16);
    }
    auto Form = Parameter ? read(*Number, Depth) : std::nullopt;
    if (!Form || (!(*Form == threadNumber()) && !counterIn(*Form)))
      return std::nullopt;
    return *Form + AffineForm(shiftBy(*Parameter));
  }

  /// The kernel's parameter whose value \p Whole has as long as that is not
  /// negative and fits into an int of \p MinBits.
  const ParmVarDecl *parameterOf(const Expr &Whole, unsigned MinBits,
                                 unsigned Depth = 0) const {
    const Expr &E = *Whole.IgnoreParens();
    if (Depth > MaxDepth || !E.getType()->isIntegerType() ||
        E.getType()->isBooleanType() || bits(E) < MinBits || bits(E) > 64)
      return nullptr;
    if (const auto *Cast = dyn_cast<CastExpr>(&E))
      return Cast->getCastKind() == CK_LValueToRValue ||
                     Cast->getCastKind() == CK_NoOp ||
                     Cast->getCastKind() == CK_IntegralCast
                 ? parameterOf(*Cast->getSubExpr(), MinBits, Depth + 1)
                 : nullptr;
    const VarDecl *Var = variableNamedBy(E);
    if (!Var || !Locals.isConstant(*Var))
      return nullptr;
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var))
      return Parameter->getDeclContext() == &Kernel ? Parameter : nullptr;
    return parameterOf(*Var->getInit(), MinBits, Depth + 1);
  }

  std::optional<AffineForm> readBinary(const BinaryOperator &Op,
                                       unsigned Depth) const {
    if (Op.getOpcode() == BO_Xor && bits(Op) >= 32)
      return readXor(Op, Depth);
    if (Op.getOpcode() != BO_Add && Op.getOpcode() != BO_Sub &&
        Op.getOpcode() != BO_Mul)
      return std::nullopt;
    auto Left = read(*Op.getLHS(), Depth), Right = read(*Op.getRHS(), Depth);
    if (!Left || !Right || bits(Op) < 32 ||
        mayCancel(Op.getOpcode(), isConditional(*Left), isConditional(*Right)))
      return std::nullopt;
    const AffineForm Result = Op.getOpcode() == BO_Add   ? *Left + *Right
                              : Op.getOpcode() == BO_Sub ? *Left - *Right
                                                         : *Left * *Right;
    return mayWrap(Op, Result) ? std::nullopt : std::optional(Result);
  }

  /// Signed arithmetic does not overflow, and 64 bits wrap as addresses do.
  /// Unsigned arithmetic of 32 bits must be known to give little.
  bool mayWrap(const BinaryOperator &Op, const AffineForm &Result) const {
    const int64_t Offset = Result.constantTerm();
    return !sign(Op) && bits(Op) < 64 && !isSmall(Result) &&
           !(Offset >= 0 && Offset <= MaxOffset &&
             isSmall(Result - AffineForm(Offset)));
  }

  const LocalValues &Locals;
  const FunctionDecl &Kernel;
  const LoopConditions Conditions;
  ASTContext &Context;
  SourceLocation Where; ///< Of the kernel.
  std::optional<uint64_t> BlockThreads;
  bool FixedArguments;
};

//===----------------------------------------------------------------------===//
// Pointers that no parameter shows
//===----------------------------------------------------------------------===//

/// A pointer, or something with a pointer in it.
bool holdsPointer(QualType Type, const ASTContext &Context) {
  if (Type->isReferenceType())
    return true;
  Type = Context.getBaseElementType(Type);
  if (const RecordDecl *Record = Type->getAsRecordDecl()) {
    const auto *Class = dyn_cast<CXXRecordDecl>(Record);
    return !Record->getDefinition() ||
           llvm::any_of(Record->fields(),
                        [&](const FieldDecl *Field) {
                          return holdsPointer(Field->getType(), Context);
                        }) ||
           (Class && llvm::any_of(Class->bases(), [&](const auto &Base) {
              return holdsPointer(Base.getType(), Context);
            }));
  }
  return Type->isAnyPointerType() || Type->isMemberPointerType();
}

/// Finds pointers that come from elsewhere than parameters, in whatever a
/// function runs, what declarations say for it included: variables of the
/// device, memory, numbers.
class HiddenPointers : public ConstDynamicRecursiveASTVisitor {
public:
  explicit HiddenPointers(const ASTContext &Context) : Context(Context) {
    ShouldVisitImplicitCode = true;
  }

  SourceLocation Found; ///< Of one.
  /// Some cast may make a pointer to const one to write through, or what such a
  /// pointer leads to may be written all the same.
  bool DropsConst = false;

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (isDeviceVariable(*Ref, *Ref->getDecl()))
      add(*Ref);
    return true;
  }
  /// What an instance of a generic one runs does not show in its body.
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    if (Lambda->isGenericLambda())
      add(*Lambda);
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    // A reference is followed with no cast to show it, and of a static member
    // the object does not matter.
    if (Member->getMemberDecl()->getType()->isReferenceType() ||
        isDeviceVariable(*Member, *Member->getMemberDecl()))
      add(*Member);
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    DropsConst |= Field && Field->isMutable();
    return true;
  }
  /// What a function that is not followed returns may come from anywhere.
  bool VisitCallExpr(const CallExpr *Call) override {
    const CallKind Kind = classifyCall(*Call, Context.getSourceManager());
    if (Kind != CallKind::Visible && Kind != CallKind::Assignment &&
        (Call->isGLValue() || holdsPointer(Call->getType(), Context)))
      add(*Call);
    return true;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    if (Cast->getType()->isPointerType() && isFromElsewhere(*Cast))
      add(*Cast);
    return true;
  }
  bool VisitExplicitCastExpr(const ExplicitCastExpr *Cast) override {
    DropsConst |= dropsConst(*Cast);
    return true;
  }

private:
  void add(const Expr &E) {
    if (Found.isInvalid())
      Found = E.getBeginLoc();
  }

  /// Constants are none, unless a pointer is in them.
  bool isDeviceVariable(const Expr &Name, const ValueDecl &D) const {
    const auto *Var = dyn_cast<VarDecl>(&D);
    char Member;
    if (!Var || !Var->hasGlobalStorage() || Var->hasAttr<CUDASharedAttr>() ||
        !builtinIndexVariable(Name, Member).empty())
      return false;
    const bool IsConstant = Var->hasAttr<CUDAConstantAttr>() ||
                            Var->isConstexpr() ||
                            Var->getType().isConstQualified();
    return !IsConstant || holdsPointer(Var->getType(), Context);
  }

  static bool isFromElsewhere(const CastExpr &Cast) {
    switch (Cast.getCastKind()) {
    case CK_LValueToRValue:
      return !isa<DeclRefExpr>(Cast.getSubExpr()->IgnoreParens());
    case CK_IntegralToPointer:
    case CK_LValueToRValueBitCast:
      return true;
    default:
      return false;
    }
  }

  static bool dropsConst(const ExplicitCastExpr &Cast) {
    const QualType From = Cast.getSubExpr()->IgnoreParenImpCasts()->getType(),
                   To = Cast.getType();
    if (Cast.isGLValue())
      return From.isConstQualified() && !To.isConstQualified();
    return To->isPointerType() && !To->getPointeeType().isConstQualified();
  }

  const ASTContext &Context;
};

//===----------------------------------------------------------------------===//
// Others, outside of the grid
//===----------------------------------------------------------------------===//

/// An access to it is one to a volatile or atomic object.
bool isWatched(QualType Type, const ASTContext &Context) {
  Type = Context.getBaseElementType(Type);
  if (Type.isVolatileQualified() || Type->isAtomicType())
    return true;
  const RecordDecl *Record = Type->getAsRecordDecl();
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
  return Record && (llvm::any_of(Record->fields(),
                                 [&](const FieldDecl *Field) {
                                   return isWatched(Field->getType(), Context);
                                 }) ||
                    (Class && Class->hasDefinition() &&
                     llvm::any_of(Class->bases(), [&](const auto &Base) {
                       return isWatched(Base.getType(), Context);
                     })));
}

/// Finds what a function has in common with others that run meanwhile: whoever
/// reads what it writes there, or the other way round, may go by that. What the
/// block has for itself is not looked at.
class SignalFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit SignalFinder(KernelTouches &Result) : Result(Result) {
    ShouldVisitImplicitCode = true;
  }

  void addAll(const KernelEffects &Effects) {
    for (const FunctionDecl *Function : Effects.Functions) {
      Context = &Function->getASTContext();
      Roots = &Effects.rootsOf(*Function);
      for (const Stmt *Part : codeOf(*Function))
        TraverseStmt(Part);
    }
  }

  bool VisitCallExpr(const CallExpr *Call) override {
    switch (classifyCall(*Call, Context->getSourceManager())) {
    case CallKind::Fence:
      if (facts::calleeName(*Call) != "__threadfence_block")
        addSignal(*Call);
      break;
    case CallKind::Atomic:
      if (!isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call) &&
          Call->getNumArgs() > 0 && isOfBlock(*Call->getArg(0)))
        break;
      addSignal(*Call);
      break;
    case CallKind::Store:
      // Through the caches, to where the host looks.
      if (facts::calleeName(*Call) == "__stwt")
        addSignal(*Call);
      break;
    case CallKind::GridBarrier:
    case CallKind::Unknown:
      addSignal(*Call);
      break;
    default:
      break;
    }
    return true;
  }
  bool VisitAtomicExpr(const AtomicExpr *E) override {
    addSignal(*E);
    return true;
  }
  bool VisitAsmStmt(const AsmStmt *S) override {
    addSignal(*S);
    return true;
  }
  bool VisitExpr(const Expr *E) override {
    if (E->isGLValue() && isWatched(E->getType(), *Context) && !isOfBlock(*E))
      addSignal(*E);
    return true;
  }

private:
  /// Where the lvalue or pointer \p E leads to, nobody else sees.
  bool isOfBlock(const Expr &E) const {
    if (!E.isGLValue() && !E.getType()->isPointerType())
      return false;
    const MemoryRoot Root = Roots->of(E);
    return Root && (Root.Space == MemorySpace::Shared ||
                    Root.Space == MemorySpace::Local);
  }

  void addSignal(const Stmt &S) {
    if (Result.Signal.isInvalid())
      Result.Signal = S.getBeginLoc();
  }

  KernelTouches &Result;
  const ASTContext *Context = nullptr; ///< Of the function looked at.
  const MemoryRoots *Roots = nullptr;
};

//===----------------------------------------------------------------------===//
// Lvalues
//===----------------------------------------------------------------------===//

/// `a[i] = 1` and `++a[i]` are lvalues, whose addresses may be taken. Those
/// that have been added here are only read, or not used at all. To be asked for
/// each node before those below it.
class PlainResults {
public:
  void addBelow(const Stmt &S) {
    if (isa<CompoundStmt, IfStmt, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt,
            SwitchStmt, SwitchCase, LabelStmt, AttributedStmt>(S))
      Plain.insert_range(S.children());
    if (const auto *Cast = dyn_cast<CastExpr>(&S);
        Cast && (Cast->getCastKind() == CK_LValueToRValue ||
                 Cast->getCastKind() == CK_ToVoid))
      Plain.insert(Cast->getSubExpr());
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    if (Op && Op->isCommaOp())
      Plain.insert(Op->getLHS());
    if (!Plain.contains(&S))
      return;
    if (isa<ParenExpr, FullExpr>(S))
      Plain.insert_range(S.children());
    else if (Op && (Op->isCommaOp() || Op->isAssignmentOp()))
      Plain.insert(Op->isCommaOp() ? Op->getRHS() : Op->getLHS());
    else if (const auto *Choice = dyn_cast<ConditionalOperator>(&S))
      Plain.insert({Choice->getTrueExpr(), Choice->getFalseExpr()});
  }

  bool includes(const Expr &E) const {
    return !E.isGLValue() || Plain.contains(&E);
  }

private:
  llvm::SmallPtrSet<const Stmt *, 32> Plain;
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Finds the accesses of a kernel's own body. What is not understood counts as
/// an access by anyone to all that its parameters point at.
class TouchFinder : public ConstDynamicRecursiveASTVisitor {
public:
  TouchFinder(const FunctionDecl &Kernel, std::optional<uint64_t> BlockThreads,
              bool FixedArguments)
      : Kernel(Kernel), Context(Kernel.getASTContext()), Locals(Kernel),
        Indices(Locals, Kernel, BlockThreads, FixedArguments) {
    ShouldVisitImplicitCode = true;
  }

  KernelTouches run(const FunctionDecl &Kernel) {
    const KernelEffects Effects =
        collectKernelEffects(Kernel, /*RestrictParams=*/false);
    if (!Effects.Asm.empty())
      setElsewhere(Effects.Asm.front().first->getBeginLoc());
    SignalFinder(Result).addAll(Effects);
    HiddenPointers Hidden(Context);
    for (const FunctionDecl *Function : Effects.Functions)
      for (const Stmt *Part : codeOf(*Function))
        Hidden.TraverseStmt(Part);
    DropsConst = Hidden.DropsConst;
    if (Hidden.Found.isValid())
      setElsewhere(Hidden.Found);
    TraverseStmt(Kernel.getBody());
    for (const DeclRefExpr *Ref : PointerUses)
      if (!Understood.contains(Ref))
        addUse(*Ref);
    return std::move(Result);
  }

  //===--- Accesses -------------------------------------------------------===//

  bool VisitStmt(const Stmt *S) override {
    Results.addBelow(*S);
    return true;
  }
  bool VisitImplicitCastExpr(const ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == CK_LValueToRValue)
      addAccess(*Cast->getSubExpr(), /*Writes=*/false);
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp() && Results.includes(*Op))
      addAccess(*Op->getLHS(), /*Writes=*/true);
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp() && Results.includes(*Op))
      addAccess(*Op->getSubExpr(), /*Writes=*/true);
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    const CallKind Kind = classifyCall(*Call, Context.getSourceManager());
    if ((Kind == CallKind::Atomic || Kind == CallKind::Store) &&
        Call->getNumArgs() > 0)
      addElement(*Call->getArg(0)->IgnoreParenImpCasts(), nullptr,
                 /*Writes=*/true);
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    const CXXConstructorDecl &Constructor = *E->getConstructor();
    if (Constructor.isCopyOrMoveConstructor() && Constructor.isTrivial())
      addAccess(*E->getArg(0)->IgnoreParenImpCasts(), /*Writes=*/false);
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *Call) override {
    if (classifyCall(*Call, Context.getSourceManager()) ==
            CallKind::Assignment &&
        Results.includes(*Call)) {
      addAccess(*Call->getArg(0), /*Writes=*/true);
      addAccess(*Call->getArg(1)->IgnoreParenImpCasts(), /*Writes=*/false);
    }
    return true;
  }
  bool VisitCXXThisExpr(const CXXThisExpr *E) override {
    setElsewhere(E->getBeginLoc());
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && Var->hasLocalStorage() && holdsPointer(Var->getType(), Context))
      PointerUses.push_back(Ref);
    return true;
  }

private:
  void setElsewhere(SourceLocation Where) {
    if (Result.Elsewhere.isInvalid())
      Result.Elsewhere = Where;
  }

  /// An access to the lvalue \p E.
  void addAccess(const Expr &Lvalue, bool Writes) {
    const Expr *E = Lvalue.IgnoreParens();
    // A member lies in its element.
    while (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow())
        return;
      E = Member->getBase()->IgnoreParens();
    }
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
      addElement(*Element->getBase()->IgnoreParens(), Element->getIdx(),
                 Writes);
    else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op && Op->getOpcode() == UO_Deref)
      addElement(*Op->getSubExpr()->IgnoreParens(), nullptr, Writes);
  }

  /// An access to `Pointer[Index]`, or `*Pointer`.
  void addElement(const Expr &Pointer, const Expr *Index, bool Writes) {
    if (!Pointer.getType()->isPointerType())
      return;
    const QualType Element = Pointer.getType()->getPointeeType();
    Address At = address(Pointer);
    if (!At.Root)
      return;
    if (Index)
      At.Index = plus(At.Index, Indices.read(*Index));
    Touch T;
    T.Pointer = At.Root;
    T.Writes = Writes;
    T.Width = Element->isIncompleteType()
                  ? 0
                  : unsigned(Context.getTypeSizeInChars(Element).getQuantity());
    T.Who = At.Index && T.Width ? ownerOf(*At.Index) : Owner();
    T.Where = Pointer.getBeginLoc();
    Result.Touches.push_back(T);
    Understood.insert(At.Refs.begin(), At.Refs.end());
  }

  /// Where a pointer points: elements of its own type from a parameter on.
  struct Address {
    const ParmVarDecl *Root = nullptr;
    std::optional<AffineForm> Index;
    llvm::SmallVector<const DeclRefExpr *, 4> Refs; ///< That it is made from.
  };

  static std::optional<AffineForm> plus(const std::optional<AffineForm> &A,
                                        const std::optional<AffineForm> &B) {
    return A && B ? std::optional(*A + *B) : std::nullopt;
  }

  Address address(const Expr &Whole, unsigned Depth = 0) const {
    const Expr &E = *Whole.IgnoreParens();
    if (Depth > MaxDepth)
      return {};
    if (const auto *Cast = dyn_cast<CastExpr>(&E))
      return castAddress(*Cast, Depth);
    if (const auto *Op = dyn_cast<UnaryOperator>(&E);
        Op && Op->getOpcode() == UO_AddrOf)
      if (const auto *Element =
              dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens())) {
        Address At = address(*Element->getBase(), Depth);
        At.Index = plus(At.Index, Indices.read(*Element->getIdx()));
        return At;
      }
    if (const auto *Op = dyn_cast<BinaryOperator>(&E);
        Op && Op->getOpcode() == BO_Add) {
      const bool PointerFirst = Op->getLHS()->getType()->isPointerType();
      Address At = address(PointerFirst ? *Op->getLHS() : *Op->getRHS(), Depth);
      At.Index = plus(
          At.Index, Indices.read(PointerFirst ? *Op->getRHS() : *Op->getLHS()));
      return At;
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(&E);
    return Ref ? variableAddress(*Ref, Depth) : Address();
  }

  Address castAddress(const CastExpr &Cast, unsigned Depth) const {
    if (!Cast.getSubExpr()->getType()->isPointerType())
      return {};
    Address At = address(*Cast.getSubExpr(), Depth);
    const bool KeepsType = Context.hasSameUnqualifiedType(
        Cast.getType()->getPointeeType(),
        Cast.getSubExpr()->getType()->getPointeeType());
    // Elements of another size are counted anew, and a base may lie behind
    // another one.
    if ((!KeepsType && At.Index && !At.Index->isZero()) || !Cast.path_empty())
      At.Index = std::nullopt;
    return At;
  }

  Address variableAddress(const DeclRefExpr &Ref, unsigned Depth) const {
    const auto *Var = dyn_cast<VarDecl>(Ref.getDecl());
    if (!Var || !Var->getType()->isPointerType() || !Locals.isConstant(*Var))
      return {};
    Address At;
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(Var)) {
      if (Parameter->getDeclContext() != &Kernel)
        return {}; // of a lambda
      At.Root = Parameter;
      At.Index = AffineForm(0);
    } else {
      At = address(*Var->getInit(), Depth + 1);
    }
    At.Refs.push_back(&Ref);
    return At;
  }

  /// A pointer goes where it is not followed.
  void addUse(const DeclRefExpr &Ref) {
    const auto *Parameter = dyn_cast<ParmVarDecl>(Ref.getDecl());
    if (!Parameter || !Parameter->getType()->isPointerType())
      return setElsewhere(Ref.getBeginLoc());
    const bool MayWrite =
        DropsConst ||
        !Parameter->getType()->getPointeeType().isConstQualified();
    Result.Touches.push_back(
        {Parameter, MayWrite, 0, Owner(), Ref.getBeginLoc()});
  }

  Owner ownerOf(const AffineForm &Index) const {
    Owner Who;
    Who.Offset = Index.constantTerm();
    if (Who.Offset < -MaxOffset || Who.Offset > MaxOffset)
      return {};
    AffineForm Rest = Index - AffineForm(Who.Offset);
    const AffineForm Number = Indices.threadNumber();
    if (const ParmVarDecl *Distance = Indices.shiftIn(Rest)) {
      Rest = Rest - AffineForm(shiftBy(*Distance));
      Who.Distance = Distance;
    }
    const VarDecl *Counter = Indices.counterIn(Rest);
    Who.Strides = Counter;
    Who.Limit = Counter ? Indices.limitOf(*Counter) : nullptr;
    if (Who.Strides || Rest == Number)
      Who.Kind = Who.Distance ? Owner::Partner : Owner::Thread;
    else if (Who.Distance)
      return {};
    else if (Rest == AffineForm(BlockX))
      Who.Kind = Owner::Block;
    else if (isWithinBlock(Index - AffineForm(BlockX) * Indices.blockSize()))
      Who = {Owner::BlockChunk};
    return Who;
  }

  /// Surely from 0 to the block's size.
  bool isWithinBlock(const AffineForm &Local) const {
    return Local.isZero() || Local == Indices.mirrored() ||
           Local == Indices.lastOfBlock();
  }

  const FunctionDecl &Kernel;
  ASTContext &Context;
  const LocalValues Locals;
  const IndexReader Indices;
  KernelTouches Result;
  PlainResults Results;
  bool DropsConst = false; ///< As HiddenPointers says.
  std::vector<const DeclRefExpr *> PointerUses;
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Understood;
};

} // namespace

std::string describe(const Owner &Who) {
  std::string Element = "element";
  if (Who.Offset)
    Element +=
        (Who.Offset > 0 ? " - " : " + ") + std::to_string(std::abs(Who.Offset));
  switch (Who.Kind) {
  case Owner::Thread:
    return "thread " + Element + (Who.Strides ? " modulo threads" : "") +
           (Who.Limit ? ", if " + Who.Limit->getNameAsString() +
                            " + threads fits an int"
                      : "");
  case Owner::BlockChunk:
    return "a thread of block element / blockDim.x";
  case Owner::Partner:
    return "the partner, by xor, of thread " + Element;
  case Owner::Block:
    return "a thread of block " + Element;
  case Owner::Anyone:
    return "any thread";
  }
  llvm_unreachable("all owners have words");
}

KernelTouches findTouches(const FunctionDecl &Kernel,
                          std::optional<uint64_t> BlockThreads,
                          bool FixedArguments) {
  return TouchFinder(Kernel, BlockThreads, FixedArguments).run(Kernel);
}

bool isAskable(const Expr &Argument, const ASTContext &Host) {
  const Expr &E = *Argument.IgnoreImpCasts();
  return E.getType()->isIntegerType() && Host.getIntWidth(E.getType()) <= 64 &&
         !isa<CXXDefaultArgExpr, InitListExpr>(E.IgnoreParenImpCasts()) &&
         !E.HasSideEffects(Host);
}

Scope scopeBetween(const Touch &First, const Touch &Second) {
  const Owner &A = First.Who, &B = Second.Who;
  const auto IsUnknown = [](const Owner &Who) {
    return Who.Kind == Owner::Partner || Who.Kind == Owner::Anyone;
  };
  if (First.Width != Second.Width || IsUnknown(A) || IsUnknown(B))
    return Scope::Grid;
  if (A.Kind == Owner::Thread && B.Kind == Owner::Thread)
    return A.Offset == B.Offset ? Scope::None : Scope::Grid;
  if (A.Kind == Owner::Block || B.Kind == Owner::Block)
    return A.Kind == B.Kind && A.Offset == B.Offset ? Scope::Block
                                                    : Scope::Grid;
  return A.Offset == B.Offset ? Scope::Block : Scope::Grid;
}

} // namespace barricade::dependence

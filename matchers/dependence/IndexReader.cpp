// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dependence/IndexReader.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/LocalValues.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace barricade::dependence {
namespace {

/// Finds what `for` loops ask before each of their steps.
class LoopConditions : public ConstDynamicRecursiveASTVisitor {
public:
  explicit LoopConditions(const FunctionDecl &Kernel) {
    if (Kernel.getBody())
      TraverseStmt(Kernel.getBody());
  }

  llvm::DenseMap<const CompoundAssignOperator *, const Expr *> Found;

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
};

const Symbol ThreadX = builtinSymbol(Symbol::ThreadIdx, 0);
const Symbol BlockX = builtinSymbol(Symbol::BlockIdx, 0);
const Symbol SizeX = builtinSymbol(Symbol::BlockDim, 0);
const Symbol GridX = builtinSymbol(Symbol::GridDim, 0);

Symbol symbolOf(const VarDecl &Var, Symbol::KindTy Kind, const char *Meaning) {
  Symbol S;
  S.Kind = Kind;
  S.Key = &Var;
  S.Name = Meaning + Var.getNameAsString();
  return S;
}

/// Stands for the number of an iteration of the loop that \p Counter counts.
Symbol iterationOf(const VarDecl &Counter) {
  return symbolOf(Counter, Symbol::Induction, "iteration of ");
}

Symbol shiftSymbol(const ParmVarDecl &Distance) {
  return symbolOf(Distance, Symbol::Opaque, "shift by ");
}

bool sign(const Expr &E) {
  return E.getType()->isSignedIntegerOrEnumerationType();
}

bool isShift(const Symbol &S) { return S.Kind == Symbol::Opaque; }

/// \p F holds on conditions, which are asked for where its symbols are seen.
/// Of one iteration another may be meant where the counter has gone on since.
bool isConditional(const AffineForm &F) {
  return llvm::any_of(F.symbols(), [](const Symbol &S) {
    return isShift(S) || S.Kind == Symbol::Induction;
  });
}

/// No longer to be seen in the result: `(i ^ j) - (i ^ (short)j)`.
bool mayCancel(BinaryOperatorKind Op, bool OnLeft, bool OnRight) {
  return Op == BO_Add   ? OnLeft && OnRight
         : Op == BO_Sub ? OnRight
                        : OnLeft || OnRight;
}

} // namespace

IndexReader::IndexReader(const LocalValues &Locals, const FunctionDecl &Kernel,
                         std::optional<uint64_t> BlockThreads,
                         bool FixedArguments)
    : Locals(Locals), Kernel(Kernel), Conditions(LoopConditions(Kernel).Found),
      Context(Kernel.getASTContext()), Where(spelledLocation(Kernel)),
      BlockThreads(BlockThreads), FixedArguments(FixedArguments) {}

AffineForm IndexReader::blockIndex() { return AffineForm(BlockX); }

AffineForm IndexReader::shiftBy(const ParmVarDecl &Distance) {
  return AffineForm(shiftSymbol(Distance));
}

std::optional<AffineForm> IndexReader::read(const Expr &Whole,
                                            unsigned Depth) const {
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

AffineForm IndexReader::blockSize() const {
  return BlockThreads ? AffineForm(int64_t(*BlockThreads)) : AffineForm(SizeX);
}

AffineForm IndexReader::threadNumber() const {
  return AffineForm(BlockX) * blockSize() + AffineForm(ThreadX);
}

AffineForm IndexReader::lastOfBlock() const {
  return blockSize() - AffineForm(1);
}

AffineForm IndexReader::mirrored() const {
  return lastOfBlock() - AffineForm(ThreadX);
}

AffineForm IndexReader::threadCount() const {
  return AffineForm(GridX) * blockSize();
}

const VarDecl *IndexReader::counterIn(const AffineForm &F) const {
  for (const Symbol &S : F.symbols())
    if (S.Kind == Symbol::Induction &&
        F == threadNumber() + threadCount() * AffineForm(S))
      return static_cast<const VarDecl *>(S.Key);
  return nullptr;
}

const ParmVarDecl *IndexReader::limitOf(const VarDecl &Counter) const {
  const CompoundAssignOperator &Step = *Locals.onlyStep(Counter);
  return mayWrap(Step) ? limitOf(Counter, Step) : nullptr;
}

const ParmVarDecl *IndexReader::shiftIn(const AffineForm &Index) {
  for (const Symbol &S : Index.symbols())
    if (isShift(S))
      return static_cast<const ParmVarDecl *>(S.Key);
  return nullptr;
}

std::optional<AffineForm> IndexReader::builtin(const Expr &E) const {
  char Member = 0;
  const llvm::StringRef Name = builtinIndexVariable(E, Member);
  if (Name.empty() || Member != 'x')
    return std::nullopt;
  return Name == "threadIdx"  ? AffineForm(ThreadX)
         : Name == "blockIdx" ? AffineForm(BlockX)
         : Name == "blockDim" ? blockSize()
                              : AffineForm(GridX);
}

std::optional<AffineForm> IndexReader::readCast(const CastExpr &Cast,
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

uint64_t IndexReader::bits(const Expr &E) const {
  return Context.getIntWidth(E.getType());
}

bool IndexReader::isSmall(const AffineForm &Whole) const {
  const AffineForm F = Whole.without(isShift);
  const std::optional<int64_t> Constant = F.asConstant();
  const AffineForm FirstOfBlock = AffineForm(BlockX) * blockSize();
  return (Constant && *Constant >= 0 && *Constant <= INT32_MAX) ||
         llvm::is_contained({AffineForm(ThreadX), AffineForm(BlockX),
                             AffineForm(SizeX), AffineForm(GridX), FirstOfBlock,
                             threadNumber(), threadCount(), lastOfBlock(),
                             mirrored(), FirstOfBlock + mirrored()},
                            F);
}

std::optional<AffineForm> IndexReader::readVariable(const DeclRefExpr &Ref,
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

bool IndexReader::mayWrap(const CompoundAssignOperator &Step) const {
  const QualType Sum = Step.getComputationResultType();
  return bits(Step) != 64 &&
         (bits(Step) != 32 ||
          !Context.hasSameUnqualifiedType(Sum, Step.getLHS()->getType()) ||
          !Sum->isSignedIntegerType());
}

const ParmVarDecl *
IndexReader::limitOf(const VarDecl &Counter,
                     const CompoundAssignOperator &Step) const {
  const Expr *Condition = bits(Step) == 32 ? Conditions.lookup(&Step) : nullptr;
  return Condition ? limitIn(*Condition, Counter) : nullptr;
}

const ParmVarDecl *IndexReader::limitIn(const Expr &Whole,
                                        const VarDecl &Counter) const {
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

bool IndexReader::keeps(const Expr &Whole, const VarDecl &Counter) const {
  const Expr &E = *Whole.IgnoreParens();
  if (!E.getType()->isIntegerType() || bits(E) < 32)
    return false;
  const auto *Cast = dyn_cast<ImplicitCastExpr>(&E);
  if (Cast && (Cast->getCastKind() == CK_LValueToRValue ||
               Cast->getCastKind() == CK_IntegralCast))
    return keeps(*Cast->getSubExpr(), Counter);
  return variableNamedBy(E) == &Counter;
}

std::optional<AffineForm> IndexReader::readXor(const BinaryOperator &Op,
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
  return *Form + shiftBy(*Parameter);
}

const ParmVarDecl *IndexReader::parameterOf(const Expr &Whole, unsigned MinBits,
                                            unsigned Depth) const {
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

std::optional<AffineForm> IndexReader::readBinary(const BinaryOperator &Op,
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

bool IndexReader::mayWrap(const BinaryOperator &Op,
                          const AffineForm &Result) const {
  const int64_t Offset = Result.constantTerm();
  return !sign(Op) && bits(Op) < 64 && !isSmall(Result) &&
         !(Offset >= 0 && Offset <= MaxOffset &&
           isSmall(Result - AffineForm(Offset)));
}

} // namespace barricade::dependence

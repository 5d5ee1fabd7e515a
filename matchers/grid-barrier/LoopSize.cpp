// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/LoopSize.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// Longer loops are not counted; what a launch costs is nothing there.
constexpr uint64_t MostIterations = 1u << 24;

std::optional<int64_t> constant(const Expr *E, const ASTContext &Context) {
  const auto Value = E ? facts::integerOf(*E, Context) : std::nullopt;
  return Value ? Value->trySExtValue() : std::nullopt;
}

bool names(const Expr *E, const VarDecl &Var) { return variableOf(*E) == &Var; }

/// \p S changes \p Var or may have others do so.
bool touches(const Stmt &S, const VarDecl &Var) {
  if (const auto *Unary = dyn_cast<UnaryOperator>(&S))
    return (Unary->isIncrementDecrementOp() ||
            Unary->getOpcode() == UO_AddrOf) &&
           names(Unary->getSubExpr(), Var);
  const auto *Assignment = dyn_cast<BinaryOperator>(&S);
  return Assignment && Assignment->isAssignmentOp() &&
         names(Assignment->getLHS(), Var);
}

/// Of `for (T i = First; i < Bound; i += Step)` and its likes.
class CountedLoop {
public:
  CountedLoop(const ForStmt &Loop, const ASTContext &Context) {
    const auto *Init = dyn_cast_or_null<DeclStmt>(Loop.getInit());
    const auto *Var = Init && Init->isSingleDecl()
                          ? dyn_cast<VarDecl>(Init->getSingleDecl())
                          : nullptr;
    if (!Var || !Var->getType()->isIntegerType() || !Loop.getInc() ||
        holds(Loop.getBody(), [&](const Stmt &S) {
          return isLoop(S) || isa<BreakStmt, ReturnStmt, GotoStmt>(S) ||
                 touches(S, *Var);
        }))
      return;
    Width = Context.getIntWidth(Var->getType());
    IsUnsigned = Var->getType()->isUnsignedIntegerType();
    First = constant(Var->getInit(), Context);
    readCondition(Loop.getCond(), *Var, Context);
    readStep(*Loop.getInc(), *Var, Context);
  }

  std::optional<uint64_t> count() const {
    if (!First || !Bound || !Step)
      return std::nullopt;
    int64_t Value = *First;
    for (uint64_t Count = 0; Count <= MostIterations; ++Count) {
      if (!isBelow(Value))
        return Count;
      const std::optional<int64_t> Next = after(Value);
      // It would wrap around, or be undefined.
      if (!Next || !llvm::isIntN(Width - 1, *Next) || (IsUnsigned && *Next < 0))
        return std::nullopt;
      Value = *Next;
    }
    return std::nullopt;
  }

private:
  void readCondition(const Expr *Condition, const VarDecl &Var,
                     const ASTContext &Context) {
    const auto *Comparison = dyn_cast_or_null<BinaryOperator>(
        Condition ? Condition->IgnoreParenImpCasts() : nullptr);
    if (!Comparison || !Comparison->isComparisonOp())
      return;
    Relation = Comparison->getOpcode();
    const Expr *Limit = Comparison->getRHS();
    if (names(Limit, Var)) {
      Limit = Comparison->getLHS();
      Relation = BinaryOperator::reverseComparisonOp(Relation);
    } else if (!names(Comparison->getLHS(), Var)) {
      return;
    }
    Bound = constant(Limit, Context);
  }

  void readStep(const Expr &Change, const VarDecl &Var,
                const ASTContext &Context) {
    if (const auto *Unary = dyn_cast<UnaryOperator>(&Change);
        Unary && Unary->isIncrementDecrementOp() &&
        names(Unary->getSubExpr(), Var)) {
      Operator = BO_Add;
      Step = Unary->isIncrementOp() ? 1 : -1;
    }
    if (const auto *Compound = dyn_cast<CompoundAssignOperator>(&Change);
        Compound && names(Compound->getLHS(), Var)) {
      Operator =
          BinaryOperator::getOpForCompoundAssignment(Compound->getOpcode());
      Step = constant(Compound->getRHS(), Context);
    }
  }

  bool isBelow(int64_t Value) const {
    switch (Relation) {
    case BO_LT:
      return Value < *Bound;
    case BO_LE:
      return Value <= *Bound;
    case BO_GT:
      return Value > *Bound;
    case BO_GE:
      return Value >= *Bound;
    case BO_NE:
      return Value != *Bound;
    default:
      return Value == *Bound;
    }
  }

  std::optional<int64_t> after(int64_t Value) const {
    int64_t Next;
    switch (Operator) {
    case BO_Add:
      return llvm::AddOverflow(Value, *Step, Next) ? std::nullopt
                                                   : std::optional(Next);
    case BO_Sub:
      return llvm::SubOverflow(Value, *Step, Next) ? std::nullopt
                                                   : std::optional(Next);
    case BO_Mul:
      return llvm::MulOverflow(Value, *Step, Next) ? std::nullopt
                                                   : std::optional(Next);
    case BO_Div:
      return *Step <= 0 ? std::nullopt : std::optional(Value / *Step);
    case BO_Shr:
      return *Step < 0 || *Step > 31 || Value < 0
                 ? std::nullopt
                 : std::optional(Value >> *Step);
    case BO_Shl:
      return *Step < 0 || *Step > 31 || Value < 0 || Value > INT32_MAX
                 ? std::nullopt
                 : std::optional(Value << *Step);
    default:
      return std::nullopt;
    }
  }

  unsigned Width = 0;
  bool IsUnsigned = false;
  BinaryOperatorKind Relation = BO_EQ, Operator = BO_Comma;
  std::optional<int64_t> First, Bound, Step;
};

} // namespace

CostOnly<LoopSize> sizeOf(const RelaunchLoop &L, ASTContext &Context) {
  LoopSize Size;
  Size.BlockThreads = constantExtent(*L.Block, Context);
  Size.Blocks = 0;
  for (const LoopLaunch &Launch : L.Launches) {
    const std::optional<uint64_t> Blocks =
        Launch.LogicalThreads ? std::nullopt
                              : constantExtent(*Launch.Grid, Context);
    if (!Blocks || !Size.Blocks)
      Size.Blocks.reset();
    else
      Size.Blocks = std::max(*Size.Blocks, *Blocks);
  }
  if (const auto *For = dyn_cast<ForStmt>(L.Loop))
    Size.Iterations = CountedLoop(*For, Context).count();
  return Size;
}

namespace {

/// The variables that each iteration of a loop swaps once.
class SwappedVariables {
public:
  explicit SwappedVariables(const RelaunchLoop &L)
      : Body(dyn_cast_or_null<CompoundStmt>(bodyOf(*L.Loop))) {
    for (const LoopAction &Action : L.Actions)
      if (Action.Kind == LoopAction::Swap)
        noteCall(Action);
    noteThroughOthers();
    for (const HostStep &Step : L.Steps)
      if (!Parts.contains(Step.Statement))
        Twice.insert_range(Step.Writes);
  }

  bool contains(const VarDecl *Var) const {
    return Once.contains(Var) && !Twice.contains(Var);
  }

private:
  /// `To = From;`, or that as a declaration.
  struct Assignment {
    const VarDecl *To = nullptr, *From = nullptr;
  };
  static Assignment read(const Stmt &S) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S)) {
      const auto *Var = Declaration->isSingleDecl()
                            ? dyn_cast<VarDecl>(Declaration->getSingleDecl())
                            : nullptr;
      return Var && Var->hasInit()
                 ? Assignment{Var, variableIn(*Var->getInit())}
                 : Assignment{};
    }
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    return Op && Op->getOpcode() == BO_Assign
               ? Assignment{variableIn(*Op->getLHS()),
                            variableIn(*Op->getRHS())}
               : Assignment{};
  }
  static const VarDecl *variableIn(const Expr &E) {
    return variableNamedBy(*E.IgnoreParenImpCasts());
  }

  void noteCall(const LoopAction &Action) {
    Parts.insert(Action.Statement);
    const bool Always =
        Body && llvm::is_contained(Body->body(), Action.Statement);
    for (const Expr *Argument : Action.Call->arguments())
      if (const VarDecl *Var = variableIn(*Argument))
        note(Var, Always);
  }

  /// `other = a; a = b; b = other;`
  void noteThroughOthers() {
    if (!Body)
      return;
    for (auto At = Body->body_begin(), End = Body->body_end(); End - At > 2;
         ++At) {
      const Assignment Kept = read(*At[0]), First = read(*At[1]),
                       Second = read(*At[2]);
      if (!Kept.From || !First.From || Kept.From != First.To ||
          First.From != Second.To || Second.From != Kept.To)
        continue;
      Parts.insert(At, At + 3);
      note(First.To, /*Always=*/true);
      note(Second.To, /*Always=*/true);
    }
  }

  void note(const VarDecl *Var, bool Always) {
    if (!Always || !Once.insert(Var).second)
      Twice.insert(Var);
  }

  const CompoundStmt *Body;
  llvm::SmallPtrSet<const Stmt *, 8> Parts; ///< Statements that swap.
  llvm::SmallPtrSet<const VarDecl *, 4> Once, Twice;
};

} // namespace

CostOnly<bool> repeatsInGroups(const RelaunchLoop &L) {
  constexpr size_t Most = 8; // Of which two swap their buffers.
  if (!llvm::isPowerOf2_64(L.Launches.size()) || L.Launches.size() > Most)
    return false;
  const SwappedVariables Swapped(L);
  const auto Changes = [&](const Stmt &S) {
    const VarDecl *Var = variableNamedBy(S);
    if (!Var)
      return false;
    const bool IsOfLoop = holds(L.Loop, [&](const Stmt &Inner) {
      const auto *Declaration = dyn_cast<DeclStmt>(&Inner);
      return Declaration && llvm::is_contained(Declaration->decls(), Var);
    });
    return IsOfLoop || (L.Changed.contains(Var) && !Swapped.contains(Var));
  };
  return llvm::all_of(L.Launches, [&](const LoopLaunch &Launch) {
    return !holds(Launch.Call, Changes);
  });
}

} // namespace barricade::grid_barrier

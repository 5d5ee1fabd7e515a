// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/StridedLoop.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/Definitions.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Purity.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// No dimension of a block is larger (CUDA C++ Programming Guide, "Compute
/// Capabilities", all of them).
constexpr int64_t MaxBlockDim = 1024;

bool names(const Expr &E, const VarDecl &Var) {
  return holds(&E, [&](const Stmt &S) { return variableNamedBy(S) == &Var; });
}

/// A case label whose switch is outside of \p S: the code may be entered there.
bool hasForeignCase(const Stmt *S) {
  if (!S || isa<SwitchStmt>(S))
    return false;
  return isa<SwitchCase>(S) || llvm::any_of(S->children(), hasForeignCase);
}

} // namespace

const ArraySubscriptExpr *elementOf(const Expr &E) {
  const auto *Op = dyn_cast<UnaryOperator>(&E);
  return Op && Op->getOpcode() == UO_AddrOf
             ? dyn_cast<ArraySubscriptExpr>(Op->getSubExpr()->IgnoreParens())
             : nullptr;
}

namespace {

class StrideFinder {
public:
  StrideFinder(const Stmt &Loop, const FunctionDecl &Function,
               const FunctionDivergence &Divergence, ASTContext &Context)
      : Loop(Loop), Function(Function), Divergence(Divergence),
        Context(Context), Defs(Function.getBody(), Context) {}

  std::optional<StridedLoop> run() {
    if (!isPlainLoop() || !findCounter() || !findStep() || !findStart() ||
        !isToldByCounter(*conditionOf(Loop)))
      return std::nullopt;
    // Another instantiation, or build, may compute in another type.
    Result.LeaderIsLast = !Function.isTemplateInstantiation() &&
                          leaderIsLast() && hasFixedTypes();
    return std::move(Result);
  }

private:
  //===--------------------------------------------------------------------===//
  // The loop
  //===--------------------------------------------------------------------===//

  bool isPlainLoop() const {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    const auto *While = dyn_cast<WhileStmt>(&Loop);
    if (!(For && !For->getConditionVariable()) &&
        !(While && !While->getConditionVariable()))
      return false;
    const LoopScope *Scope = Defs.scopeOf(&Loop);
    const Expr *Condition = conditionOf(Loop);
    return Scope && !Scope->HasExit && Condition &&
           Condition->getType()->isBooleanType() &&
           !hasForeignCase(bodyOf(Loop)) &&
           !holds(&Loop, [](const Stmt &S) { return isa<LabelStmt>(S); });
  }

  /// The one variable of the condition that depends on the thread.
  bool findCounter() {
    holds(conditionOf(Loop), [&](const Stmt &S) {
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      if (Var && Divergence.taintOf(*Ref) && isCounter(*Var))
        Result.Counter = Var;
      return Result.Counter != nullptr;
    });
    return Result.Counter;
  }

  static bool isCounter(const VarDecl &Var) {
    QualType Type = Var.getType();
    return Var.hasLocalStorage() && !Type.isVolatileQualified() &&
           !Type->isBooleanType() &&
           (Type->isIntegerType() || Type->isPointerType());
  }

  /// Every thread evaluates the condition when it comes to the loop, so that
  /// operands that no thread changes may be evaluated again. What lies in
  /// memory at a counted address is no such operand.
  bool isToldByCounter(const Expr &E) const {
    const Expr *Plain = E.IgnoreParenImpCasts();
    if (variableOf(E) == Result.Counter)
      return true;
    if (!names(E, *Result.Counter))
      return isUniform(E);
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
      return !Op->isAssignmentOp() && !Op->isCommaOp() &&
             isToldByCounter(*Op->getLHS()) && isToldByCounter(*Op->getRHS());
    if (const auto *Op = dyn_cast<UnaryOperator>(Plain))
      return Op->isArithmeticOp() && isToldByCounter(*Op->getSubExpr());
    const auto *Cast = dyn_cast<ExplicitCastExpr>(Plain);
    return Cast && isToldByCounter(*Cast->getSubExpr());
  }

  //===--------------------------------------------------------------------===//
  // The step
  //===--------------------------------------------------------------------===//

  bool findStep() {
    const Definition *Step = nullptr;
    for (const Definition &D : Defs.of(Result.Counter)) {
      if (D.Kind == Definition::Unknown)
        return false;
      if (!isIterated(*D.Where))
        continue;
      if (Step)
        return false;
      Step = &D;
    }
    if (!Step || Step->Kind != Definition::Step)
      return false;
    Result.Step = cast<Expr>(Step->Where);
    Result.Amount = Step->Value;
    Result.Downwards = Step->Negated;
    return runsOncePerIteration() &&
           (!Result.Amount ||
            (Result.Amount->getType()->isIntegralOrUnscopedEnumerationType() &&
             !names(*Result.Amount, *Result.Counter) &&
             isUniform(*Result.Amount)));
  }

  /// In the part of the loop that repeats.
  bool isIterated(const Stmt &S) const {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    return contains(&Loop, &S) && !(For && contains(For->getInit(), &S));
  }

  bool runsOncePerIteration() {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    const Expr *Increment = For ? For->getInc() : nullptr;
    if (Increment)
      return isListed(*Increment);
    const auto *Body = dyn_cast<CompoundStmt>(bodyOf(Loop));
    Result.StepInBody = true;
    return Body && llvm::is_contained(Body->body(), Result.Step) &&
           !Defs.scopeOf(&Loop)->HasContinue;
  }

  /// The step is \p E or, where that is a comma's, one of its operands.
  bool isListed(const Expr &E) const {
    const Expr *Plain = E.IgnoreParens();
    if (Plain == Result.Step)
      return true;
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    return Op && Op->isCommaOp() &&
           (isListed(*Op->getLHS()) || isListed(*Op->getRHS()));
  }

  //===--------------------------------------------------------------------===//
  // The start
  //===--------------------------------------------------------------------===//

  bool findStart() {
    const auto *For = dyn_cast<ForStmt>(&Loop);
    const Stmt *Init = For ? For->getInit() : nullptr;
    const Definition *Start = Init ? onlyDefinitionIn(*Init) : nullptr;
    // In a declaration the leader's start is evaluated next to the counter's.
    bool Elsewhere = !Start || !isa<DeclStmt>(Init);
    if (!Start && !(Init && isDefinedIn(*Init)))
      Start = definitionBefore();
    // Not within a `?:` of the header.
    if (!Start || Start->Kind != Definition::Set || !Start->Value ||
        Start->At.In != Defs.scopeOf(&Loop)->In)
      return false;
    Result.Start = Start->Value;
    return resolve(*Start->Value, Elsewhere, 0);
  }

  bool isDefinedIn(const Stmt &S) const {
    return llvm::any_of(Defs.of(Result.Counter), [&](const Definition &D) {
      return contains(&S, D.Where);
    });
  }

  /// The one definition of the counter within \p S; null where there are none
  /// or several.
  const Definition *onlyDefinitionIn(const Stmt &S) const {
    const Definition *Only = nullptr;
    for (const Definition &D : Defs.of(Result.Counter))
      if (contains(&S, D.Where)) {
        if (Only)
          return nullptr;
        Only = &D;
      }
    return Only;
  }

  /// What the counter gets in the block of the loop, by a statement of its own,
  /// and keeps until the loop.
  const Definition *definitionBefore() const {
    const Stmt &Whole = withAttributes(Loop, Context);
    const CompoundStmt *Block = blockOf(Whole, Context);
    const Definition *Last = nullptr;
    if (!Block)
      return nullptr;
    for (const Stmt *S : Block->body()) {
      if (S == &Whole)
        break;
      // A jump may lead past the definition.
      if (hasForeignCase(S) ||
          holds(S, [](const Stmt &Inner) { return isa<LabelStmt>(Inner); }))
        Last = nullptr;
      if (!isDefinedIn(*S))
        continue;
      Last = onlyDefinitionIn(*S);
      if (Last && Last->Where != S && Last->Value != Result.Counter->getInit())
        Last = nullptr;
    }
    return Last;
  }

  /// Can \p E be evaluated as the leader does? \p Elsewhere: it is written at
  /// another place than the loop's header, where its operands must be the same.
  bool resolve(const Expr &E, bool Elsewhere, unsigned Depth) {
    char Member = 0;
    const Expr *Plain = E.IgnoreParenImpCasts();
    if (builtinIndexVariable(*Plain, Member) == "threadIdx")
      return Member != 'w' && Result.ThreadIndices.insert(Plain).second;
    if (isUniform(E))
      return !Elsewhere || isStable(E);
    if (const VarDecl *Var = variableOf(E)) {
      if (Depth > 8 || !isConstant(*Var) || Var->getType()->isReferenceType() ||
          !resolve(*Var->getInit(), /*Elsewhere=*/true, Depth + 1))
        return false;
      Result.Initialisers[Plain] = Var->getInit();
      return true;
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
      return !Op->isAssignmentOp() && !Op->isCommaOp() &&
             resolve(*Op->getLHS(), Elsewhere, Depth) &&
             resolve(*Op->getRHS(), Elsewhere, Depth);
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(Plain))
      return Cast->getType()->isIntegerType() &&
             resolve(*Cast->getSubExpr(), Elsewhere, Depth);
    const auto *Element = elementOf(*Plain);
    return Element && resolve(*Element->getBase(), Elsewhere, Depth) &&
           resolve(*Element->getIdx(), Elsewhere, Depth);
  }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// The same for all threads, as long as the loop runs, and evaluated without
  /// a trace. (What the body of a divergent loop assigns depends on the
  /// thread.)
  bool isUniform(const Expr &E) const {
    const auto Known = [&](const Expr &Part) -> std::optional<bool> {
      char Member = 0;
      if (!builtinIndexVariable(Part, Member).empty())
        return true;
      if (isa<CXXConstructExpr>(Part) || isDeclaredInBody(Part))
        return false;
      return std::nullopt;
    };
    const auto IsPureCall = [&](const CallExpr &Call) {
      const CallKind Kind = classifyCall(Call, Context.getSourceManager());
      return Kind == CallKind::Pure || Kind == CallKind::UniformIndex;
    };
    return !Divergence.taintOf(E) &&
           facts::isPure(E, {facts::PureReach::Memory, Known, IsPureCall});
  }

  bool isDeclaredInBody(const Stmt &S) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    SourceRange Body = bodyOf(Loop)->getSourceRange();
    return Ref && Ref->getDecl()->getLocation().isValid() &&
           Context.getSourceManager().isPointWithin(
               Ref->getDecl()->getLocation(), Body.getBegin(), Body.getEnd());
  }

  /// \p Var has the value of its initialiser for ever.
  bool isConstant(const VarDecl &Var) const {
    llvm::ArrayRef<Definition> All = Defs.of(&Var);
    return Var.hasLocalStorage() && !Var.getType().isVolatileQualified() &&
           All.size() == 1 && All.front().Kind == Definition::Set &&
           All.front().Value == Var.getInit();
  }

  /// The uniform \p E means the same wherever it stands in the function.
  bool isStable(const Expr &E) const {
    return !holds(&E, [&](const Stmt &S) {
      if (isa<ExplicitCastExpr>(S))
        return declaresType();
      const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
      if (!Ref)
        return false;
      if (!isOnlyOfItsName(*Ref->getDecl()))
        return true;
      if (!Var || !Var->hasLocalStorage())
        return false;
      bool Untouched = isa<ParmVarDecl>(Var) && Defs.of(Var).empty();
      return Var->getType()->isReferenceType() ||
             !(Untouched || isConstant(*Var));
    });
  }

  bool declaresType() const {
    return anyLocalDeclaration([](const Decl &D) { return isa<TypeDecl>(D); });
  }

  bool isOnlyOfItsName(const ValueDecl &Named) const {
    return !anyLocalDeclaration([&](const Decl &D) {
      const auto *Other = dyn_cast<NamedDecl>(&D);
      return Other && Other != &Named &&
             Other->getDeclName() == Named.getDeclName();
    });
  }

  bool anyLocalDeclaration(llvm::function_ref<bool(const Decl &)> Test) const {
    return holds(Function.getBody(), [&](const Stmt &S) {
      const auto *Declaration = dyn_cast<DeclStmt>(&S);
      return Declaration &&
             llvm::any_of(Declaration->decls(),
                          [&](const Decl *D) { return Test(*D); });
    });
  }

  //===--------------------------------------------------------------------===//
  // Does the leader leave the loop last?
  //===--------------------------------------------------------------------===//

  /// It does where arithmetic is that of the integers: signed overflow is
  /// undefined. Upwards, a start that is not below the leader's then never
  /// takes more steps to a bound; and downwards the same in reverse. A step in
  /// the other direction leads away from the bound, and overflows if it is ever
  /// taken.
  bool leaderIsLast() const {
    const auto *Test =
        dyn_cast<BinaryOperator>(conditionOf(Loop)->IgnoreParenImpCasts());
    if (!Test || !Test->isRelationalOp() || !isSignedStep() ||
        !Test->getLHS()->getType()->isSignedIntegerType())
      return false;
    bool Left = variableOf(*Test->getLHS()) == Result.Counter;
    if (!Left && variableOf(*Test->getRHS()) != Result.Counter)
      return false;
    // Nothing else in the condition counts along.
    if (names(Left ? *Test->getRHS() : *Test->getLHS(), *Result.Counter))
      return false;
    bool Less = Test->getOpcode() == BO_LT || Test->getOpcode() == BO_LE;
    bool Upwards = Less == Left;
    return Upwards != Result.Downwards &&
           isAhead(*Result.Start, Upwards ? 1 : -1);
  }

  bool hasFixedTypes() const {
    const auto MayDiffer = [&](const Expr *E) {
      return typesMayDiffer(*E, Context);
    };
    return !MayDiffer(conditionOf(Loop)) && !MayDiffer(Result.Step) &&
           !MayDiffer(Result.Start) &&
           llvm::none_of(llvm::make_second_range(Result.Initialisers),
                         MayDiffer);
  }

  /// The step is computed in the counter's own signed type.
  bool isSignedStep() const {
    QualType Type = Result.Counter->getType();
    if (!Type->isSignedIntegerType() ||
        Context.getIntWidth(Type) < Context.getIntWidth(Context.IntTy))
      return false;
    const auto *Op = dyn_cast<BinaryOperator>(Result.Step);
    if (!Op)
      return true;
    const auto *Compound = dyn_cast<CompoundAssignOperator>(Op);
    QualType Computed = Compound
                            ? Compound->getComputationResultType()
                            : Op->getRHS()->IgnoreParenImpCasts()->getType();
    return Context.hasSameUnqualifiedType(Computed, Type);
  }

  /// No thread's \p E is below the leader's; for a negative \p Sign: above it.
  bool isAhead(const Expr &E, int Sign) const {
    if (isUniform(E))
      return true;
    if (Sign > 0 && mostOf(E))
      return true;
    const Expr *Plain = E.IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Plain)) {
      // From unsigned, values may change.
      QualType From = Cast->getSubExpr()->getType();
      return Cast->getCastKind() != CK_IntegralCast ||
                     (From->isSignedIntegerType() &&
                      Context.getIntWidth(Cast->getType()) >=
                          Context.getIntWidth(From))
                 ? isAhead(*Cast->getSubExpr(), Sign)
                 : false;
    }
    if (const Expr *Value = Result.Initialisers.lookup(Plain))
      return isAhead(*Value, Sign);
    const auto *Sum = dyn_cast<BinaryOperator>(Plain);
    return Sum && Sum->isAdditiveOp() &&
           Sum->getType()->isSignedIntegerType() &&
           isAhead(*Sum->getLHS(), Sign) &&
           isAhead(*Sum->getRHS(), Sum->getOpcode() == BO_Sub ? -Sign : Sign);
  }

  /// The most that \p E is, where it is made of thread indices alone, so that
  /// it is 0 for the leader and never negative; and fits into an int.
  std::optional<int64_t> mostOf(const Expr &E) const {
    char Member = 0;
    const Expr *Plain = E.IgnoreParenImpCasts();
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(Plain))
      return Context.getIntWidth(Cast->getType()) >= 32
                 ? mostOf(*Cast->getSubExpr())
                 : std::nullopt;
    if (Result.ThreadIndices.contains(Plain))
      return MaxBlockDim - 1;
    if (const Expr *Value = Result.Initialisers.lookup(Plain))
      return Context.getIntWidth(Plain->getType()) >= 32 ? mostOf(*Value)
                                                         : std::nullopt;
    const auto *Op = dyn_cast<BinaryOperator>(Plain);
    if (!Op)
      return std::nullopt;
    auto Left = mostOf(*Op->getLHS()), Right = mostOf(*Op->getRHS());
    if (Op->getOpcode() == BO_Add && Left && Right)
      return fitting(*Left + *Right);
    if (Op->getOpcode() != BO_Mul || !Left == !Right)
      return std::nullopt;
    const Expr &Factor = Left ? *Op->getRHS() : *Op->getLHS();
    if (builtinIndexVariable(Factor, Member) == "blockDim" && Member != 'w')
      return fitting((Left ? *Left : *Right) * MaxBlockDim);
    if (valueMayDiffer(Factor, Factor.getBeginLoc(), Context))
      return std::nullopt; // It may be negative.
    if (const auto Value = facts::integerOf(Factor, Context);
        Value && Value->isNonNegative() && Value->isIntN(31))
      return fitting((Left ? *Left : *Right) * Value->getExtValue());
    return std::nullopt;
  }

  static std::optional<int64_t> fitting(int64_t Value) {
    return llvm::isInt<32>(Value) ? std::optional(Value) : std::nullopt;
  }

  const Stmt &Loop;
  const FunctionDecl &Function;
  const FunctionDivergence &Divergence;
  ASTContext &Context;
  const Definitions Defs;
  StridedLoop Result;
};

} // namespace

std::optional<StridedLoop> findStridedLoop(const Stmt &Loop,
                                           const FunctionDecl &Function,
                                           const FunctionDivergence &Divergence,
                                           ASTContext &Context) {
  return StrideFinder(Loop, Function, Divergence, Context).run();
}

} // namespace barricade::artificial_barrier

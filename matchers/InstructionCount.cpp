// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/InstructionCount.h"
#include "matchers/DeviceCalls.h"
#include "matchers/FunctionValues.h"
#include "matchers/InstructionCost.h"
#include "matchers/Statements.h"
#include "matchers/ValueGraph.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using namespace barricade;

/// Calls within calls that are looked into.
static constexpr unsigned MaxCallDepth = 8;

/// Loops of up to so many iterations are written out by the compiler, unless
/// the source says otherwise.
static constexpr int64_t MaxUnrolledTrips = 64;

namespace {

using Id = ValueGraph::Id;
using Ids = ValueGraph::Ids;

/// An address as a value, and as a form where it is affine. Constant offsets
/// are no part of the value: an instruction takes them for free.
struct Address {
  Id Value = 0;
  int64_t Offset = 0;
  std::optional<AffineForm> Exact; ///< With the offset.

  bool isSame(const Address &O) const {
    if (Exact && O.Exact)
      return *Exact == *O.Exact;
    return !Exact && !O.Exact && Value == O.Value && Offset == O.Offset;
  }
};

/// Where an expression's value lives.
struct Location {
  enum KindTy { Variable, Memory, Register } Kind = Register;
  const VarDecl *Var = nullptr;
  llvm::SmallVector<const FieldDecl *, 2> Path; ///< Of a variable's part.
  Address At;
  MemoryRoot Root;
  QualType Type;
  const Expr *Where = nullptr;
  AffineForm Printed;      ///< The address, opaque parts included.
  std::optional<Id> Known; ///< A register's value.
};

/// A function body that is being executed: the counted loop's function, or one
/// that is called in it.
struct Frame {
  const FunctionDecl *Function = nullptr;
  FunctionValues *Values = nullptr;
  Frame *Caller = nullptr;
  const CallExpr *Call = nullptr;
  /// What `this` points at, as far as it is known.
  std::optional<Location> Object;
  /// Arguments of Call that stand before those for the parameters.
  unsigned Skipped = 0;
  /// Parameters as affine forms in the values of the counted loop's function.
  llvm::DenseMap<const void *, AffineForm> Arguments;
  std::optional<Id> Result;
  std::optional<Location> Returned; ///< What a returned reference leads to.

  unsigned depth() const { return Caller ? Caller->depth() + 1 : 0; }
  const Expr *argument(const ValueDecl *D) const {
    const auto *P = dyn_cast_or_null<ParmVarDecl>(D);
    const unsigned Index = P ? P->getFunctionScopeIndex() : 0;
    if (!P || !Call || Index + Skipped >= Call->getNumArgs() ||
        Function->getNumParams() <= Index || Function->getParamDecl(Index) != P)
      return nullptr;
    return Call->getArg(Index + Skipped);
  }
};

/// What a loop does to memory, as far as moving a load out of it asks.
struct Effect {
  bool IsStore = false;
  bool IsBarrier = false; ///< Anything may have changed.
  Location What;
};

} // namespace

static bool isRecord(QualType T) {
  return T->isRecordType() && !T->isUnionType();
}

/// Whether one instruction moves a whole \p T: CUDA's vector types, and
/// structs that are aligned like them.
static bool isMovedAsOne(QualType T, const ASTContext &Ctx) {
  if (!isRecord(T))
    return true;
  TypeInfo Info = Ctx.getTypeInfo(T);
  return Info.Width <= 128 && Info.Align >= Info.Width;
}

/// `#pragma unroll 1` and `#pragma nounroll`.
static bool isKeptRolled(const AttributedStmt &S) {
  for (const Attr *A : S.getAttrs())
    if (const auto *Hint = dyn_cast<LoopHintAttr>(A)) {
      if (Hint->getState() == LoopHintAttr::Disable)
        return true;
      const auto *Value = dyn_cast_or_null<IntegerLiteral>(
          Hint->getValue() ? Hint->getValue()->IgnoreParenImpCasts() : nullptr);
      if (Value && Value->getValue() == 1)
        return true;
    }
  return false;
}

static bool isAlwaysTrue(const Expr &E) {
  const Expr *Plain = E.IgnoreParenImpCasts();
  if (const auto *Bool = dyn_cast<CXXBoolLiteralExpr>(Plain))
    return Bool->getValue();
  const auto *Literal = dyn_cast<IntegerLiteral>(Plain);
  return Literal && Literal->getValue() != 0;
}

static llvm::StringRef nameOf(const FunctionDecl *F) {
  return F && F->getDeclName().isIdentifier() ? F->getName() : "";
}

namespace {

class Execution {
public:
  /// What is known of each loop once its body has been seen.
  struct LoopSummary {
    std::vector<Effect> Effects;
    bool HasInnerLoop = false;
    /// Variables of outside that the body does not assign by their names, but
    /// by pointers, by references, in lambdas, in functions that it calls.
    std::vector<const VarDecl *> ChangedOtherwise;
  };
  using LoopSummaries = llvm::DenseMap<const Stmt *, LoopSummary>;

  Execution(const Stmt &Loop, const FunctionDecl &Function,
            FunctionValues &Values, ASTContext &Ctx, const LoopSummaries *Known)
      : Ctx(Ctx), Counted(&Loop), Known(Known) {
    Top.Function = &Function;
    Top.Values = &Values;
    Current = &Top;
    runLoop(Loop);
  }

  IterationCost cost() const;
  LoopSummaries Summaries;

private:
  // Statements.
  void run(const Stmt *S);
  void runIf(const IfStmt &If);
  void runSwitch(const SwitchStmt &Switch);
  void runLoop(const Stmt &Loop, bool KeepRolled = false);
  void runDeclaration(const VarDecl &V);
  Id condition(const Expr *E);
  void branch(const Expr *Condition);

  // Expressions.
  Id evaluate(const Expr *E);
  Id evaluateCast(const CastExpr &Cast);
  Id evaluateBinary(const BinaryOperator &Op);
  Id evaluateUnary(const UnaryOperator &Op);
  Id evaluateCall(const CallExpr &Call,
                  std::optional<Location> *Returned = nullptr);
  Id inlineCall(const CallExpr &Call, const FunctionDecl &Callee,
                std::optional<Location> *Returned);
  Id arithmetic(BinaryOperatorKind Op, QualType T, Id L, Id R,
                const Expr *Right);
  Id division(BinaryOperatorKind Op, QualType T, Id L, Id R,
              const Expr *Divisor);
  Id evaluateConstruction(const Expr &E, llvm::ArrayRef<const Expr *> Args);
  Id effect(unsigned Cost, llvm::ArrayRef<Id> Args);
  Id record(llvm::ArrayRef<Id> Fields);
  Id fieldOf(Id Record, const FieldDecl *Field);
  Id withField(Id Record, llvm::ArrayRef<const FieldDecl *> Path, Id Value);

  // Affine values.
  std::optional<AffineForm> affine(const Expr *E);
  AffineForm resolved(AffineForm Form) const;
  const LoopLevel *levelOf(const Symbol &S) const;
  const LoopLevel *levelOf(const AffineForm &Form) const;
  AffineForm withoutUnrolled(const AffineForm &Form) const;
  Id affineValue(const AffineForm &Form);
  const void *intern(const AffineForm &Form) { return &Forms[Form]; }

  // Memory.
  Location locate(const Expr *E);
  std::optional<Location> locateObject(const Expr &Object);
  std::optional<Location> fieldOfObject(const FieldDecl &Field);
  Location memoryAt(const Expr *E, QualType T, const Expr *Where);
  Address addressOf(const AffineForm &Form, QualType Element);
  Address addressByParts(const Expr *E);
  MemoryRoot rootOf(const Expr *E);
  bool leadsToGlobal(const Expr &Arg);
  bool passesGlobal(const CallExpr &Call);
  MemoryRoot rootIn(const Expr *E, const FunctionDecl &F);
  Id load(const Location &From);
  Id loadMemory(const Location &From);
  void store(const Location &To, Id Value);
  void storeMemory(const Location &To, Id Value);
  Id atomic(const CallExpr &Call);
  void addOperation(MemoryOperation::KindTy Kind, const Location &What,
                    Id Value, const LoopLevel &At);
  void forget(const Location *Changed);
  bool mayOverlap(const Location &A, const Location &B) const;
  const LoopLevel *hoisted(const Location &What, bool IsStore) const;
  const LoopLevel *changedIn(const Location &What, const LoopLevel *Home) const;
  void noteEffect(bool IsStore, const Location *What);
  Location fieldIn(const Location &Record, const FieldDecl *Field) const;
  bool isInRegisters(const VarDecl &V);

  bool dependsOnLoop(const Symbol &S) const;
  using Environment = llvm::DenseMap<const VarDecl *, Id>;
  unsigned merge(const Environment &Other, bool AsSelect, Id Condition);
  void noteExposed(const Stmt *S);
  bool isOfCallers(const VarDecl &V) const;
  bool outlivesIteration(const VarDecl &V, const Stmt &Loop) const;
  void noteOtherChanges(const Stmt &Loop, const Environment &Before,
                        llvm::ArrayRef<const VarDecl *> Assigned);

  ASTContext &Ctx;
  const Stmt *Counted;
  const LoopSummaries *Known; ///< From an earlier execution, or null.
  ValueGraph Graph;
  Frame Top, *Current = nullptr;
  std::vector<std::unique_ptr<FunctionValues>> CalleeValues;
  llvm::DenseMap<const FunctionDecl *, FunctionValues *> ValuesOf;
  std::vector<std::unique_ptr<LoopLevel>> Levels;
  LoopLevel *Level = nullptr;
  llvm::DenseMap<const Stmt *, LoopLevel *> LevelOfLoop;
  Environment Env;
  /// Variables that may be changed by other names than their own.
  llvm::SmallSetVector<const VarDecl *, 4> Exposed;
  /// Records whose fields are known one by one.
  llvm::DenseMap<Id, llvm::SmallVector<Id, 4>> Records;
  /// Struct values that are still in memory: fields are loaded when asked for.
  llvm::DenseMap<Id, Location> Deferred;
  std::map<AffineForm, char> Forms; ///< Gives each form an identity.
  std::map<std::pair<AffineForm, const LoopLevel *>, Id> AffineIds;
  struct AvailableValue {
    Location Where;
    Id Value;
  };
  std::vector<AvailableValue> Available;
  unsigned ConditionDepth = 0; ///< Of ifs within the current loop level.
  unsigned Jumps = 0, SideEffects = 0;
  llvm::DenseSet<Id> Products, Predicates;
  llvm::DenseMap<const VarDecl *, bool> RegisterArrays;
  std::map<const FunctionDecl *, MemoryRoots> Roots;
  struct Operation {
    MemoryOperation Memory;
    Id Value;
  };
  std::vector<Operation> Operations;
  IterationCost Counts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Affine values
//===----------------------------------------------------------------------===//

/// Puts the arguments of calls for their parameters.
AffineForm Execution::resolved(AffineForm Form) const {
  if (Current->Caller)
    for (const Symbol &S : Form.symbols())
      if (auto It = Current->Arguments.find(S.Key);
          It != Current->Arguments.end())
        Form = Form.substitute(S, It->second);
  return Form;
}

const LoopLevel *Execution::levelOf(const Symbol &S) const {
  for (const Frame *F = Current; F; F = F->Caller)
    if (const Stmt *Loop = F->Values->loopOf(S))
      return LevelOfLoop.lookup(Loop);
  return nullptr;
}

const LoopLevel *Execution::levelOf(const AffineForm &Form) const {
  const LoopLevel *Deepest = nullptr;
  for (const Symbol &S : Form.symbols())
    Deepest = ValueGraph::deeper(Deepest, levelOf(S));
  return Deepest;
}

/// The form of \p E if all of it is arithmetic on inductions and values that do
/// not change in the loop. Values that the iteration computes are not: they
/// have a place in the graph.
std::optional<AffineForm> Execution::affine(const Expr *E) {
  QualType T = E->getType();
  if (E->isLValue() || T->isDependentType() || T->isBooleanType() ||
      !(T->isIntegralOrEnumerationType() || T->isPointerType()))
    return std::nullopt;
  AffineForm Form = resolved(Current->Values->evaluate(*E));
  if (!Form.isKnown() ||
      Form.any([&](const Symbol &S) { return dependsOnLoop(S); }))
    return std::nullopt;
  return Form;
}

/// Whether \p S stands for something that the iteration computes.
bool Execution::dependsOnLoop(const Symbol &S) const {
  bool IsTop = Current == &Top;
  if (Current->Values->isExpressionIn(S, IsTop ? Counted : nullptr))
    return true;
  if (S.Kind == Symbol::Opaque && levelOf(S))
    return true;
  if (S.Kind != Symbol::Uniform && S.Kind != Symbol::Pointer)
    return false;
  if (S.Kind == Symbol::Pointer && levelOf(S))
    return true;
  // A parameter of a called function that got a value of the iteration.
  auto It = Env.find(static_cast<const VarDecl *>(S.Key));
  return !IsTop && It != Env.end() && Graph.level(It->second);
}

/// \p Form without what counts written-out iterations: a constant in each.
AffineForm Execution::withoutUnrolled(const AffineForm &Form) const {
  return Form.without([&](const Symbol &S) {
    const LoopLevel *L = levelOf(S);
    return L && L->Unrolled;
  });
}

/// An affine value takes one instruction per iteration in which it changes: its
/// own increment in an innermost loop, and about that where it is computed from
/// the loop's variable.
Id Execution::affineValue(const AffineForm &Form) {
  AffineForm Rolled = withoutUnrolled(Form);
  const LoopLevel *L = levelOf(Rolled);
  if (!L)
    return Graph.value("invariant", {}, 0, intern(Rolled));
  auto [It, IsNew] = AffineIds.try_emplace({Rolled, L}, 0);
  if (IsNew) {
    // Entering a nested loop sets the value up.
    Ids Start;
    if (L->Parent)
      Start.push_back(Graph.fresh(L->Parent, {}, 1));
    It->second = Graph.fresh(L, Start, 1);
  }
  return It->second;
}

/// The address \p Form. In an innermost loop that cannot wrap, each distinct
/// address is a pointer that is bumped; otherwise the index is scaled (once)
/// and added to each base.
Address Execution::addressOf(const AffineForm &Form, QualType Element) {
  Address A;
  A.Exact = Form;
  AffineForm Rolled = withoutUnrolled(Form);
  A.Offset = Rolled.constantTerm();
  Rolled = Rolled - AffineForm(A.Offset);
  const LoopLevel *L = levelOf(Rolled);
  if (!L) {
    A.Value = affineValue(Rolled);
    return A;
  }
  bool MayWrap =
      Rolled.any([&](const Symbol &S) { return S.MayWrap && levelOf(S) == L; });
  if (!MayWrap && !L->HasInnerLoop) {
    A.Value = affineValue(Rolled);
    return A;
  }
  auto IsPointer = [](const Symbol &S) { return S.Kind == Symbol::Pointer; };
  AffineForm Index = Rolled.without(IsPointer), Base = Rolled - Index;
  if (!Element->isDependentType() && !Element->isIncompleteType())
    if (auto Elements =
            Index.dividedBy(Ctx.getTypeSizeInChars(Element).getQuantity()))
      Index = *Elements;
  Id Scaled = Graph.value("scale", {affineValue(Index)}, 1, intern(Index));
  A.Value = Graph.value("base", {Scaled}, 1, intern(Base));
  return A;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The value of a field of `*this`, which is no part of the object's address.
static bool isPointerOfObject(const Expr &E) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(E.IgnoreParens());
  const auto *Access =
      Cast && Cast->getCastKind() == CK_LValueToRValue
          ? dyn_cast<MemberExpr>(Cast->getSubExpr()->IgnoreParens())
          : nullptr;
  return Access && isa<CXXThisExpr>(Access->getBase()->IgnoreParenImpCasts());
}

/// The address that a pointer, or an lvalue, holds and that is no affine form:
/// `a + idx[i]` is computed from its parts.
Address Execution::addressByParts(const Expr *E) {
  Address A;
  if (isPointerOfObject(*E)) {
    A.Value = evaluate(E);
    return A;
  }
  E = E->IgnoreParenImpCasts();
  const Expr *Base = nullptr, *Index = nullptr;
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    Base = Subscript->getBase();
    Index = Subscript->getIdx();
  } else if (const auto *Op = dyn_cast<BinaryOperator>(E);
             Op && Op->isAdditiveOp() && Op->getType()->isPointerType()) {
    Base = Op->getLHS();
    Index = Op->getRHS();
    if (!Base->getType()->isPointerType())
      std::swap(Base, Index);
  } else if (const auto *Access = dyn_cast<MemberExpr>(E)) {
    A = addressByParts(Access->getBase());
    const auto *Field = dyn_cast<FieldDecl>(Access->getMemberDecl());
    if (Field && !Field->getParent()->isDependentType())
      A.Offset += Ctx.getFieldOffset(Field) / 8;
    return A;
  } else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op &&
             (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf)) {
    return addressByParts(Op->getSubExpr());
  }
  if (!Index) {
    if (E->isLValue() && !E->getType()->isPointerType())
      A.Value = affineValue(resolved(Current->Values->addressOf(*E)));
    else
      A.Value = evaluate(E);
    return A;
  }
  // `a[j - 1]`: the instruction's offset.
  if (const auto *Sum = dyn_cast<BinaryOperator>(Index->IgnoreParenImpCasts());
      Sum && Sum->isAdditiveOp())
    if (auto C = Current->Values->evaluate(*Sum->getRHS()).asConstant()) {
      A.Offset = Sum->getOpcode() == BO_Add ? *C : -*C;
      Index = Sum->getLHS();
    }
  QualType Element = Base->getType()->getPointeeType();
  if (Element.isNull())
    Element = E->getType();
  int64_t Size = Element->isDependentType() || Element->isIncompleteType()
                     ? 1
                     : Ctx.getTypeSizeInChars(Element).getQuantity();
  A.Offset *= Size;
  Address From = addressByParts(Base);
  A.Offset += From.Offset;
  Id Scaled = Graph.value("scale" + std::to_string(Size), {evaluate(Index)}, 1);
  A.Value = Graph.value("base", {From.Value, Scaled}, 1);
  return A;
}

/// The memory that the lvalue or the pointer \p E names.
Location Execution::memoryAt(const Expr *E, QualType T, const Expr *Where) {
  Location L;
  L.Kind = Location::Memory;
  L.Type = T;
  L.Where = Where;
  L.Root = rootOf(E);
  AffineForm Form = resolved(E->isLValue() ? Current->Values->addressOf(*E)
                                           : Current->Values->evaluate(*E));
  if (!Form.isKnown() ||
      Form.any([&](const Symbol &S) { return dependsOnLoop(S); })) {
    L.At = addressByParts(E);
    L.Printed = Form;
  } else {
    L.At = addressOf(Form, T);
    L.Printed = Form;
  }
  return L;
}

/// The root of \p E in the counted loop's function: parameters of functions
/// that are called in the loop stand for their arguments.
MemoryRoot Execution::rootOf(const Expr *E) {
  const Frame *F = Current;
  MemoryRoot Root = rootIn(E, *F->Function);
  while (const Expr *Argument = F->argument(Root.Object)) {
    F = F->Caller;
    Root = rootIn(Argument, *F->Function);
  }
  return Root;
}

/// \p Arg is a pointer or a reference to what may be global memory.
bool Execution::leadsToGlobal(const Expr &Arg) {
  const QualType T = Arg.getType();
  if (T->isFunctionPointerType() || T->isFunctionType() ||
      !(T->isPointerType() || Arg.isGLValue()))
    return false;
  const MemorySpace Space = rootOf(&Arg).Space;
  return Space == MemorySpace::Global || Space == MemorySpace::Unknown;
}

MemoryRoot Execution::rootIn(const Expr *E, const FunctionDecl &F) {
  return Roots.try_emplace(&F, F).first->second.of(*E);
}

/// Arrays of a thread that the compiler keeps in registers: all their indices
/// are constants once small loops are written out.
bool Execution::isInRegisters(const VarDecl &V) {
  auto [It, IsNew] = RegisterArrays.try_emplace(&V, false);
  if (!IsNew)
    return It->second;
  class Indices : public RecursiveASTVisitor<Indices> {
  public:
    explicit Indices(const VarDecl &V) : V(V) {}
    bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
      const Expr *Base = E->getBase()->IgnoreParenImpCasts();
      if (refersTo(Base)) {
        All.push_back(E->getIdx());
        ++Subscripts;
      } else if (isa<ArraySubscriptExpr>(Base)) {
        // `a[i][j]`: the outer index counts where the inner one does.
        const Expr *Root = Base;
        while (const auto *Inner = dyn_cast<ArraySubscriptExpr>(Root))
          Root = Inner->getBase()->IgnoreParenImpCasts();
        if (refersTo(Root))
          All.push_back(E->getIdx());
      }
      return true;
    }
    bool VisitDeclRefExpr(DeclRefExpr *E) {
      References += E->getDecl() == &V;
      return true;
    }
    llvm::SmallVector<const Expr *, 8> All;
    unsigned Subscripts = 0, References = 0;

  private:
    bool refersTo(const Expr *E) const {
      const auto *Ref = dyn_cast<DeclRefExpr>(E);
      return Ref && Ref->getDecl() == &V;
    }
    const VarDecl &V;
  };
  Indices Found(V);
  Found.TraverseStmt(Current->Function->getBody());
  bool Escapes = Found.References != Found.Subscripts;
  RegisterArrays[&V] =
      !Escapes && llvm::all_of(Found.All, [&](const Expr *Index) {
        AffineForm Form = Current->Values->evaluate(*Index);
        return llvm::all_of(Form.symbols(), [&](const Symbol &S) {
          const Stmt *Loop = Current->Values->loopOf(S);
          auto Trips = Loop && S.Kind == Symbol::Induction
                           ? Current->Values->tripCount(*Loop)
                           : std::nullopt;
          return Trips && Trips->asConstant() &&
                 *Trips->asConstant() <= MaxUnrolledTrips;
        });
      });
  return RegisterArrays[&V];
}

Location Execution::locate(const Expr *E) {
  E = E->IgnoreParens();
  Location L;
  L.Type = E->getType();
  L.Where = E;
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getSubExpr()->isLValue() &&
      Cast->getCastKind() != CK_LValueToRValue) {
    L = locate(Cast->getSubExpr());
    L.Type = E->getType();
    return L;
  }
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
    L.Known = evaluate(Temporary->getSubExpr());
    return L;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    if (!V)
      return L;
    if (V->getType()->isReferenceType()) {
      if (const Expr *Argument = Current->argument(V)) {
        llvm::SaveAndRestore Saved(Current, Current->Caller);
        return locate(Argument);
      }
      if (V->getInit() && !isa<ParmVarDecl>(V))
        return locate(V->getInit());
      return memoryAt(E, L.Type, E);
    }
    if (V->hasGlobalStorage() && !V->isUsableInConstantExpressions(Ctx))
      return memoryAt(E, L.Type, E);
    if (V->getType()->isArrayType())
      return L;
    L.Kind = Location::Variable;
    L.Var = V;
    return L;
  }
  if (const auto *Access = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Access->getMemberDecl());
    if (!Field)
      return L;
    if (isa<CXXThisExpr>(Access->getBase()->IgnoreParenImpCasts()))
      return fieldOfObject(*Field).value_or(L);
    if (Access->isArrow() && !Field->isBitField())
      return memoryAt(E, L.Type, E);
    Location Base = Access->isArrow() ? memoryAt(Access->getBase(), L.Type, E)
                                      : locate(Access->getBase());
    if (Base.Kind == Location::Variable) {
      Base.Path.push_back(Field);
      Base.Type = L.Type;
      return Base;
    }
    if (Base.Kind == Location::Memory) {
      // What a parameter refers to is known where the call is.
      const auto *Ref =
          dyn_cast<DeclRefExpr>(Access->getBase()->IgnoreParenImpCasts());
      if (Field->isBitField())
        return Base;
      return Ref && Ref->getDecl()->getType()->isReferenceType() &&
                     Current->argument(Ref->getDecl())
                 ? fieldIn(Base, Field)
                 : memoryAt(E, L.Type, E);
    }
    if (Base.Known)
      L.Known = fieldOf(*Base.Known, Field);
    return L;
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Root = Subscript->getBase()->IgnoreParenImpCasts();
    while (const auto *Inner = dyn_cast<ArraySubscriptExpr>(Root))
      Root = Inner->getBase()->IgnoreParenImpCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(Root);
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (V && V->hasLocalStorage() && V->getType()->isArrayType() &&
        isInRegisters(*V))
      return L;
    return memoryAt(E, L.Type, E);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Current->Object && Op->getOpcode() == UO_Deref &&
        isa<CXXThisExpr>(Op->getSubExpr()->IgnoreParenImpCasts()))
      return *Current->Object;
    if (Op->getOpcode() == UO_Deref)
      return memoryAt(E, L.Type, E);
    if (Op->isIncrementDecrementOp()) {
      evaluate(E);
      return locate(Op->getSubExpr());
    }
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E);
      Op && Op->isAssignmentOp()) {
    evaluate(E);
    return locate(Op->getLHS());
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Id Condition = condition(Choice->getCond());
    Id Then = load(locate(Choice->getTrueExpr()));
    Id Else = load(locate(Choice->getFalseExpr()));
    L.Known = Graph.value("select", {Condition, Then, Else}, 1);
    return L;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    AffineForm Form = Current->Values->addressOf(*E);
    if (!Form.any([&](const Symbol &S) {
          return Current->Values->isExpressionIn(S, nullptr);
        }))
      return memoryAt(E, L.Type, E);
    std::optional<Location> Returned;
    L.Known = evaluateCall(*Call, &Returned);
    if (Returned)
      return *Returned;
  }
  return L;
}

/// What a method is called for: \p Object, or what that points at. Nothing
/// where it is the object of a function that nobody is seen to call.
std::optional<Location> Execution::locateObject(const Expr &Object) {
  if (isa<CXXThisExpr>(Object.IgnoreParenImpCasts()))
    return Current->Object;
  if (const QualType Pointee = Object.getType()->getPointeeType();
      !Object.isLValue() && !Pointee.isNull())
    return memoryAt(&Object, Pointee, &Object);
  return locate(&Object);
}

/// A field of the object that the called function is a member of.
std::optional<Location> Execution::fieldOfObject(const FieldDecl &Field) {
  if (!Current->Object)
    return std::nullopt;
  Location L = *Current->Object;
  if (L.Kind == Location::Memory)
    return Field.isBitField() ? L : fieldIn(L, &Field);
  if (L.Kind == Location::Variable)
    L.Path.push_back(&Field);
  else if (L.Known)
    L.Known = fieldOf(*L.Known, &Field);
  L.Type = Field.getType();
  return L;
}

bool Execution::mayOverlap(const Location &A, const Location &B) const {
  if (A.At.Exact && B.At.Exact)
    if (auto Distance = (*A.At.Exact - *B.At.Exact).asConstant()) {
      auto Size = [&](const Location &L) {
        return int64_t(Ctx.getTypeSizeInChars(L.Type).getQuantity());
      };
      if (*Distance >= Size(B) || *Distance <= -Size(A))
        return false;
    }
  return mayAlias({A.Type, A.Root}, {B.Type, B.Root}, Ctx);
}

/// The level at which \p What can be read once for all iterations of the loops
/// below it, or null where that is before the counted loop. For a store: where
/// it can be done once after them.
const LoopLevel *Execution::hoisted(const Location &What, bool IsStore) const {
  const LoopLevel *Home = Level;
  const LoopLevel *Varies =
      What.At.Exact ? levelOf(*What.At.Exact) : Graph.level(What.At.Value);
  if (ConditionDepth || !Known || What.Type.isVolatileQualified())
    return Home;
  while (Home && Home != Varies) {
    auto It = Known->find(Home->Loop);
    if (It == Known->end())
      return Home;
    for (const Effect &E : It->second.Effects) {
      if (E.IsBarrier)
        return Home;
      if ((IsStore || E.IsStore) && !E.What.At.isSame(What.At) &&
          mayOverlap(E.What, What))
        return Home;
    }
    if (Home->Conditional)
      return Home->Parent;
    Home = Home->Parent;
  }
  return Home;
}

/// The innermost loop below \p Home that stores to \p What, or null.
const LoopLevel *Execution::changedIn(const Location &What,
                                      const LoopLevel *Home) const {
  const LoopLevel *L = Known ? Level : Home;
  for (; L != Home; L = L->Parent)
    if (auto It = Known->find(L->Loop); It != Known->end())
      if (llvm::any_of(It->second.Effects, [&](const Effect &E) {
            return E.IsStore && mayOverlap(E.What, What);
          }))
        return L;
  return nullptr;
}

/// Notes an effect for all loops around; null \p What stands for a barrier.
void Execution::noteEffect(bool IsStore, const Location *What) {
  Effect E;
  E.IsStore = IsStore;
  E.IsBarrier = !What;
  if (What)
    E.What = *What;
  for (LoopLevel *L = Level; L; L = L->Parent)
    Summaries[L->Loop].Effects.push_back(E);
  SideEffects += IsStore || !What;
}

/// Where pointers find the exposed variable \p V.
static Location inMemory(const VarDecl &V) {
  Location L;
  L.Kind = Location::Memory;
  L.Root.Space = MemorySpace::Local;
  L.Root.Object = &V;
  // A part of a record may be what is named: its own type does not tell.
  if (!V.getType()->isRecordType())
    L.Type = V.getType();
  return L;
}

/// Forgets the values of memory that a change of \p Changed may change; of all
/// memory, if null.
void Execution::forget(const Location *Changed) {
  llvm::erase_if(Available, [&](const AvailableValue &A) {
    return !Changed || mayOverlap(A.Where, *Changed);
  });
  for (const VarDecl *V : Exposed)
    if (!Changed || mayOverlap(inMemory(*V), *Changed))
      Env[V] = Graph.fresh(Level, {}, 0);
}

void Execution::addOperation(MemoryOperation::KindTy Kind, const Location &What,
                             Id Value, const LoopLevel &At) {
  MemoryOperation M;
  M.Kind = Kind;
  M.Where = What.Where;
  M.Type = What.Type;
  M.Address = What.Printed;
  M.Root = What.Root;
  M.Times = At.Times;
  M.Nested = At.Parent != nullptr;
  Operations.push_back({std::move(M), Value});
}

Location Execution::fieldIn(const Location &Record,
                            const FieldDecl *Field) const {
  Location L = Record;
  int64_t Offset = Ctx.getFieldOffset(Field) / 8;
  L.Type = Field->getType();
  L.At.Offset += Offset;
  if (L.At.Exact)
    L.At.Exact = *L.At.Exact + AffineForm(Offset);
  L.Printed = L.Printed + AffineForm(Offset);
  return L;
}

Id Execution::load(const Location &From) {
  if (From.Kind == Location::Memory)
    return loadMemory(From);
  if (From.Kind == Location::Register)
    return From.Known ? *From.Known : Graph.fresh(Level, {}, 0);
  auto It = Env.find(From.Var);
  Id Value =
      It != Env.end() ? It->second : Graph.value("variable", {}, 0, From.Var);
  for (const FieldDecl *Field : From.Path)
    Value = fieldOf(Value, Field);
  return Value;
}

Id Execution::loadMemory(const Location &From) {
  if (!isMovedAsOne(From.Type, Ctx)) {
    Id Struct = Graph.fresh(Level, {}, 0);
    Deferred[Struct] = From;
    return Struct;
  }
  bool IsVolatile = From.Type.isVolatileQualified();
  if (!IsVolatile)
    for (const AvailableValue &A : Available)
      if (A.Where.At.isSame(From.At) &&
          Ctx.hasSameUnqualifiedType(A.Where.Type, From.Type))
        return A.Value;
  const LoopLevel *At = hoisted(From, false);
  Id Value = Graph.fresh(At, {From.At.Value}, 1);
  noteEffect(false, &From);
  if (At)
    addOperation(MemoryOperation::Load, From, Value, *At);
  // In a register from then on, which the loop's own stores change.
  if (const LoopLevel *Changes = changedIn(From, At))
    Value = Graph.fresh(Changes, {Value}, 0);
  if (IsVolatile)
    Graph.require(Value);
  else
    Available.push_back({From, Value});
  return Value;
}

void Execution::store(const Location &To, Id Value) {
  if (To.Kind == Location::Memory)
    return storeMemory(To, Value);
  if (To.Kind == Location::Variable) {
    Location Whole = To;
    Whole.Path.clear();
    if (!To.Path.empty())
      Value = withField(load(Whole), To.Path, Value);
    if (Exposed.contains(To.Var)) {
      const Location Memory = inMemory(*To.Var);
      noteEffect(true, &Memory);
      forget(&Memory);
    }
    Env[To.Var] = Value;
    return;
  }
  // A register that has no name here: what it gets is used somewhere.
  Graph.require(Graph.fresh(Level, {Value}, 0));
}

void Execution::storeMemory(const Location &To, Id Value) {
  if (!isMovedAsOne(To.Type, Ctx)) {
    const auto *Record = To.Type->getAsRecordDecl();
    for (const FieldDecl *Field : Record->fields())
      if (!Field->getType()->isArrayType() && !Field->isBitField())
        storeMemory(fieldIn(To, Field), fieldOf(Value, Field));
    return;
  }
  noteEffect(true, &To);
  const LoopLevel *At = hoisted(To, true);
  Id Stored = Graph.fresh(At, {To.At.Value, Value}, 1);
  Graph.require(Stored);
  if (At)
    addOperation(MemoryOperation::Store, To, Stored, *At);
  forget(&To);
  if (!To.Type.isVolatileQualified())
    Available.push_back({To, Value});
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Something that is done whether or not its result is used.
Id Execution::effect(unsigned Cost, llvm::ArrayRef<Id> Args) {
  Id Value = Graph.fresh(Level, Args, Cost);
  Graph.require(Value);
  ++SideEffects;
  return Value;
}

Id Execution::record(llvm::ArrayRef<Id> Fields) {
  Id Value = Graph.fresh(nullptr, Fields, 0);
  Records[Value].assign(Fields.begin(), Fields.end());
  return Value;
}

Id Execution::fieldOf(Id Record, const FieldDecl *Field) {
  if (auto It = Records.find(Record);
      It != Records.end() && Field->getFieldIndex() < It->second.size())
    return It->second[Field->getFieldIndex()];
  if (auto It = Deferred.find(Record); It != Deferred.end()) {
    Location Part = fieldIn(It->second, Field);
    return load(Part);
  }
  return Graph.value("field", {Record}, 0, Field);
}

Id Execution::withField(Id Record, llvm::ArrayRef<const FieldDecl *> Path,
                        Id Value) {
  Ids Fields;
  for (const FieldDecl *Field : Path.front()->getParent()->fields())
    Fields.push_back(fieldOf(Record, Field));
  Id &Part = Fields[Path.front()->getFieldIndex()];
  Part = Path.size() == 1 ? Value : withField(Part, Path.drop_front(), Value);
  return record(Fields);
}

/// `/` and `%`, as nvcc 13.0 compiles them for sm_90.
Id Execution::division(BinaryOperatorKind Op, QualType T, Id L, Id R,
                       const Expr *Right) {
  bool IsRemainder = Op == BO_Rem;
  unsigned Cost = 1;
  bool IsShift = false;
  if (T->isIntegerType()) {
    bool IsWide = Ctx.getTypeSize(T) > 32;
    std::optional<int64_t> C;
    if (Right && Right->getType()->isIntegerType())
      C = Current->Values->evaluate(*Right).asConstant();
    IsShift = C && *C > 0 && llvm::isPowerOf2_64(*C);
    if (IsShift)
      Cost = T->isUnsignedIntegerType() ? 1 : IsRemainder ? 5 : 4;
    else if (C)
      Cost = (T->isUnsignedIntegerType() ? 3 : 4) + (IsRemainder ? 2 : 0);
    else
      Cost = IsWide ? 12 : 1;
  }
  Id Value = Graph.value(IsRemainder ? "%" : "/", {L, R}, Cost,
                         T.getCanonicalType().getTypePtr());
  if (const LoopLevel *At = Graph.level(Value); At && !IsShift)
    Counts.Divisions += At->Times;
  return Value;
}

Id Execution::arithmetic(BinaryOperatorKind Op, QualType T, Id L, Id R,
                         const Expr *Right) {
  if (Op == BO_Div || Op == BO_Rem)
    return division(Op, T, L, R, Right);
  Id Value = Graph.value(BinaryOperator::getOpcodeStr(Op), {L, R}, 1,
                         T.getCanonicalType().getTypePtr());
  if (Op == BO_Mul)
    Products.insert(Value);
  if (Op == BO_Add || Op == BO_Sub) {
    if (Products.contains(L))
      Graph.mayFuse(Value, L);
    else if (Products.contains(R))
      Graph.mayFuse(Value, R);
  }
  return Value;
}

Id Execution::evaluateCast(const CastExpr &Cast) {
  const Expr *Sub = Cast.getSubExpr();
  switch (Cast.getCastKind()) {
  case CK_LValueToRValue:
    return load(locate(Sub));
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingCast: {
    Id Value = evaluate(Sub);
    return Graph.value("convert", {Value}, 1,
                       Cast.getType().getCanonicalType().getTypePtr());
  }
  case CK_IntegralCast: {
    // A narrow load extends for free, a narrow store drops for free.
    Id Value = evaluate(Sub);
    bool Widens = Ctx.getTypeSize(Cast.getType()) > 32 &&
                  Ctx.getTypeSize(Sub->getType()) <= 32;
    return Widens ? Graph.value("widen", {Value}, 1) : Value;
  }
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
  case CK_PointerToBoolean:
    return condition(Sub);
  default:
    return evaluate(Sub);
  }
}

Id Execution::evaluateBinary(const BinaryOperator &Op) {
  if (Op.isLogicalOp() || Op.isComparisonOp())
    return condition(&Op);
  if (Op.isCommaOp()) {
    evaluate(Op.getLHS());
    return evaluate(Op.getRHS());
  }
  if (Op.getOpcode() == BO_Assign) {
    Id Value = evaluate(Op.getRHS());
    store(locate(Op.getLHS()), Value);
    return Value;
  }
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(&Op)) {
    Id R = evaluate(Op.getRHS());
    Location To = locate(Op.getLHS());
    Id L = load(To);
    QualType Computed = Compound->getComputationResultType();
    bool Converts =
        Computed->isRealFloatingType() != Op.getType()->isRealFloatingType() ||
        (Computed->isRealFloatingType() &&
         Ctx.getTypeSize(Computed) != Ctx.getTypeSize(Op.getType()));
    if (Converts)
      L = Graph.value("convert", {L}, 1, Computed.getTypePtr());
    Id Value =
        arithmetic(BinaryOperator::getOpForCompoundAssignment(Op.getOpcode()),
                   Computed, L, R, Op.getRHS());
    if (Converts)
      Value = Graph.value("convert", {Value}, 1, Op.getType().getTypePtr());
    store(To, Value);
    return Value;
  }
  Id L = evaluate(Op.getLHS());
  Id R = evaluate(Op.getRHS());
  return arithmetic(Op.getOpcode(), Op.getType(), L, R, Op.getRHS());
}

Id Execution::evaluateUnary(const UnaryOperator &Op) {
  const Expr *Sub = Op.getSubExpr();
  if (Op.isIncrementDecrementOp()) {
    Location Target = locate(Sub);
    Id Old = load(Target);
    Id New = Graph.value(Op.isIncrementOp() ? "++" : "--", {Old}, 1);
    store(Target, New);
    return Op.isPostfix() ? Old : New;
  }
  switch (Op.getOpcode()) {
  case UO_LNot:
    return condition(&Op);
  case UO_AddrOf:
    return addressByParts(Sub).Value;
  case UO_Deref:
    return load(locate(&Op));
  case UO_Minus:
  case UO_Not:
    return Graph.value(UnaryOperator::getOpcodeStr(Op.getOpcode()),
                       {evaluate(Sub)}, 1);
  default:
    return evaluate(Sub);
  }
}

/// A predicate: the comparison that \p E is, or one with zero.
Id Execution::condition(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getCastKind() != CK_LValueToRValue)
    return condition(Cast->getSubExpr());
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return condition(Full->getSubExpr());
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_LNot)
    return condition(Op->getSubExpr());
  Id Value;
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isLogicalOp()) {
    Id L = condition(Op->getLHS());
    llvm::SaveAndRestore Saved(ConditionDepth, ConditionDepth + 1);
    Id R = condition(Op->getRHS());
    Value = Graph.value(Op->getOpcodeStr(), {L, R}, 1);
  } else if (Op && Op->isComparisonOp()) {
    Id L = evaluate(Op->getLHS()), R = evaluate(Op->getRHS());
    Value = Graph.value(Op->getOpcodeStr(), {L, R}, 1);
  } else {
    Id Whole = evaluate(E);
    if (Predicates.contains(Whole))
      return Whole;
    Value = Graph.value("nonzero", {Whole}, 1);
  }
  Predicates.insert(Value);
  return Value;
}

/// A value that is put together: an initialiser list or a constructor call.
Id Execution::evaluateConstruction(const Expr &E,
                                   llvm::ArrayRef<const Expr *> Args) {
  Ids Values;
  for (const Expr *Arg : Args)
    Values.push_back(evaluate(Arg));
  const auto *Record = E.getType()->getAsRecordDecl();
  size_t Fields =
      Record ? std::distance(Record->field_begin(), Record->field_end()) : 0;
  if (Fields && Values.size() <= Fields) {
    while (Values.size() < Fields)
      Values.push_back(Graph.value("zero", {}, 0));
    return record(Values);
  }
  return Values.size() == 1 ? Values.front() : Graph.fresh(Level, Values, 0);
}

Id Execution::evaluate(const Expr *E) {
  if (!E)
    return Graph.value("nothing", {}, 0);
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || !Op->isAssignmentOp())
    if (std::optional<AffineForm> Form = affine(E))
      return affineValue(*Form);
  if (Op)
    return evaluateBinary(*Op);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(*Cast);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(*Unary);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(*Call);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return evaluate(Temporary->getSubExpr());
  if (const auto *Param = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(Param->getReplacement());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(Default->getExpr());
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return Graph.value("index", {}, 0, Pseudo->getSyntacticForm());
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Id Condition = condition(Choice->getCond());
    llvm::SaveAndRestore Saved(ConditionDepth, ConditionDepth + 1);
    Id Then = evaluate(Choice->getTrueExpr());
    Id Else = evaluate(Choice->getFalseExpr());
    return Graph.value("select", {Condition, Then, Else}, 1);
  }
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (List->isTransparent() || List->getNumInits() == 0)
      return List->getNumInits() ? evaluate(List->getInit(0))
                                 : evaluate(nullptr);
    return evaluateConstruction(*E, List->inits());
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    llvm::ArrayRef<const Expr *> Args(
        const_cast<const Expr *const *>(Construct->getArgs()),
        Construct->getNumArgs());
    if (Construct->getConstructor()->isCopyOrMoveConstructor())
      return evaluate(Args.front());
    return evaluateConstruction(*E, Args);
  }
  if (E->isLValue() && !E->getType()->isArrayType() &&
      !E->getType()->isFunctionType())
    return load(locate(E));
  if (const auto *Literal = dyn_cast<FloatingLiteral>(E))
    return Graph.value(
        "literal " + std::to_string(Literal->getValueAsApproximateDouble()), {},
        0);
  return Graph.value("constant", {}, 0, E);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Id Execution::atomic(const CallExpr &Call) {
  const Expr *Pointer = Call.getNumArgs() ? Call.getArg(0) : nullptr;
  Ids Args;
  for (unsigned I = 1; I < Call.getNumArgs(); ++I)
    Args.push_back(evaluate(Call.getArg(I)));
  if (!Pointer || !Pointer->getType()->isPointerType())
    return effect(1, Args);
  Location At = memoryAt(Pointer, Pointer->getType()->getPointeeType(), &Call);
  Args.push_back(At.At.Value);
  Id Result = effect(1, Args);
  addOperation(MemoryOperation::Atomic, At, Result, *Level);
  noteEffect(true, &At);
  forget(&At);
  return Result;
}

/// What \p Call is made for, an operator if \p IsOperator.
static const Expr *objectOf(const CallExpr &Call, bool IsOperator) {
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    return Member->getImplicitObjectArgument();
  return IsOperator ? Call.getArg(0) : nullptr;
}

/// \p Call is given, or made for, what may be global memory.
bool Execution::passesGlobal(const CallExpr &Call) {
  const Expr *Object = objectOf(Call, /*IsOperator=*/false);
  return (Object && leadsToGlobal(*Object)) ||
         llvm::any_of(Call.arguments(),
                      [&](const Expr *Arg) { return leadsToGlobal(*Arg); });
}

/// A lambda's captures have the names of what they capture.
static bool callsLambda(const FunctionDecl *Callee) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  return Method && Method->getParent()->isLambda();
}

/// \p Returned, if any, gets what a reference leads to that the call returns.
Id Execution::inlineCall(const CallExpr &Call, const FunctionDecl &Callee,
                         std::optional<Location> *Returned) {
  Frame Inner;
  FunctionValues *&Values = ValuesOf[&Callee];
  if (!Values) {
    CalleeValues.push_back(std::make_unique<FunctionValues>(Callee, Ctx));
    Values = CalleeValues.back().get();
  }
  Inner.Function = &Callee;
  Inner.Values = Values;
  Inner.Caller = Current;
  Inner.Call = &Call;
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  // A member operator's first argument is its object, which has no parameter.
  Inner.Skipped =
      isa<CXXOperatorCallExpr>(Call) && Method && Method->isInstance();
  if (const Expr *Object = objectOf(Call, Inner.Skipped))
    Inner.Object = locateObject(*Object);
  for (const ParmVarDecl *P : Callee.parameters()) {
    const Expr *Arg = Inner.argument(P);
    if (!Arg || P->getType()->isReferenceType())
      continue;
    if (std::optional<AffineForm> Form = affine(Arg))
      Inner.Arguments[P] = *Form;
    Env[P] = evaluate(Arg);
  }
  llvm::SaveAndRestore Saved(Current, &Inner);
  run(Callee.getBody());
  if (Inner.Returned && Returned)
    *Returned = Inner.Returned;
  else if (Inner.Returned)
    return load(*Inner.Returned);
  return Inner.Result ? *Inner.Result : Graph.value("nothing", {}, 0);
}

Id Execution::evaluateCall(const CallExpr &Call,
                           std::optional<Location> *Returned) {
  const FunctionDecl *Direct = Call.getDirectCallee();
  auto Evaluated = [&] {
    Ids Args;
    for (const Expr *Arg : Call.arguments())
      Args.push_back(evaluate(Arg));
    return Args;
  };
  CallKind Kind = classifyCall(Call, Ctx.getSourceManager());
  if (nameOf(Direct) == "__ldcv")
    Kind = CallKind::Load;
  if (callsLambda(Direct))
    Kind = CallKind::Visible;
  switch (Kind) {
  case CallKind::BlockBarrier:
  case CallKind::NamedBarrier:
  case CallKind::GridBarrier:
  case CallKind::WarpSync:
  case CallKind::Fence: {
    Id Value = effect(1, Evaluated());
    noteEffect(false, nullptr);
    forget(nullptr);
    return Value;
  }
  case CallKind::Exchange:
  case CallKind::Clock:
  case CallKind::Trap:
    return effect(1, Evaluated());
  case CallKind::Print:
    return effect(3 + Call.getNumArgs(), Evaluated());
  case CallKind::Atomic:
    return atomic(Call);
  case CallKind::Load:
    if (Call.getNumArgs() && Call.getArg(0)->getType()->isPointerType())
      return loadMemory(memoryAt(Call.getArg(0), Call.getType(), &Call));
    return effect(1, Evaluated());
  case CallKind::Assignment: {
    Id Value = evaluate(Call.getArg(Call.getNumArgs() - 1));
    if (const auto *Method = dyn_cast<CXXMemberCallExpr>(&Call))
      store(locate(Method->getImplicitObjectArgument()), Value);
    else
      store(locate(Call.getArg(0)), Value);
    return Value;
  }
  case CallKind::Store: {
    if (Call.getNumArgs() < 2 || !Call.getArg(0)->getType()->isPointerType())
      return effect(1, Evaluated());
    Id Value = evaluate(Call.getArg(1));
    storeMemory(memoryAt(Call.getArg(0), Call.getArg(1)->getType(), &Call),
                Value);
    return Value;
  }
  case CallKind::UniformIndex:
  case CallKind::ThreadIndex:
    return Graph.value("index", {}, 0, Direct);
  case CallKind::Pure: {
    // make_float4 and its like only name their arguments.
    if (isRecord(Call.getType()) && nameOf(Direct).starts_with("make_")) {
      llvm::SmallVector<const Expr *, 4> Args(Call.arguments());
      return evaluateConstruction(Call, Args);
    }
    QualType T = Call.getType();
    FunctionCost Cost = costOfFunction(
        nameOf(Direct), T->isRealFloatingType() ? Ctx.getTypeSize(T) : 32);
    Id Value = Graph.value("call", Evaluated(), Cost.Instructions,
                           Direct->getCanonicalDecl());
    if (const LoopLevel *At = Graph.level(Value); At && Cost.Transcendental)
      Counts.Transcendental += At->Times;
    return Value;
  }
  case CallKind::Visible: {
    const FunctionDecl *Callee = calleeDefinition(Call);
    bool IsRecursive = false;
    for (const Frame *F = Current; F; F = F->Caller)
      IsRecursive |= F->Function == Callee;
    if (Callee && !IsRecursive && Current->depth() < MaxCallDepth)
      return inlineCall(Call, *Callee, Returned);
    [[fallthrough]];
  }
  case CallKind::Unknown: {
    // The call, and for each argument and the result a move.
    Id Value = effect(2 + Call.getNumArgs(), Evaluated());
    Counts.Calls += Level->Times;
    Counts.PassesGlobal |= passesGlobal(Call);
    noteEffect(false, nullptr);
    forget(nullptr);
    return Value;
  }
  }
  llvm_unreachable("all kinds of calls are handled");
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// What \p Call is made for, if it may change that.
static const Expr *changedObject(const CallExpr &Call) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call);
  if (Operator && Operator->isAssignmentOp())
    return Call.getArg(0);
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
  const Expr *Object = Method && Method->isInstance() && !Method->isConst()
                           ? objectOf(Call, Operator)
                           : nullptr;
  return Object && !Object->getType()->isPointerType() ? Object : nullptr;
}

/// Adds to \p Out the variables that \p S assigns.
static void collectAssigned(const Stmt *S,
                            llvm::SmallSetVector<const VarDecl *, 8> &Out) {
  if (!S)
    return;
  const Expr *Target = nullptr;
  if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp())
    Target = Op->getLHS();
  else if (const auto *Op = dyn_cast<UnaryOperator>(S);
           Op && Op->isIncrementDecrementOp())
    Target = Op->getSubExpr();
  else if (const auto *Call = dyn_cast<CallExpr>(S))
    Target = changedObject(*Call);
  while (Target) {
    Target = Target->IgnoreParenImpCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Target))
      if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
        Out.insert(V);
    const auto *Access = dyn_cast<MemberExpr>(Target);
    Target = Access && !Access->isArrow() ? Access->getBase() : nullptr;
  }
  for (const Stmt *Child : S->children())
    collectAssigned(Child, Out);
}

/// Joins the current environment with \p Other: a variable with two values is a
/// third value. Returns how many there are.
unsigned Execution::merge(const Environment &Other, bool AsSelect,
                          Id Condition) {
  unsigned Merged = 0;
  for (auto &[V, Value] : Env) {
    auto It = Other.find(V);
    if (It == Other.end() || It->second == Value)
      continue;
    Value = Graph.fresh(Level, {Value, It->second, Condition}, AsSelect);
    ++Merged;
  }
  return Merged;
}

/// Variables that \p S names and that something else than their names may
/// change, `*p` of `p = &v`.
void Execution::noteExposed(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
        V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
        !V->getType()->isArrayType() && Current->Values->isExposed(*V) &&
        Exposed.insert(V))
      Env.try_emplace(V, Graph.value("variable", {}, 0, V));
  for (const Stmt *Child : S->children())
    noteExposed(Child);
}

/// \p V is of the function that runs, or of one that it was called from.
bool Execution::isOfCallers(const VarDecl &V) const {
  const Frame *F = Current;
  while (F && !V.getDeclContext()->Encloses(F->Function))
    F = F->Caller;
  return F != nullptr;
}

/// \p V has in an iteration of \p Loop what the one before has left in it.
bool Execution::outlivesIteration(const VarDecl &V, const Stmt &Loop) const {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *Init = dyn_cast_or_null<DeclStmt>(For ? For->getInit() : nullptr);
  return Current->Values->isDeclaredOutside(V, Loop) ||
         (Init && llvm::is_contained(Init->decls(), &V));
}

/// Notes which variables of outside have changed since \p Before, besides \p
/// Assigned.
void Execution::noteOtherChanges(const Stmt &Loop, const Environment &Before,
                                 llvm::ArrayRef<const VarDecl *> Assigned) {
  std::vector<const VarDecl *> &Changed = Summaries[&Loop].ChangedOtherwise;
  for (const auto &[V, Value] : Env) {
    const auto It = Before.find(V);
    const Id Old =
        It == Before.end() ? Graph.value("variable", {}, 0, V) : It->second;
    if (Value != Old && !llvm::is_contained(Assigned, V) && isOfCallers(*V) &&
        outlivesIteration(*V, Loop))
      Changed.push_back(V);
  }
  llvm::sort(Changed, [](const VarDecl *A, const VarDecl *B) {
    return A->getLocation() < B->getLocation();
  });
}

void Execution::runIf(const IfStmt &If) {
  run(If.getInit());
  run(If.getConditionVariableDeclStmt());
  if (If.isConsteval()) // What runs is no constant expression.
    return run(If.isNegatedConsteval() ? If.getThen() : If.getElse());
  if (If.isConstexpr() && !If.getCond()->isValueDependent())
    if (auto Taken = If.getNondiscardedCase(Ctx))
      return run(*Taken);
  Id Condition = condition(If.getCond());
  // Variables that only a branch assigns had a value before it, too.
  llvm::SmallSetVector<const VarDecl *, 8> Assigned;
  collectAssigned(If.getThen(), Assigned);
  collectAssigned(If.getElse(), Assigned);
  for (const VarDecl *V : Assigned)
    Env.try_emplace(V, Graph.value("variable", {}, 0, V));
  Environment Before = Env;
  std::vector<AvailableValue> AvailableBefore = Available;
  unsigned JumpsBefore = Jumps, EffectsBefore = SideEffects;
  size_t OperationsBefore = Operations.size();
  llvm::SaveAndRestore Saved(ConditionDepth, ConditionDepth + 1);
  run(If.getThen());
  std::swap(Env, Before);
  std::swap(Available, AvailableBefore);
  run(If.getElse());
  llvm::erase_if(Available, [&](const AvailableValue &A) {
    return llvm::none_of(AvailableBefore, [&](const AvailableValue &B) {
      return A.Value == B.Value;
    });
  });
  // Arms that only compute are executed both, and the results selected.
  bool OnlyComputes = Jumps == JumpsBefore && SideEffects == EffectsBefore &&
                      Operations.size() == OperationsBefore;
  merge(Before, OnlyComputes, Condition);
  if (!OnlyComputes)
    Graph.require(Graph.fresh(Level, {Condition}, If.getElse() ? 2 : 1));
}

void Execution::runSwitch(const SwitchStmt &Switch) {
  run(Switch.getInit());
  run(Switch.getConditionVariableDeclStmt());
  Id Value = evaluate(Switch.getCond());
  llvm::SmallSetVector<const VarDecl *, 8> Assigned;
  collectAssigned(Switch.getBody(), Assigned);
  for (const VarDecl *V : Assigned)
    Env.try_emplace(V, Graph.value("variable", {}, 0, V));
  for (const SwitchCase *Case = Switch.getSwitchCaseList(); Case;
       Case = Case->getNextSwitchCase())
    if (isa<CaseStmt>(Case)) // compare and branch
      Graph.require(Graph.fresh(Level, {Value}, 2));
  Environment Before = Env;
  std::vector<AvailableValue> AvailableBefore = Available;
  llvm::SaveAndRestore Saved(ConditionDepth, ConditionDepth + 1);
  run(Switch.getBody());
  llvm::erase_if(AvailableBefore, [&](const AvailableValue &A) {
    return llvm::none_of(
        Available, [&](const AvailableValue &B) { return A.Value == B.Value; });
  });
  Available = std::move(AvailableBefore);
  merge(Before, false, Value);
}

void Execution::runDeclaration(const VarDecl &V) {
  if (V.isStaticLocal() || V.getType()->isReferenceType() ||
      V.hasAttr<CUDASharedAttr>())
    return;
  if (V.getInit() && !V.getType()->isArrayType())
    Env[&V] = evaluate(V.getInit());
}

void Execution::run(const Stmt *S) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S)) {
    evaluate(E);
    return;
  }
  switch (S->getStmtClass()) {
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::CXXForRangeStmtClass:
    return runLoop(*S);
  case Stmt::AttributedStmtClass: {
    const auto *Attributed = cast<AttributedStmt>(S);
    const Stmt *Sub = Attributed->getSubStmt();
    if (!isLoop(*Sub))
      return run(Sub);
    return runLoop(*Sub, isKeptRolled(*Attributed));
  }
  case Stmt::IfStmtClass:
    return runIf(*cast<IfStmt>(S));
  case Stmt::SwitchStmtClass:
    return runSwitch(*cast<SwitchStmt>(S));
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        runDeclaration(*V);
    return;
  case Stmt::ReturnStmtClass: {
    ++Jumps;
    const Expr *Returned = cast<ReturnStmt>(S)->getRetValue();
    if (!Returned || !Current->Caller)
      return;
    if (Current->Function->getReturnType()->isReferenceType()) {
      Current->Returned = locate(Returned);
      return;
    }
    Id Value = evaluate(Returned);
    if (Current->Result)
      Value = Graph.fresh(Level, {*Current->Result, Value}, 0);
    Current->Result = Value;
    return;
  }
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass:
  case Stmt::GotoStmtClass:
    ++Jumps;
    return;
  case Stmt::GCCAsmStmtClass: {
    Ids Inputs;
    const auto *Asm = cast<GCCAsmStmt>(S);
    for (const Expr *Input : Asm->inputs())
      Inputs.push_back(evaluate(Input));
    Id Result = effect(1, Inputs);
    for (const Expr *Output : Asm->outputs())
      store(locate(Output), Result);
    noteEffect(false, nullptr);
    forget(nullptr);
    return;
  }
  default:
    for (const Stmt *Child : S->children())
      run(Child);
  }
}

void Execution::runLoop(const Stmt &Loop, bool KeepRolled) {
  bool IsCounted = Level == nullptr;
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  const auto *Do = dyn_cast<DoStmt>(&Loop);
  const auto *Range = dyn_cast<CXXForRangeStmt>(&Loop);
  if (!IsCounted && For)
    run(For->getInit());
  if (!IsCounted && Range)
    for (const Stmt *Setup :
         {Range->getInit(), static_cast<const Stmt *>(Range->getRangeStmt()),
          static_cast<const Stmt *>(Range->getBeginStmt()),
          static_cast<const Stmt *>(Range->getEndStmt())})
      run(Setup);

  Levels.push_back(std::make_unique<LoopLevel>());
  LoopLevel *Inner = Levels.back().get();
  Inner->Loop = &Loop;
  Inner->Parent = Level;
  Inner->Conditional = !IsCounted && ConditionDepth > 0;
  if (!IsCounted) {
    Counts.Innermost = false;
    std::optional<int64_t> Trips;
    if (std::optional<AffineForm> Form = Current->Values->tripCount(Loop))
      Trips = resolved(*Form).asConstant();
    uint64_t Times = Trips ? std::max<int64_t>(*Trips, 0) : 1;
    Inner->Times = llvm::SaturatingMultiply(Level->Times, Times);
    Inner->Unrolled = Trips && *Trips <= MaxUnrolledTrips && !KeepRolled;
    if (!Inner->Unrolled) {
      for (LoopLevel *L = Level; L; L = L->Parent)
        Summaries[L->Loop].HasInnerLoop = true;
      if (!Trips && !Do) // compare and branch around the loop
        Graph.require(Graph.fresh(Level, {}, 2));
    }
  }
  if (Known)
    if (auto It = Known->find(&Loop); It != Known->end())
      Inner->HasInnerLoop = It->second.HasInnerLoop;
  LevelOfLoop[&Loop] = Inner;

  llvm::SmallSetVector<const VarDecl *, 8> Assigned;
  collectAssigned(&Loop, Assigned);
  if (Known)
    if (auto It = Known->find(&Loop); It != Known->end())
      Assigned.insert_range(It->second.ChangedOtherwise);
  noteExposed(&Loop);
  // What the loop changes is asked once: the second execution knows it.
  const Environment Before = Known ? Environment() : Env;
  Environment Entry;
  for (const VarDecl *V : Assigned) {
    Id Start =
        Env.try_emplace(V, Graph.value("variable", {}, 0, V)).first->second;
    Entry[V] = Env[V] = Graph.fresh(Inner, {Start}, 0);
  }
  // What the loop changes is not available when its next iteration begins.
  std::vector<AvailableValue> Outside = std::move(Available);
  Available.clear();
  {
    llvm::SaveAndRestore SavedLevel(Level, Inner);
    llvm::SaveAndRestore SavedDepth(ConditionDepth, 0u);
    auto Test = [&](const Expr *Condition) {
      if (Inner->Unrolled)
        return;
      Ids Tested;
      if (Condition)
        Tested.push_back(condition(Condition));
      Graph.require(Graph.fresh(Inner, Tested, 1));
    };
    if (For) {
      run(For->getConditionVariableDeclStmt());
      Test(For->getCond());
      run(For->getBody());
      run(For->getInc());
    } else if (While) {
      run(While->getConditionVariableDeclStmt());
      Test(isAlwaysTrue(*While->getCond()) ? nullptr : While->getCond());
      run(While->getBody());
    } else if (Do) {
      run(Do->getBody());
      Test(Do->getCond());
    } else {
      Test(Range->getCond());
      run(Range->getLoopVarStmt());
      run(Range->getBody());
      run(Range->getInc());
    }
  }
  if (!Known)
    noteOtherChanges(Loop, Before, Assigned.getArrayRef());
  for (const VarDecl *V : Assigned) {
    Graph.addArgument(Entry[V], Env[V]);
    if (IsCounted) {
      // Variables of outside are taken to be read after the loop.
      if (Current->Values->isDeclaredOutside(*V, Loop))
        Graph.require(Env[V]);
      continue;
    }
    Env[V] = Graph.fresh(Level, {Entry[V]}, 0);
  }
  Available = std::move(Outside);
  for (const Effect &E : Summaries[&Loop].Effects)
    if (E.IsBarrier)
      forget(nullptr);
    else if (E.IsStore)
      forget(&E.What);
}

IterationCost Execution::cost() const {
  IterationCost Cost = Counts;
  ValueGraph::Totals Totals = Graph.sum();
  Cost.Instructions = Totals.Instructions;
  for (const Operation &O : Operations)
    if (Totals.Live[O.Value])
      Cost.Memory.push_back(O.Memory);
  return Cost;
}

IterationCost barricade::countIteration(const Stmt &Loop,
                                        const FunctionDecl &Function,
                                        FunctionValues &Values,
                                        ASTContext &Ctx) {
  // Whether a load can leave a loop is known when the loop's stores are: the
  // first execution finds them, the second one counts.
  Execution First(Loop, Function, Values, Ctx, nullptr);
  Execution Second(Loop, Function, Values, Ctx, &First.Summaries);
  return Second.cost();
}

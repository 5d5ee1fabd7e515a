// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/fence-as-barrier/SmallGrid.h"
#include "matchers/SilentCalls.h"
#include "matchers/Statements.h"
#include "matchers/Waiting.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"
#include <deque>
#include <map>

using namespace clang;

namespace barricade::fence_as_barrier {
namespace {

/// Expressions and statements that all runs of a kernel may take together: one
/// or two seconds.
constexpr unsigned MaxSteps = 30'000'000;
/// What it costs to compare an access with others, in such steps.
constexpr unsigned StepsPerAccess = 16;
/// Calls within calls.
constexpr unsigned MaxDepth = 32;
constexpr int64_t WarpLanes = 32;

llvm::StringRef nameOf(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && Callee->getDeclName().isIdentifier() ? Callee->getName()
                                                        : "";
}

/// Inline PTX that is one fence at gpu or system scope.
bool isFenceAsm(const AsmStmt &Asm) {
  const auto *Gcc = dyn_cast<GCCAsmStmt>(&Asm);
  if (!Gcc)
    return false;
  std::string Text = Gcc->getAsmString();
  llvm::StringRef Opcode = llvm::StringRef(Text).trim(" \t\r\n;");
  return !Opcode.contains_insensitive("cta") && !Opcode.contains(';') &&
         (Opcode == "membar.gl" || Opcode == "membar.sys" ||
          (Opcode.starts_with("fence.") &&
           (Opcode.ends_with(".gpu") || Opcode.ends_with(".sys"))));
}

/// `cuda::thread_scope` counts up from system over device to block, the
/// built-in scopes from thread over block and cluster to device and system.
bool isWideScope(const CallExpr &Call, bool WideIsSmall) {
  if (Call.getNumArgs() < 2)
    return true;
  Expr::EvalResult Scope;
  const Expr *Arg = Call.getArg(1);
  if (Arg->isValueDependent() ||
      !Arg->EvaluateAsInt(Scope, Call.getDirectCallee()->getASTContext()))
    return true;
  return WideIsSmall ? Scope.Val.getInt() <= 1 : Scope.Val.getInt() >= 3;
}

bool isFenceCall(const CallExpr &Call, const SourceManager &SM) {
  if (classifyCall(Call, SM) != CallKind::Fence)
    return false;
  llvm::StringRef Name = nameOf(Call);
  if (Name == "atomic_thread_fence")
    return isWideScope(Call, /*WideIsSmall=*/true);
  if (Name == "__nv_atomic_thread_fence")
    return isWideScope(Call, /*WideIsSmall=*/false);
  return llvm::StringSwitch<bool>(Name)
      .Cases({"__threadfence", "__threadfence_system", "__nvvm_membar_gl",
              "__nvvm_membar_sys"},
             true)
      .Default(false);
}

/// An access by which another block's writes can be noticed, or a call that may
/// do so out of sight.
bool findSignals(const KernelEffects &Effects) {
  for (const KernelEffects::Sync &S : Effects.Syncs)
    if (S.Kind == CallKind::Atomic || S.Kind == CallKind::Unknown)
      return true;
  for (const auto &[Asm, Function] : Effects.Asm)
    if (!isFenceAsm(*cast<AsmStmt>(Asm)) && !isPlainAsm(*cast<AsmStmt>(Asm)))
      return true;
  return llvm::any_of(Effects.Functions, [&](const FunctionDecl *F) {
    return codeHolds(*F, [&](const Stmt &S) {
      if (const auto *Call = dyn_cast<CallExpr>(&S))
        return nameOf(*Call) == "__ldcg"; // always from the shared cache
      const auto *E = dyn_cast<Expr>(&S);
      return E && (isa<AtomicExpr>(E) ||
                   (E->isLValue() && E->getType().isVolatileQualified()));
    });
  });
}

bool mayWait(const SilentCalls &Calls, unsigned Depth = 0);

/// More than straight-line code that computes and writes.
bool mayWait(const FunctionDecl &Function, unsigned Depth) {
  constexpr unsigned MaxDepth = 8;
  const FunctionDecl *Definition = nullptr;
  if (Depth > MaxDepth || !Function.hasBody(Definition))
    return true;
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  return mayWait(silentCallsOf(*Definition), Depth + 1) ||
         codeHolds(*Definition, [&](const Stmt &S) {
           if (isLoop(S) ||
               isa<AsmStmt, AtomicExpr, GotoStmt, IndirectGotoStmt>(S) ||
               mayWait(silentCallsOf(S), Depth + 1))
             return true;
           const auto *Call = dyn_cast<CallExpr>(&S);
           if (!Call)
             return false;
           const CallKind Kind = classifyCall(*Call, SM);
           return Kind == CallKind::Visible
                      ? mayWait(*calleeDefinition(*Call), Depth + 1)
                      : !llvm::is_contained(
                            {CallKind::Pure, CallKind::Print,
                             CallKind::Assignment, CallKind::ThreadIndex,
                             CallKind::UniformIndex, CallKind::Store},
                            Kind);
         });
}

bool mayWait(const SilentCalls &Calls, unsigned Depth) {
  return Calls.AreSeveral ||
         llvm::any_of(Calls.Callees, [&](const FunctionDecl *Callee) {
           return mayWait(*Callee, Depth);
         });
}

/// What a thread knows as an object: its own variables, a block's shared ones,
/// global memory. Only the first have contents.
struct Object {
  enum SpaceTy { Local, Shared, Global } Space = Local;
  /// Local: where contents come from that the thread did not write itself.
  /// Global: what the object is.
  HostValue Host;
  bool IsVariable = false;
  struct Cell;
  std::map<int64_t, Cell> Cells;
};

/// A place in an object; none where the object is not known.
struct PlaceInObject {
  Object *In = nullptr;
  std::optional<int64_t> Offset = 0;

  PlaceInObject plus(std::optional<int64_t> Bytes) const {
    if (!Offset || !Bytes)
      return {In, std::nullopt};
    return {In, *Offset + *Bytes};
  }
};

struct Value {
  enum KindTy { Unknown, Integer, Pointer } Kind = Unknown;
  /// Of an unknown value: other threads may have a part in it.
  bool Foreign = false;
  int64_t Int = 0;
  PlaceInObject Target;

  static Value unknown(bool Foreign = false) {
    return {Unknown, Foreign, 0, {}};
  }
  static Value integer(int64_t I) { return {Integer, false, I, {}}; }
  static Value pointer(PlaceInObject P) { return {Pointer, false, 0, P}; }
  bool isInt() const { return Kind == Integer; }
};

struct Object::Cell {
  Value Content;
  int64_t Width;
};

Value mix(const Value &A, const Value &B) {
  return Value::unknown(A.Foreign || B.Foreign);
}

/// What the threads of one run share.
struct Run {
  SmallGrid &Grid;
  ScalarChoice Choose;
  ASTContext &Context;
  unsigned &Steps;
  bool GaveUp = false;
  std::map<std::pair<HostValue, bool>, Object> Globals = {};

  Object *global(HostValue Root, bool IsVariable) {
    Object &O = Globals[{Root, IsVariable}];
    O.Space = Object::Global;
    O.Host = Root;
    O.IsVariable = IsVariable;
    return &O;
  }
};

/// One thread's run through the kernel.
class ThreadRun {
public:
  ThreadRun(Run &R, std::array<unsigned, 3> Block,
            std::array<unsigned, 3> Thread)
      : R(R), Context(R.Context), SM(Context.getSourceManager()),
        BlockIndex(Block), ThreadIndex(Thread) {}

  ThreadTrace run() {
    const FunctionDecl &Kernel = *R.Grid.effects().Kernel;
    Frame F(&Kernel);
    Top = &F;
    for (const ParmVarDecl *P : Kernel.parameters())
      F.Variables[P] = newObject({P, 0});
    execute(Kernel.getBody());
    return std::move(Trace);
  }

private:
  enum class Flow { Next, Break, Continue, Return };

  struct Frame {
    explicit Frame(const FunctionDecl *Function) : Function(Function) {}
    const FunctionDecl *Function;
    std::map<const VarDecl *, Object *> Variables;
    PlaceInObject This;
    PlaceInObject Destination; ///< Where a record is returned.
    Value Result;
    unsigned Unsure = 0; ///< Conditions under which it may have returned.
  };

  // Expressions.
  Value evaluate(const Expr *E);
  Value evaluateCast(const CastExpr &Cast);
  Value evaluateUnary(const UnaryOperator &Op);
  Value evaluateBinary(const BinaryOperator &Op);
  Value evaluateLogical(const BinaryOperator &Op);
  Value evaluateChoice(const ConditionalOperator &Choice);
  Value evaluateCall(const CallExpr &Call, PlaceInObject Destination);
  Value callVisible(const CallExpr &Call, PlaceInObject Destination);
  Value callOfValues(const CallExpr &Call);
  Value callOfGroup(const CallExpr &Call);
  Value run(Frame &Callee);
  Value index(llvm::StringRef Variable, char Member) const;
  Value constant(const Expr &E) const;
  Value childrenOf(const Stmt &S);
  Value compute(BinaryOperatorKind Opcode, const Value &L, const Value &R,
                QualType Operands, QualType Result) const;
  Value computePointer(BinaryOperatorKind Opcode, const Value &L,
                       const Value &R, const BinaryOperator &Op) const;
  Value normalized(Value V, QualType T) const;
  PlaceInObject place(const Expr *E);
  PlaceInObject placeOfVariable(const VarDecl &Var);

  // Memory.
  Value load(PlaceInObject P, QualType T, const Expr &Access);
  void store(PlaceInObject P, QualType T, const Expr *Access, Value V);
  void initialize(PlaceInObject P, QualType T, const Expr *Init);
  void construct(PlaceInObject P, const CXXConstructExpr &Construct);
  void copy(PlaceInObject To, PlaceInObject From, QualType T,
            const Expr &Access, const Expr *Target);
  void note(PlaceInObject P, QualType T, const Expr &Access, bool IsStore,
            std::optional<int64_t> Stored = std::nullopt);
  Value hostScalar(const HostValue &V, QualType T);

  // Statements.
  Flow execute(const Stmt *S);
  void declare(const DeclStmt &Decl);
  /// What \p S begins ends by functions that are not run here: by one that may
  /// wait, what the thread knows ends as well.
  void endSilently(const Stmt &S) {
    if (mayWait(silentCallsOf(S)))
      wait();
  }
  Flow executeIf(const IfStmt &If);
  Flow executeLoop(const Stmt &Loop);
  Flow executeSwitch(const SwitchStmt &Switch);
  Flow executeAsm(const AsmStmt &Asm);
  Flow unsurely(const Value &Why, llvm::ArrayRef<const Stmt *> Arms);
  Flow leave(Flow Last, unsigned Unsure);

  /// Whether the thread surely comes here.
  bool isSure() const { return Doubts == 0; }
  void wait() {
    if (!Ended)
      Trace.Waited = Now;
    Ended = true;
  }
  void giveUp() { R.GaveUp = Ended = true; }
  void fence(const Stmt &S) {
    if (isSure() && !Ended)
      Trace.Fences.push_back({&S, Top->Function, tick()});
  }
  Moment tick() {
    ++Now.Order;
    return Now;
  }

  int64_t sizeOf(QualType T) const {
    return T->isIncompleteType() || T->isFunctionType()
               ? 1
               : Context.getTypeSizeInChars(T).getQuantity();
  }
  Object *newObject(HostValue Host = {}) {
    Object &O = Locals.emplace_back();
    O.Host = Host;
    return &O;
  }

  Run &R;
  ASTContext &Context;
  const SourceManager &SM;
  std::array<unsigned, 3> BlockIndex, ThreadIndex;
  ThreadTrace Trace;
  Moment Now;
  bool Ended = false;
  /// Conditions around the present statement that nothing is known of.
  unsigned Doubts = 0;
  /// Those of them that other threads may have a part in.
  unsigned ForeignDoubts = 0;
  /// A place of the thread's own that a pointer may reach.
  bool LocalsExposed = false;
  unsigned Depth = 0;
  Frame *Top = nullptr;
  /// Of the innermost loop, and of the innermost loop or switch: conditions
  /// under which the thread may have left it or its iteration.
  unsigned *LoopUnsure = nullptr, *BreakUnsure = nullptr;
  std::deque<Object> Locals;
  Object SharedMemory{Object::Shared, {}, false, {}};
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value ThreadRun::hostScalar(const HostValue &V, QualType T) {
  if (T->isPointerType() && !T->isFunctionPointerType())
    return Value::pointer({R.global(V, false), 0});
  if (T->isIntegralOrEnumerationType())
    return normalized(Value::integer(R.Choose(V, T)), T);
  return {};
}

void ThreadRun::note(PlaceInObject P, QualType T, const Expr &Access,
                     bool IsStore, std::optional<int64_t> Stored) {
  if (!isSure() || Ended || !P.Offset || T.isVolatileQualified())
    return;
  R.Steps += StepsPerAccess;
  Trace.Accesses.push_back({&Access,
                            Top->Function,
                            {P.In->Host, P.In->IsVariable, *P.Offset},
                            unsigned(sizeOf(T)),
                            IsStore,
                            Stored,
                            tick()});
}

Value ThreadRun::load(PlaceInObject P, QualType T, const Expr &Access) {
  if (T.isVolatileQualified() || !P.In)
    return Value::unknown(true);
  if (P.In->Space == Object::Shared)
    return Value::unknown(true);
  if (P.In->Space == Object::Global) {
    note(P, T, Access, false);
    return Value::unknown(R.Grid.mayChange(Access, *Top->Function));
  }
  if (!P.Offset)
    return {};
  auto It = P.In->Cells.find(*P.Offset);
  if (It != P.In->Cells.end())
    return It->second.Width == sizeOf(T) ? It->second.Content : Value();
  if (!P.In->Host.Var)
    return {};
  return hostScalar({P.In->Host.Var, P.In->Host.Offset + *P.Offset}, T);
}

void ThreadRun::store(PlaceInObject P, QualType T, const Expr *Access,
                      Value V) {
  if (!P.In) {
    // It may be a variable of this thread, about which nothing is known then.
    if (LocalsExposed)
      giveUp();
    return;
  }
  if (P.In->Space == Object::Global && Access)
    note(P, T, *Access, true, V.isInt() ? std::optional(V.Int) : std::nullopt);
  if (P.In->Space != Object::Local)
    return;
  if (!isSure())
    V = Value::unknown(V.Foreign || ForeignDoubts);
  int64_t Width = sizeOf(T);
  auto &Cells = P.In->Cells;
  if (!P.Offset) {
    P.In->Host = {};
    return Cells.clear();
  }
  for (auto It = Cells.begin(); It != Cells.end();)
    It = It->first < *P.Offset + Width &&
                 *P.Offset < It->first + It->second.Width
             ? Cells.erase(It)
             : std::next(It);
  Cells[*P.Offset] = {V, Width};
}

void ThreadRun::copy(PlaceInObject To, PlaceInObject From, QualType T,
                     const Expr &Access, const Expr *Target) {
  if (!From.In || From.In->Space != Object::Local || !From.Offset || !To.In ||
      To.In->Space != Object::Local || !To.Offset || !isSure()) {
    Value V = load(From, T, Access);
    return store(To, T, Target, V.Kind == Value::Unknown ? V : Value());
  }
  int64_t Width = sizeOf(T);
  std::map<int64_t, Object::Cell> Cells = From.In->Cells;
  if (*To.Offset == 0 && From.In->Host.Var)
    To.In->Host = {From.In->Host.Var, From.In->Host.Offset + *From.Offset};
  for (const auto &[Offset, Cell] : Cells)
    if (Offset >= *From.Offset && Offset < *From.Offset + Width)
      To.In->Cells[Offset - *From.Offset + *To.Offset] = Cell;
}

/// Gives a new object its first value.
void ThreadRun::initialize(PlaceInObject P, QualType T, const Expr *Init) {
  if (T->isReferenceType()) {
    PlaceInObject Target = place(Init);
    return store(P, Context.VoidPtrTy, nullptr,
                 Target.In ? Value::pointer(Target) : Value::unknown(true));
  }
  Init = Init->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(Init))
    return initialize(P, T, Full->getSubExpr());
  if (!T->isRecordType() && !T->isArrayType())
    return store(P, T, nullptr, evaluate(Init));
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Init))
    return construct(P, *Construct);
  if (const auto *List = dyn_cast<InitListExpr>(Init)) {
    if (List->isTransparent())
      return initialize(P, T, List->getInit(0));
    if (const auto *Array = Context.getAsArrayType(T)) {
      QualType Element = Array->getElementType();
      for (const auto &[I, E] : llvm::enumerate(List->inits()))
        initialize(P.plus(int64_t(I) * sizeOf(Element)), Element, E);
      // All the others begin the same way.
      const Expr *Filler = List->getArrayFiller();
      if (holds(Filler, [](const Stmt &S) { return silentCallsOf(S).any(); }))
        wait();
      return;
    }
    const RecordDecl *Record = T->getAsRecordDecl();
    auto Field = Record->field_begin();
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record);
        Record->isUnion() || (Class && Class->getNumBases() > 0))
      return (void)childrenOf(*List);
    for (const Expr *E : List->inits()) {
      // What the member's declaration says is said of this object.
      const auto *Default = dyn_cast<CXXDefaultInitExpr>(E);
      const llvm::SaveAndRestore This(Top->This, Default ? P : Top->This);
      if (Default)
        E = Default->getExpr();
      if (Field->isBitField())
        (void)evaluate(E);
      else
        initialize(P.plus(Context.getFieldOffset(*Field) / 8), Field->getType(),
                   E);
      ++Field;
    }
    return;
  }
  if (const auto *Call = dyn_cast<CallExpr>(Init))
    return (void)evaluateCall(*Call, P);
  if (const auto *Cast = dyn_cast<CastExpr>(Init))
    return initialize(P, T, Cast->getSubExpr());
  if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(Init)) {
    initialize(P, T, Temporary->getSubExpr());
    return endSilently(*Temporary);
  }
  (void)evaluate(Init);
}

void ThreadRun::construct(PlaceInObject P, const CXXConstructExpr &Construct) {
  const CXXConstructorDecl *Constructor = Construct.getConstructor();
  if (Constructor->isCopyOrMoveConstructor() && Constructor->isTrivial()) {
    const Expr *From = Construct.getArg(0);
    return copy(P, place(From), Construct.getType(),
                *From->IgnoreParenImpCasts(), nullptr);
  }
  const FunctionDecl *Definition = nullptr;
  if (Constructor->isTrivial() || !Constructor->hasBody(Definition)) {
    if (!Constructor->isTrivial())
      wait();
    return;
  }
  Frame Callee(Definition);
  Callee.This = P;
  for (unsigned I = 0;
       I < Construct.getNumArgs() && I < Definition->getNumParams(); ++I) {
    const ParmVarDecl *Param = Definition->getParamDecl(I);
    Object *O = newObject();
    initialize({O, 0}, Param->getType(), Construct.getArg(I));
    Callee.Variables[Param] = O;
  }
  (void)run(Callee);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

Value ThreadRun::normalized(Value V, QualType T) const {
  if (!V.isInt() || !T->isIntegralOrEnumerationType())
    return V;
  if (T->isBooleanType())
    return Value::integer(V.Int != 0);
  unsigned Bits = Context.getIntWidth(T);
  if (Bits >= 64)
    return V;
  uint64_t Low = uint64_t(V.Int) & ((uint64_t(1) << Bits) - 1);
  return Value::integer(T->isSignedIntegerOrEnumerationType()
                            ? llvm::SignExtend64(Low, Bits)
                            : int64_t(Low));
}

Value ThreadRun::constant(const Expr &E) const {
  Expr::EvalResult Result;
  if (!E.isValueDependent() && E.getType()->isIntegralOrEnumerationType() &&
      E.EvaluateAsInt(Result, Context))
    return normalized(Value::integer(Result.Val.getInt().getExtValue()),
                      E.getType());
  return {};
}

/// Evaluates the parts of what is not modelled.
Value ThreadRun::childrenOf(const Stmt &S) {
  Value V;
  for (const Stmt *Child : S.children())
    if (const auto *E = dyn_cast_or_null<Expr>(Child))
      V = mix(V,
              E->isGLValue() ? (place(E), Value::unknown(true)) : evaluate(E));
  return V;
}

Value ThreadRun::index(llvm::StringRef Variable, char Member) const {
  if (Variable == "warpSize")
    return Value::integer(WarpLanes);
  if (Member < 'x' || Member > 'z')
    return {};
  unsigned Dim = Member - 'x';
  const LaunchShape &Shape = R.Grid.shape();
  return Value::integer(llvm::StringSwitch<unsigned>(Variable)
                            .Case("threadIdx", ThreadIndex[Dim])
                            .Case("blockIdx", BlockIndex[Dim])
                            .Case("blockDim", Shape.Block[Dim])
                            .Default(Shape.Grid[Dim]));
}

Value ThreadRun::evaluate(const Expr *E) {
  if (++R.Steps > MaxSteps)
    giveUp();
  if (Ended)
    return {};
  E = E->IgnoreParens();
  char Member = 0;
  if (isa<PseudoObjectExpr, MSPropertyRefExpr>(E))
    if (llvm::StringRef Variable = builtinIndexVariable(*E, Member);
        !Variable.empty())
      return index(Variable, Member);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(*Cast);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(*Op);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(*Op);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return evaluateChoice(*Choice);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(*Call, {});
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(Subst->getReplacement());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(Default->getExpr());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() ? evaluate(Opaque->getSourceExpr())
                                   : Value();
  if (isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr, DeclRefExpr,
          UnaryExprOrTypeTraitExpr, TypeTraitExpr, ImplicitValueInitExpr,
          CXXScalarValueInitExpr>(E))
    return constant(*E);
  if (isa<CXXThisExpr>(E))
    return Value::pointer(Top->This);
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (!E->getType()->isRecordType() && !E->getType()->isArrayType())
      return List->getNumInits() == 1 ? evaluate(List->getInit(0))
                                      : childrenOf(*List);
    initialize({newObject(), 0}, E->getType(), List);
    return {};
  }
  if (isa<AtomicExpr>(E)) {
    (void)childrenOf(*E);
    return Value::unknown(true);
  }
  if (isa<StmtExpr, LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXDefaultInitExpr,
          CXXInheritedCtorInitExpr>(E)) {
    wait();
    return {};
  }
  if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(E)) {
    initialize({newObject(), 0}, E->getType(), Temporary);
    return {};
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    construct({newObject(), 0}, *Construct);
    return {};
  }
  return childrenOf(*E);
}

Value ThreadRun::evaluateCast(const CastExpr &Cast) {
  const Expr *Sub = Cast.getSubExpr();
  char Member = 0;
  switch (Cast.getCastKind()) {
  case CK_LValueToRValue: {
    if (llvm::StringRef Variable = builtinIndexVariable(*Sub, Member);
        !Variable.empty())
      return index(Variable, Member);
    const auto *Ref = dyn_cast<DeclRefExpr>(Sub->IgnoreParens());
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (Var && (Var->isConstexpr() || Var->hasGlobalStorage()) &&
        Var->getType().isConstQualified())
      if (Value V = constant(*Sub); V.isInt())
        return V;
    PlaceInObject P = place(Sub);
    return load(P, Sub->getType(), *Sub->IgnoreParenImpCasts());
  }
  case CK_IntegralCast:
    return normalized(evaluate(Sub), Cast.getType());
  case CK_IntegralToBoolean: {
    Value V = evaluate(Sub);
    return V.isInt() ? Value::integer(V.Int != 0) : Value::unknown(V.Foreign);
  }
  case CK_ArrayToPointerDecay: {
    PlaceInObject P = place(Sub);
    LocalsExposed |= P.In && P.In->Space == Object::Local;
    return P.In ? Value::pointer(P) : Value::unknown(true);
  }
  case CK_NoOp:
  case CK_BitCast:
  case CK_AddressSpaceConversion:
    return evaluate(Sub);
  case CK_UncheckedDerivedToBase:
  case CK_DerivedToBase: {
    // Only a first base lies where the whole object does.
    Value V = evaluate(Sub);
    return Cast.path_size() == 1 ? Value::unknown(V.Foreign) : V;
  }
  default:
    return Sub->isGLValue() ? childrenOf(Cast) : mix(evaluate(Sub), {});
  }
}

Value ThreadRun::evaluateUnary(const UnaryOperator &Op) {
  const Expr *Sub = Op.getSubExpr();
  if (Op.getOpcode() == UO_AddrOf) {
    PlaceInObject P = place(Sub);
    LocalsExposed |= P.In && P.In->Space == Object::Local;
    return P.In ? Value::pointer(P) : Value::unknown(true);
  }
  if (Op.isIncrementDecrementOp()) {
    PlaceInObject P = place(Sub);
    QualType T = Sub->getType();
    Value Old = load(P, T, *Sub->IgnoreParens());
    int64_t Step = Op.isIncrementOp() ? 1 : -1;
    Value New = mix(Old, {});
    if (Old.isInt())
      New = normalized(Value::integer(Old.Int + Step), T);
    else if (Old.Kind == Value::Pointer)
      New = Value::pointer(Old.Target.plus(Step * sizeOf(T->getPointeeType())));
    store(P, T, Sub->IgnoreParens(), New);
    return Op.isPrefix() ? New : Old;
  }
  Value V = evaluate(Sub);
  if (!V.isInt())
    return mix(V, {});
  switch (Op.getOpcode()) {
  case UO_Plus:
    return V;
  case UO_Minus:
    return normalized(Value::integer(int64_t(0 - uint64_t(V.Int))),
                      Op.getType());
  case UO_Not:
    return normalized(Value::integer(~V.Int), Op.getType());
  case UO_LNot:
    return Value::integer(V.Int == 0);
  default:
    return {};
  }
}

Value ThreadRun::compute(BinaryOperatorKind Opcode, const Value &L,
                         const Value &R, QualType Operands,
                         QualType Result) const {
  if (!L.isInt() || !R.isInt() || !Operands->isIntegralOrEnumerationType())
    return mix(L, R);
  bool Signed = Operands->isSignedIntegerOrEnumerationType();
  int64_t A = L.Int, B = R.Int;
  uint64_t UA = A, UB = B;
  auto Finish = [&](uint64_t V) {
    return normalized(Value::integer(int64_t(V)), Result);
  };
  switch (Opcode) {
  case BO_Add:
    return Finish(UA + UB);
  case BO_Sub:
    return Finish(UA - UB);
  case BO_Mul:
    return Finish(UA * UB);
  case BO_Div:
  case BO_Rem:
    if (B == 0 || (Signed && A == INT64_MIN && B == -1))
      return {};
    if (Opcode == BO_Div)
      return Finish(Signed ? uint64_t(A / B) : UA / UB);
    return Finish(Signed ? uint64_t(A % B) : UA % UB);
  case BO_Shl:
    return B >= 0 && B < 64 ? Finish(UA << B) : Value();
  case BO_Shr:
    if (B < 0 || B >= 64)
      return {};
    return Finish(Signed ? uint64_t(A >> B) : UA >> B);
  case BO_And:
    return Finish(UA & UB);
  case BO_Or:
    return Finish(UA | UB);
  case BO_Xor:
    return Finish(UA ^ UB);
  case BO_LT:
    return Value::integer(Signed ? A < B : UA < UB);
  case BO_GT:
    return Value::integer(Signed ? A > B : UA > UB);
  case BO_LE:
    return Value::integer(Signed ? A <= B : UA <= UB);
  case BO_GE:
    return Value::integer(Signed ? A >= B : UA >= UB);
  case BO_EQ:
    return Value::integer(A == B);
  case BO_NE:
    return Value::integer(A != B);
  default:
    return {};
  }
}

Value ThreadRun::computePointer(BinaryOperatorKind Opcode, const Value &L,
                                const Value &R,
                                const BinaryOperator &Op) const {
  bool Left = L.Kind == Value::Pointer;
  const Value &Base = Left ? L : R, &Other = Left ? R : L;
  QualType Type = (Left ? Op.getLHS() : Op.getRHS())->getType();
  if (Op.isAdditiveOp() || Op.isCompoundAssignmentOp()) {
    if (Other.Kind == Value::Pointer || !Type->isPointerType())
      return mix(L, R);
    std::optional<int64_t> Bytes;
    if (Other.isInt())
      Bytes = (Opcode == BO_Sub ? -1 : 1) * Other.Int *
              sizeOf(Type->getPointeeType());
    return Value::pointer(Base.Target.plus(Bytes));
  }
  if (L.Kind == R.Kind && L.Target.In == R.Target.In && L.Target.Offset &&
      R.Target.Offset && Op.isComparisonOp())
    return compute(Opcode, Value::integer(*L.Target.Offset),
                   Value::integer(*R.Target.Offset), Context.LongLongTy,
                   Context.BoolTy);
  return mix(L, R);
}

Value ThreadRun::evaluateBinary(const BinaryOperator &Op) {
  const Expr *Left = Op.getLHS(), *Right = Op.getRHS();
  if (Op.isLogicalOp())
    return evaluateLogical(Op);
  if (Op.isCommaOp()) {
    (void)(Left->isGLValue() ? (place(Left), Value()) : evaluate(Left));
    return evaluate(Right);
  }
  if (Op.isPtrMemOp())
    return childrenOf(Op);
  if (Op.getOpcode() == BO_Assign) {
    Value V = evaluate(Right);
    store(place(Left), Left->getType(), Left->IgnoreParens(), V);
    return V;
  }
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(&Op)) {
    BinaryOperatorKind Opcode =
        BinaryOperator::getOpForCompoundAssignment(Op.getOpcode());
    Value V = evaluate(Right);
    PlaceInObject P = place(Left);
    Value Old = load(P, Left->getType(), *Left->IgnoreParens());
    QualType Type = Compound->getComputationLHSType();
    Value New = Old.Kind == Value::Pointer
                    ? computePointer(Opcode, Old, V, Op)
                    : compute(Opcode, normalized(Old, Type), V, Type,
                              Compound->getComputationResultType());
    New = normalized(New, Left->getType());
    store(P, Left->getType(), Left->IgnoreParens(), New);
    return New;
  }
  Value L = evaluate(Left), V = evaluate(Right);
  if (L.Kind == Value::Pointer || V.Kind == Value::Pointer)
    return computePointer(Op.getOpcode(), L, V, Op);
  return compute(Op.getOpcode(), L, V, Left->getType(), Op.getType());
}

Value ThreadRun::evaluateLogical(const BinaryOperator &Op) {
  bool IsAnd = Op.getOpcode() == BO_LAnd;
  Value L = evaluate(Op.getLHS());
  if (L.isInt()) {
    if ((L.Int != 0) != IsAnd)
      return Value::integer(!IsAnd);
    Value V = evaluate(Op.getRHS());
    return V.isInt() ? Value::integer(V.Int != 0) : V;
  }
  unsurely(L, {Op.getRHS()});
  return L;
}

Value ThreadRun::evaluateChoice(const ConditionalOperator &Choice) {
  Value C = evaluate(Choice.getCond());
  if (C.isInt())
    return evaluate(C.Int ? Choice.getTrueExpr() : Choice.getFalseExpr());
  unsurely(C, {Choice.getTrueExpr(), Choice.getFalseExpr()});
  return Value::unknown(true);
}

PlaceInObject ThreadRun::placeOfVariable(const VarDecl &Var) {
  if (Var.hasGlobalStorage()) {
    HostValue Root{Var.getCanonicalDecl(), 0};
    if (Var.hasAttr<CUDASharedAttr>())
      return {&SharedMemory, std::nullopt};
    if (Var.hasAttr<CUDAConstantAttr>())
      return {newObject(Root), 0};
    return {R.global(Root, true), 0};
  }
  Object *&O = Top->Variables[&Var];
  if (!O)
    O = newObject();
  return {O, 0};
}

PlaceInObject ThreadRun::place(const Expr *E) {
  if (++R.Steps > MaxSteps)
    giveUp();
  if (Ended)
    return {};
  E = E->IgnoreParens();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return {};
    PlaceInObject P = placeOfVariable(*Var);
    if (!Var->getType()->isReferenceType())
      return P;
    Value V = load(P, Context.VoidPtrTy, *E);
    return V.Kind == Value::Pointer ? V.Target : PlaceInObject();
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    Value Base = evaluate(Subscript->getBase());
    Value Index = evaluate(Subscript->getIdx());
    if (Base.Kind != Value::Pointer)
      return {};
    std::optional<int64_t> Bytes;
    if (Index.isInt())
      Bytes = Index.Int * sizeOf(Subscript->getType());
    return Base.Target.plus(Bytes);
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    if (const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl()))
      return placeOfVariable(*Static);
    PlaceInObject P;
    if (!Member->isArrow())
      P = place(Member->getBase());
    else if (Value V = evaluate(Member->getBase()); V.Kind == Value::Pointer)
      P = V.Target;
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->isBitField() || !P.In)
      return {};
    P = P.plus(Context.getFieldOffset(Field) / 8);
    if (!Field->getType()->isReferenceType())
      return P;
    Value V = load(P, Context.VoidPtrTy, *E);
    return V.Kind == Value::Pointer ? V.Target : PlaceInObject();
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref) {
      Value V = evaluate(Op->getSubExpr());
      return V.Kind == Value::Pointer ? V.Target : PlaceInObject();
    }
    (void)evaluate(Op);
    return place(Op->getSubExpr());
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    (void)evaluate(Op->isCommaOp() ? Op->getLHS() : Op);
    return place(Op->isCommaOp() ? Op->getRHS() : Op->getLHS());
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    if (Cast->getSubExpr()->isGLValue() && Cast->path_empty())
      return place(Cast->getSubExpr());
    (void)childrenOf(*Cast);
    return {};
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return place(Full->getSubExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
    PlaceInObject P{newObject(), 0};
    initialize(P, Temporary->getType(), Temporary->getSubExpr());
    return P;
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Value C = evaluate(Choice->getCond());
    if (C.isInt())
      return place(C.Int ? Choice->getTrueExpr() : Choice->getFalseExpr());
    unsurely(C, {Choice->getTrueExpr(), Choice->getFalseExpr()});
    return {};
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Value V = evaluateCall(*Call, {});
    return V.Kind == Value::Pointer ? V.Target : PlaceInObject();
  }
  (void)childrenOf(*E);
  return {};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value ThreadRun::evaluateCall(const CallExpr &Call, PlaceInObject Destination) {
  CallKind Kind = classifyCall(Call, SM);
  switch (Kind) {
  case CallKind::Visible:
    return callVisible(Call, Destination);
  case CallKind::Assignment: {
    const Expr *To = Call.getArg(0), *From = Call.getArg(1);
    PlaceInObject Source = place(From), Target = place(To);
    copy(Target, Source, To->getType(), *From->IgnoreParenImpCasts(),
         To->IgnoreParens());
    return Target.In ? Value::pointer(Target) : Value::unknown(true);
  }
  case CallKind::Load:
  case CallKind::Store: {
    Value P = Call.getNumArgs() ? evaluate(Call.getArg(0)) : Value();
    Value V = Call.getNumArgs() > 1 ? evaluate(Call.getArg(1)) : Value();
    if (P.Kind != Value::Pointer || !Call.getArg(0)->getType()->isPointerType())
      return Value::unknown(true);
    QualType T = Call.getArg(0)->getType()->getPointeeType();
    if (Kind == CallKind::Load)
      return load(P.Target, T, Call);
    store(P.Target, T, &Call, V);
    return V;
  }
  default:
    break;
  }
  if (Kind == CallKind::Pure)
    return callOfValues(Call);
  if (Kind == CallKind::ThreadIndex)
    return callOfGroup(Call);
  for (const Expr *Arg : Call.arguments())
    (void)(Arg->isGLValue() ? (place(Arg), Value()) : evaluate(Arg));
  switch (Kind) {
  case CallKind::BlockBarrier:
    ++Now.Interval;
    return Value::unknown(true);
  case CallKind::GridBarrier:
    if (!isSure())
      wait();
    ++Now.Interval;
    ++Now.Epoch;
    return {};
  case CallKind::Fence:
    if (isFenceCall(Call, SM))
      fence(Call);
    return {};
  case CallKind::NamedBarrier:
  case CallKind::Unknown:
    wait();
    return {};
  case CallKind::Trap:
    if (isSure())
      Ended = true;
    return {};
  case CallKind::Clock:
  case CallKind::WarpSync:
  case CallKind::Print:
  case CallKind::UniformIndex:
    return {};
  default:
    return Value::unknown(true);
  }
}

/// The few library functions of values that indices are made of.
Value ThreadRun::callOfValues(const CallExpr &Call) {
  llvm::SmallVector<Value, 2> Args;
  Value Unknown;
  for (const Expr *Arg : Call.arguments()) {
    Args.push_back(evaluate(Arg));
    Unknown = mix(Unknown, Args.back());
  }
  if (!Call.getType()->isIntegralOrEnumerationType() ||
      !llvm::all_of(Args, [](const Value &V) { return V.isInt(); }))
    return Unknown;
  llvm::StringRef Name = nameOf(Call);
  if (Args.size() == 1 && (Name == "abs" || Name == "labs" || Name == "llabs"))
    return Value::integer(Args[0].Int < 0 ? -Args[0].Int : Args[0].Int);
  bool IsMin = llvm::StringSwitch<bool>(Name)
                   .Cases({"min", "umin", "llmin", "ullmin"}, true)
                   .Default(false);
  bool IsMax = llvm::StringSwitch<bool>(Name)
                   .Cases({"max", "umax", "llmax", "ullmax"}, true)
                   .Default(false);
  if (Args.size() != 2 || (!IsMin && !IsMax))
    return Unknown;
  Value Less = compute(BO_LT, Args[0], Args[1], Call.getType(), Context.BoolTy);
  return (Less.Int != 0) == IsMin ? Args[0] : Args[1];
}

/// Ranks in cooperative groups.
Value ThreadRun::callOfGroup(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  if (!Member || nameOf(Call) != "thread_rank")
    return Value::unknown(true);
  const LaunchShape &Shape = R.Grid.shape();
  auto Rank = [](const auto &Index, const auto &Extent) {
    return Index[0] + Extent[0] * (Index[1] + Extent[1] * Index[2]);
  };
  llvm::StringRef Group = Member->getRecordDecl()->getName();
  unsigned Thread = Rank(ThreadIndex, Shape.Block);
  if (Group == "thread_block")
    return Value::integer(Thread);
  if (Group == "grid_group")
    return Value::integer(Rank(BlockIndex, Shape.Grid) * Shape.threads() +
                          Thread);
  return Value::unknown(true);
}

Value ThreadRun::callVisible(const CallExpr &Call, PlaceInObject Destination) {
  const FunctionDecl *Callee = calleeDefinition(Call);
  Frame F(Callee);
  F.Destination = Destination;
  llvm::ArrayRef<const Expr *> Args(Call.getArgs(), Call.getNumArgs());
  if (const auto *Method = dyn_cast<CXXMemberCallExpr>(&Call)) {
    const Expr *Self = Method->getImplicitObjectArgument();
    if (Self->isGLValue())
      F.This = place(Self);
    else if (Value V = evaluate(Self); V.Kind == Value::Pointer)
      F.This = V.Target;
  } else if (isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee)) {
    F.This = place(Args.front());
    Args = Args.drop_front();
  }
  for (const auto &[Param, Arg] : llvm::zip(Callee->parameters(), Args)) {
    Object *O = newObject();
    initialize({O, 0}, Param->getType(), Arg);
    F.Variables[Param] = O;
  }
  return run(F);
}

Value ThreadRun::run(Frame &Callee) {
  if (Depth == MaxDepth)
    giveUp();
  if (Ended)
    return {};
  ++Depth;
  llvm::SaveAndRestore SaveTop(Top, &Callee);
  llvm::SaveAndRestore SaveLoop(LoopUnsure, static_cast<unsigned *>(nullptr));
  llvm::SaveAndRestore SaveBreak(BreakUnsure, static_cast<unsigned *>(nullptr));
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Callee.Function))
    for (const CXXCtorInitializer *Init : Constructor->inits()) {
      const auto *Default = dyn_cast<CXXDefaultInitExpr>(Init->getInit());
      if (Init->isAnyMemberInitializer() && Callee.This.In)
        initialize(
            Callee.This.plus(Context.getFieldOffset(Init->getAnyMember()) / 8),
            Init->getAnyMember()->getType(),
            Default ? Default->getExpr() : Init->getInit());
      else
        giveUp();
    }
  execute(Callee.Function->getBody());
  Doubts -= Callee.Unsure;
  --Depth;
  return Callee.Unsure ? Value::unknown(true) : Callee.Result;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void ThreadRun::declare(const DeclStmt &Decl) {
  for (const clang::Decl *D : Decl.decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || Var->hasGlobalStorage())
      continue;
    Object *O = newObject();
    Top->Variables[Var] = O;
    if (isa<DecompositionDecl>(Var))
      return giveUp();
    if (Var->getInit())
      initialize({O, 0}, Var->getType(), Var->getInit());
  }
  endSilently(Decl);
}

ThreadRun::Flow ThreadRun::execute(const Stmt *S) {
  if (!S || Ended)
    return Flow::Next;
  if (++R.Steps > MaxSteps) {
    giveUp();
    return Flow::Return;
  }
  if (const auto *E = dyn_cast<Expr>(S)) {
    if (E->isGLValue() && !isa<CallExpr, BinaryOperator, UnaryOperator>(E))
      (void)place(E);
    else
      (void)evaluate(E);
    return Flow::Next;
  }
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : Block->body())
      if (Flow F = execute(Child); F != Flow::Next || Ended)
        return F;
    return Flow::Next;
  }
  if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
    declare(*Decl);
    return Flow::Next;
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    return executeIf(*If);
  if (isLoop(*S))
    return executeLoop(*S);
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return executeSwitch(*Switch);
  if (const auto *Case = dyn_cast<SwitchCase>(S))
    return execute(Case->getSubStmt());
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return execute(Attributed->getSubStmt());
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return execute(Label->getSubStmt());
  if (isa<BreakStmt>(S))
    return Flow::Break;
  if (isa<ContinueStmt>(S))
    return Flow::Continue;
  if (const auto *Asm = dyn_cast<AsmStmt>(S))
    return executeAsm(*Asm);
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    const Expr *Result = Return->getRetValue();
    if (Result && Result->isGLValue())
      Top->Result = Value::pointer(place(Result));
    else if (Result && Result->getType()->isRecordType())
      initialize(Top->Destination.In ? Top->Destination
                                     : PlaceInObject{newObject(), 0},
                 Result->getType(), Result);
    else if (Result)
      Top->Result = evaluate(Result);
    if (Top->Result.Kind == Value::Pointer && !Top->Result.Target.In)
      Top->Result = Value::unknown(true);
    return Flow::Return;
  }
  if (!isa<NullStmt>(S))
    giveUp();
  return Flow::Next;
}

/// Runs all of \p Arms as what may happen or not, because \p Why is unknown.
ThreadRun::Flow ThreadRun::unsurely(const Value &Why,
                                    llvm::ArrayRef<const Stmt *> Arms) {
  if (Why.Foreign && R.Grid.hasSignals()) {
    wait();
    return Flow::Return;
  }
  ++Doubts;
  ForeignDoubts += Why.Foreign;
  for (const Stmt *Arm : Arms) {
    unsigned *Unsure = nullptr;
    switch (execute(Arm)) {
    case Flow::Next:
      continue;
    case Flow::Break:
      Unsure = BreakUnsure;
      break;
    case Flow::Continue:
      Unsure = LoopUnsure;
      break;
    case Flow::Return:
      Unsure = &Top->Unsure;
      break;
    }
    // A loop that another thread's doing ends is a wait.
    if (Why.Foreign && LoopUnsure)
      wait();
    if (!Unsure)
      continue;
    ++*Unsure;
    ++Doubts;
  }
  --Doubts;
  ForeignDoubts -= Why.Foreign;
  return Flow::Next;
}

/// Ends a loop or switch, which the thread may have left before under \p Unsure
/// conditions.
ThreadRun::Flow ThreadRun::leave(Flow Last, unsigned Unsure) {
  Doubts -= Unsure;
  if (Last == Flow::Break)
    return Flow::Next;
  if (Last == Flow::Return && Unsure) {
    ++Top->Unsure;
    ++Doubts;
    return Flow::Next;
  }
  return Last;
}

ThreadRun::Flow ThreadRun::executeIf(const IfStmt &If) {
  if (If.isConsteval()) {
    giveUp();
    return Flow::Return;
  }
  execute(If.getInit());
  execute(If.getConditionVariableDeclStmt());
  Value C = evaluate(If.getCond());
  if (Ended)
    return Flow::Return;
  if (C.isInt())
    return execute(C.Int ? If.getThen() : If.getElse());
  return unsurely(C, {If.getThen(), If.getElse()});
}

ThreadRun::Flow ThreadRun::executeLoop(const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  if (isa<CXXForRangeStmt>(Loop)) {
    giveUp();
    return Flow::Return;
  }
  if (For)
    execute(For->getInit());
  unsigned Unsure = 0;
  llvm::SaveAndRestore SaveLoop(LoopUnsure, &Unsure);
  llvm::SaveAndRestore SaveBreak(BreakUnsure, &Unsure);
  Flow Result = Flow::Next;
  bool First = true;
  while (!Ended) {
    const Expr *Condition = conditionOf(Loop);
    Value C = Value::integer(1);
    if (For)
      execute(For->getConditionVariableDeclStmt());
    if (const auto *While = dyn_cast<WhileStmt>(&Loop))
      execute(While->getConditionVariableDeclStmt());
    if (Condition && !(isa<DoStmt>(Loop) && First))
      C = evaluate(Condition);
    if (C.isInt() && !C.Int)
      break;
    if (!C.isInt() && C.Foreign) {
      wait();
      break;
    }
    // Another round of what may or may not happen would tell nothing new.
    bool Last = !C.isInt() || !isSure();
    if (!C.isInt()) {
      ++Doubts;
      ++Unsure;
    }
    Flow F = execute(bodyOf(Loop));
    if (F == Flow::Return) {
      Result = F;
      break;
    }
    if (F == Flow::Break)
      break;
    if (For && For->getInc())
      (void)execute(For->getInc());
    if (Last)
      break;
    First = false;
  }
  return leave(Result, Unsure);
}

ThreadRun::Flow ThreadRun::executeSwitch(const SwitchStmt &Switch) {
  execute(Switch.getInit());
  execute(Switch.getConditionVariableDeclStmt());
  Value C = evaluate(Switch.getCond());
  const auto *Body = dyn_cast<CompoundStmt>(Switch.getBody());
  if (!Body || Ended) {
    if (!Body)
      giveUp();
    return Flow::Return;
  }
  unsigned Unsure = 0;
  llvm::SaveAndRestore SaveBreak(BreakUnsure, &Unsure);
  if (!C.isInt())
    return leave(unsurely(C, llvm::SmallVector<const Stmt *, 8>(
                                 Body->body_begin(), Body->body_end())),
                 Unsure);
  unsigned Labels = 0, All = 0;
  const Stmt *Start = nullptr, *Default = nullptr;
  for (const Stmt *Child : Body->body())
    for (const auto *Label = dyn_cast<SwitchCase>(Child); Label;
         Label = dyn_cast<SwitchCase>(Label->getSubStmt())) {
      ++Labels;
      const auto *Case = dyn_cast<CaseStmt>(Label);
      if (!Case)
        Default = Child;
      else if (Case->caseStmtIsGNURange())
        giveUp();
      else if (constant(*Case->getLHS()).Int == C.Int)
        Start = Child;
    }
  for (const SwitchCase *Label = Switch.getSwitchCaseList(); Label;
       Label = Label->getNextSwitchCase())
    ++All;
  if (Labels != All) // some stand deeper in the body
    giveUp();
  Start = Start ? Start : Default;
  bool Entered = false;
  for (const Stmt *Child : Body->body()) {
    Entered |= Child == Start;
    if (Flow F = Entered ? execute(Child) : Flow::Next;
        F != Flow::Next || Ended)
      return leave(F, Unsure);
  }
  return leave(Flow::Next, Unsure);
}

ThreadRun::Flow ThreadRun::executeAsm(const AsmStmt &Asm) {
  if (isFenceAsm(Asm))
    fence(Asm);
  else if (!isPlainAsm(Asm))
    wait();
  else
    for (unsigned I = 0; I < Asm.getNumOutputs(); ++I) {
      const Expr *Output = cast<GCCAsmStmt>(Asm).getOutputExpr(I);
      store(place(Output), Output->getType(), nullptr, Value::unknown(true));
    }
  return Flow::Next;
}

/// Cuts the traces of a block where a thread of it may have waited: after the
/// next block barrier, its wait is everybody's; in its warp, at once.
void spreadWaits(llvm::MutableArrayRef<ThreadTrace> Block) {
  std::vector<std::pair<size_t, Moment>> Waits;
  for (const auto &[Thread, Trace] : llvm::enumerate(Block))
    if (Trace.Waited)
      Waits.push_back({Thread, *Trace.Waited});
  for (const auto &[Thread, Trace] : llvm::enumerate(Block)) {
    unsigned End = UINT_MAX; // The first interval that does not count.
    for (const auto &[Waiter, When] : Waits) {
      bool SameWarp = Waiter / WarpLanes == Thread / WarpLanes;
      if (Waiter != Thread)
        End = std::min(End, When.Interval + !SameWarp);
    }
    auto IsAfter = [End](const auto &Event) {
      return Event.When.Interval >= End;
    };
    llvm::erase_if(Trace.Accesses, IsAfter);
    llvm::erase_if(Trace.Fences, IsAfter);
  }
}

/// Calls \p Do for all indices below \p Extent, x fastest.
template <typename Fn>
void forEachIndex(const std::array<unsigned, 3> &Extent, Fn Do) {
  for (unsigned Z = 0; Z < Extent[2]; ++Z)
    for (unsigned Y = 0; Y < Extent[1]; ++Y)
      for (unsigned X = 0; X < Extent[0]; ++X)
        Do(std::array<unsigned, 3>{X, Y, Z});
}

} // namespace

bool isGridFence(const Stmt &S, const SourceManager &SM) {
  if (const auto *Asm = dyn_cast<AsmStmt>(&S))
    return isFenceAsm(*Asm);
  const auto *Call = dyn_cast<CallExpr>(&S);
  return Call && isFenceCall(*Call, SM);
}

SmallGrid::SmallGrid(const KernelEffects &Effects, const LaunchShape &Shape)
    : Effects(Effects), Shape(Shape), HasSignals(findSignals(Effects)) {}

bool SmallGrid::mayChange(const Expr &Access, const FunctionDecl &Function) {
  auto [It, New] = Changeable.try_emplace(&Access, true);
  if (New)
    It->second = Effects.mayWrite(Access, Access.getType(), Function).isValid();
  return It->second;
}

std::optional<std::vector<ThreadTrace>> SmallGrid::run(ScalarChoice Choose) {
  Run R{*this, Choose, Effects.Kernel->getASTContext(), Steps};
  std::vector<ThreadTrace> Traces;
  forEachIndex(Shape.Grid, [&](const auto &Block) {
    size_t First = Traces.size();
    forEachIndex(Shape.Block, [&](const auto &Thread) {
      if (!R.GaveUp)
        Traces.push_back(ThreadRun(R, Block, Thread).run());
    });
    spreadWaits(llvm::MutableArrayRef(Traces).drop_front(First));
  });
  if (R.GaveUp)
    return std::nullopt;
  return Traces;
}

} // namespace barricade::fence_as_barrier

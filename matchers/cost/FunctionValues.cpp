// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/FunctionValues.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/Definitions.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/Names.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace barricade;

/// Elements that fill a sector of global memory (32 bytes) even where they are
/// 4 bytes wide: threads that share `threadIdx.x / 8` read whole sectors.
static constexpr int64_t SectorElements = 8;

/// Calls within calls that are followed to get at a value.
static constexpr unsigned MaxCallDepth = 4;

static bool isIntegerOrPointer(QualType T) {
  return !T->isDependentType() &&
         (T->isIntegralOrEnumerationType() || T->isPointerType());
}

static bool isNarrowUnsigned(QualType T, const ASTContext &Ctx) {
  return T->isUnsignedIntegerType() && Ctx.getTypeSize(T) <= 32;
}

static bool isThreadDependent(const Symbol &S) { return S.ThreadDependent; }

/// The expression that a call to \p Callee stands for, if its body is one
/// return statement.
static const Expr *returnedExpr(const FunctionDecl *Callee) {
  const auto *Body =
      Callee ? dyn_cast_or_null<CompoundStmt>(Callee->getBody()) : nullptr;
  if (!Body || Body->size() != 1)
    return nullptr;
  const auto *Return = dyn_cast<ReturnStmt>(Body->body_front());
  return Return ? Return->getRetValue() : nullptr;
}

class FunctionValues::Impl {
public:
  Impl(const FunctionDecl &F, ASTContext &Ctx, unsigned CallDepth = 0)
      : Ctx(Ctx), Defs(F.getBody(), Ctx), Function(F), CallDepth(CallDepth) {}

  AffineForm evaluate(const Expr *E);
  AffineForm addressOf(const Expr *E);
  std::optional<AffineForm> change(const AffineForm &Form,
                                   const LoopScope &Loop);
  std::optional<AffineForm> tripCount(const LoopScope &Loop);

  ASTContext &Ctx;
  Definitions Defs;
  /// The innermost loop in which an opaque symbol's value varies.
  llvm::DenseMap<const void *, const LoopScope *> OpaqueLoops;
  /// The innermost loop in which an opaque expression stands.
  llvm::DenseMap<const void *, const LoopScope *> OpaqueHomes;
  struct InductionInfo {
    const LoopScope *Loop;
    AffineForm Start, Step;
  };
  llvm::DenseMap<const void *, InductionInfo> Inductions;

private:
  llvm::StringRef indexVariable(const Expr &E, char &Member);
  AffineForm evaluateVariable(const VarDecl &V, ProgramPoint Use);
  AffineForm reachingValue(const VarDecl &V, ProgramPoint Use);
  AffineForm evaluateReference(const DeclRefExpr &Ref);
  AffineForm evaluateBinary(const BinaryOperator &Op);
  AffineForm evaluateUnary(const UnaryOperator &Op);
  AffineForm evaluateCall(const CallExpr &Call, bool Address);
  AffineForm evaluateCast(const CastExpr &Cast);
  AffineForm evaluateDivision(const Expr &E, const AffineForm &Value,
                              int64_t Divisor, bool Remainder);
  std::optional<AffineForm> stepOf(const Definition &D);
  AffineForm stepped(const VarDecl &V, AffineForm Start, const LoopScope *Entry,
                     llvm::ArrayRef<const Definition *> Steps,
                     ProgramPoint Use);
  std::optional<AffineForm> progress(const Definition &D,
                                     const LoopScope *Entry, ProgramPoint Use);
  AffineForm iterationOf(const LoopScope &Loop, const Definition &By);
  const Definition *counterOf(const LoopScope &Loop, AffineForm &Start);
  AffineForm leaf(const VarDecl &V);
  AffineForm opaque(const Expr *E, bool IsAddress = false);
  AffineForm opaque(const VarDecl &V, const LoopScope *Scope);
  Symbol induction(const Definition &D, std::string Name, AffineForm Start,
                   AffineForm Step);
  using VisitedVariables = llvm::SmallPtrSet<const VarDecl *, 8>;
  bool isTainted(const Stmt *S, VisitedVariables &Visited);
  bool isTainted(const Stmt *S) {
    VisitedVariables Visited;
    return isTainted(S, Visited);
  }
  bool varies(const Stmt *S, const LoopScope &Loop);
  const LoopScope *innermostVarying(const Stmt *S, const LoopScope *From);
  const LoopScope *scopeOfUse(const Stmt *S) const;
  int64_t sizeOf(QualType T) const;
  const void *intern(const Decl *D, const Decl *Part);

  const FunctionDecl &Function;
  std::optional<facts::VariableFacts> Facts; ///< Once they were asked for.
  const unsigned CallDepth;
  llvm::SmallPtrSet<const void *, 8> InProgress;
  /// Forms by variable, loop of the use, and number of definitions before it.
  std::map<std::tuple<const VarDecl *, const LoopScope *, size_t>, AffineForm>
      Cache;
  llvm::DenseMap<const FunctionDecl *, std::unique_ptr<Impl>> Callees;
  std::map<std::pair<const Decl *, const Decl *>, char> Interned;
  std::map<std::pair<const VarDecl *, const LoopScope *>, char> OpaqueVariables;
  std::map<std::pair<AffineForm, int64_t>, char> Quotients;
};

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

const void *FunctionValues::Impl::intern(const Decl *D, const Decl *Part) {
  return &Interned[{D, Part}];
}

AffineForm FunctionValues::Impl::leaf(const VarDecl &V) {
  Symbol S;
  S.Kind = V.getType()->isPointerType() || V.getType()->isArrayType() ||
                   V.getType()->isReferenceType()
               ? Symbol::Pointer
               : Symbol::Uniform;
  S.Key = &V;
  S.Name = V.getNameAsString();
  return S;
}

/// The loop in which \p S stands, found by the first variable it names.
const LoopScope *FunctionValues::Impl::scopeOfUse(const Stmt *S) const {
  if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S))
    if (const LoopScope *Scope = Defs.pointOf(Ref).Scope)
      return Scope;
  if (S)
    for (const Stmt *Child : S->children())
      if (const LoopScope *Scope = scopeOfUse(Child))
        return Scope;
  return nullptr;
}

/// Whether \p S reads a variable that \p Loop changes, or calls what is not a
/// function of its arguments alone. Memory is taken to keep its contents.
bool FunctionValues::Impl::varies(const Stmt *S, const LoopScope &Loop) {
  if (!S)
    return false;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
    if (const auto *V = dyn_cast<VarDecl>(Ref->getDecl()))
      return Loop.contains(Defs.declarationScope(V)) ||
             llvm::any_of(Defs.of(V), [&](const Definition &D) {
               return Loop.contains(D.At.Scope);
             });
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    CallKind Kind = classifyCall(*Call, Ctx.getSourceManager());
    if (Kind != CallKind::Pure && Kind != CallKind::Load &&
        Kind != CallKind::Visible && Kind != CallKind::ThreadIndex &&
        Kind != CallKind::UniformIndex)
      return true;
  }
  return llvm::any_of(S->children(),
                      [&](const Stmt *C) { return varies(C, Loop); });
}

const LoopScope *FunctionValues::Impl::innermostVarying(const Stmt *S,
                                                        const LoopScope *From) {
  while (From && !varies(S, *From))
    From = From->Parent;
  return From;
}

/// Whether neighbouring threads may see different values of \p S. A load has
/// the thread dependence of its address: what locality asks for, not a proof.
bool FunctionValues::Impl::isTainted(const Stmt *S, VisitedVariables &Visited) {
  if (!S)
    return false;
  const auto *E = dyn_cast<Expr>(S);
  char Member = 0;
  if (E)
    if (llvm::StringRef Name = indexVariable(*E, Member); !Name.empty())
      return Name == "threadIdx";
  if (const auto *Call = dyn_cast<CallExpr>(S))
    switch (classifyCall(*Call, Ctx.getSourceManager())) {
    case CallKind::ThreadIndex:
    case CallKind::Exchange:
    case CallKind::Atomic:
    case CallKind::Clock:
    case CallKind::Unknown:
      return true;
    default:
      break;
    }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    // Any definition may reach the use; which one does is not asked.
    return V && Visited.insert(V).second &&
           llvm::any_of(Defs.of(V), [&](const Definition &D) {
             return isTainted(D.Value, Visited);
           });
  }
  return llvm::any_of(S->children(),
                      [&](const Stmt *C) { return isTainted(C, Visited); });
}

AffineForm FunctionValues::Impl::opaque(const Expr *E, bool IsAddress) {
  Symbol S;
  S.Kind = IsAddress || E->getType()->isPointerType() ? Symbol::Pointer
                                                      : Symbol::Opaque;
  S.ThreadDependent = isTainted(E);
  S.Key = E;
  llvm::raw_string_ostream Out(S.Name);
  PrintingPolicy Policy(Ctx.getLangOpts());
  E->printPretty(Out, nullptr, Policy);
  if (isa<BinaryOperator, ConditionalOperator>(E->IgnoreParenImpCasts()))
    S.Name = "(" + S.Name + ")";
  OpaqueHomes[E] = scopeOfUse(E);
  OpaqueLoops[E] = innermostVarying(E, OpaqueHomes[E]);
  return S;
}

AffineForm FunctionValues::Impl::opaque(const VarDecl &V,
                                        const LoopScope *Scope) {
  auto Changes = [&](const LoopScope *L) {
    return llvm::any_of(Defs.of(&V), [&](const Definition &D) {
      return L->contains(D.At.Scope);
    });
  };
  while (Scope && !Changes(Scope))
    Scope = Scope->Parent;
  Symbol S;
  S.Kind = V.getType()->isPointerType() ? Symbol::Pointer : Symbol::Opaque;
  // What one loop makes of it is not what another one does.
  S.Key = &OpaqueVariables[{&V, Scope}];
  S.Name = V.getNameAsString();
  S.ThreadDependent = llvm::any_of(
      Defs.of(&V), [&](const Definition &D) { return isTainted(D.Value); });
  OpaqueLoops[S.Key] = Scope;
  return S;
}

Symbol FunctionValues::Impl::induction(const Definition &D, std::string Name,
                                       AffineForm Start, AffineForm Step) {
  Symbol S;
  S.Kind = Symbol::Induction;
  S.Key = D.Where;
  S.Name = std::move(Name);
  Inductions[S.Key] = {D.At.Scope, std::move(Start), std::move(Step)};
  return S;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

int64_t FunctionValues::Impl::sizeOf(QualType T) const {
  if (T->isVoidType() || T->isFunctionType())
    return 1; // as in GNU C, which Clang follows
  if (T->isDependentType() || T->isIncompleteType())
    return 0;
  return Ctx.getTypeSizeInChars(T).getQuantity();
}

AffineForm FunctionValues::Impl::evaluateReference(const DeclRefExpr &Ref) {
  if (const auto *Constant = dyn_cast<EnumConstantDecl>(Ref.getDecl()))
    return Constant->getInitVal().trySExtValue().value_or(0);
  const auto *V = dyn_cast<VarDecl>(Ref.getDecl());
  if (!V)
    return opaque(&Ref);
  if (V->hasGlobalStorage() && V->isUsableInConstantExpressions(Ctx)) {
    if (const auto Known = facts::integerOf(Ref, Ctx))
      if (auto Value = Known->trySExtValue())
        return *Value;
  }
  if (V->getType()->isReferenceType() && !isa<ParmVarDecl>(V))
    return opaque(&Ref);
  return evaluateVariable(*V, Defs.pointOf(&Ref));
}

AffineForm FunctionValues::Impl::evaluateDivision(const Expr &E,
                                                  const AffineForm &Value,
                                                  int64_t Divisor,
                                                  bool Remainder) {
  if (Divisor <= 0)
    return opaque(&E);
  if (auto Constant = Value.asConstant())
    return Remainder ? *Constant % Divisor : *Constant / Divisor;
  if (auto Exact = Value.dividedBy(Divisor))
    return Remainder ? AffineForm(0) : *Exact;
  // Only where threads are split into groups does the rest matter: `tid % 32`.
  bool SplitsThreads =
      Value.any([](const Symbol &S) { return S.Kind == Symbol::ThreadIdx; });
  if (!SplitsThreads || Value.any([](const Symbol &S) {
        return S.Kind == Symbol::Induction || S.Kind == Symbol::Opaque;
      }))
    return opaque(&E);
  Symbol S;
  S.Kind = Symbol::Opaque;
  S.Key = &Quotients[{Value, Divisor}];
  S.ThreadDependent = Divisor < SectorElements;
  std::string Text = Value.str();
  S.Name = (Text.find(' ') == std::string::npos ? Text : "(" + Text + ")") +
           "/" + std::to_string(Divisor);
  S.Name = "(" + S.Name + ")";
  OpaqueLoops[S.Key] = nullptr;
  return Remainder ? Value - AffineForm(S) * AffineForm(Divisor)
                   : AffineForm(S);
}

AffineForm FunctionValues::Impl::evaluateBinary(const BinaryOperator &Op) {
  if (Op.isCommaOp() || Op.getOpcode() == BO_Assign)
    return evaluate(Op.getRHS());
  if (!Op.isAdditiveOp() && !Op.isMultiplicativeOp() && !Op.isShiftOp() &&
      Op.getOpcode() != BO_And)
    return opaque(&Op);
  AffineForm L = evaluate(Op.getLHS()), R = evaluate(Op.getRHS());
  auto Finish = [&](AffineForm Form) {
    return isNarrowUnsigned(Op.getType(), Ctx) ? Form.wrapping() : Form;
  };
  QualType LT = Op.getLHS()->getType(), RT = Op.getRHS()->getType();
  std::optional<int64_t> C = R.asConstant();
  switch (Op.getOpcode()) {
  case BO_Add:
    if (LT->isPointerType())
      R = R * AffineForm(sizeOf(LT->getPointeeType()));
    else if (RT->isPointerType())
      L = L * AffineForm(sizeOf(RT->getPointeeType()));
    return Finish(L + R);
  case BO_Sub:
    if (LT->isPointerType() && RT->isPointerType()) {
      auto Distance = (L - R).dividedBy(sizeOf(LT->getPointeeType()));
      return Distance ? *Distance : opaque(&Op);
    }
    if (LT->isPointerType())
      R = R * AffineForm(sizeOf(LT->getPointeeType()));
    return Finish(L - R);
  case BO_Mul:
    return Finish(L * R);
  case BO_Shl:
    return C && *C >= 0 && *C < 62 ? Finish(L * AffineForm(int64_t(1) << *C))
                                   : opaque(&Op);
  case BO_Shr:
    return C && *C >= 0 && *C < 62
               ? evaluateDivision(Op, L, int64_t(1) << *C, false)
               : opaque(&Op);
  case BO_Div:
    return C ? evaluateDivision(Op, L, *C, false) : opaque(&Op);
  case BO_Rem:
    return C ? evaluateDivision(Op, L, *C, true) : opaque(&Op);
  case BO_And: // `x & 31` is `x % 32`
    return C && *C > 0 && *C < INT32_MAX && ((*C + 1) & *C) == 0
               ? evaluateDivision(Op, L, *C + 1, true)
               : opaque(&Op);
  default:
    return opaque(&Op);
  }
}

AffineForm FunctionValues::Impl::evaluateUnary(const UnaryOperator &Op) {
  switch (Op.getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return evaluate(Op.getSubExpr());
  case UO_Minus:
    return AffineForm(0) - evaluate(Op.getSubExpr());
  case UO_AddrOf:
    return addressOf(Op.getSubExpr());
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec:
    return evaluate(Op.getSubExpr());
  default:
    return opaque(&Op);
  }
}

AffineForm FunctionValues::Impl::evaluateCast(const CastExpr &Cast) {
  switch (Cast.getCastKind()) {
  case CK_ArrayToPointerDecay:
    return addressOf(Cast.getSubExpr());
  case CK_NullToPointer:
    return 0;
  case CK_IntegralToBoolean:
  case CK_PointerToBoolean:
    return opaque(&Cast);
  default:
    return isIntegerOrPointer(Cast.getSubExpr()->getType())
               ? evaluate(Cast.getSubExpr())
               : opaque(&Cast);
  }
}

/// Looks into functions that are a single return statement, `idx(i, j, n)`.
AffineForm FunctionValues::Impl::evaluateCall(const CallExpr &Call,
                                              bool Address) {
  const FunctionDecl *Callee = calleeDefinition(Call);
  if (const llvm::StringRef Name = facts::calleeName(Call);
      Call.getNumArgs() >= 2 && (Name == "__mul24" || Name == "__umul24"))
    return evaluate(Call.getArg(0)) * evaluate(Call.getArg(1));
  const Expr *Value = returnedExpr(Callee);
  if (!Value || CallDepth >= MaxCallDepth || isa<CXXMemberCallExpr>(Call) ||
      isa<CXXOperatorCallExpr>(Call) ||
      classifyCall(Call, Ctx.getSourceManager()) != CallKind::Visible)
    return opaque(&Call);
  std::unique_ptr<Impl> &Inner = Callees[Callee];
  if (!Inner)
    Inner = std::make_unique<Impl>(*Callee, Ctx, CallDepth + 1);
  AffineForm Form = Address ? Inner->addressOf(Value) : Inner->evaluate(Value);
  if (Form.any([](const Symbol &S) { return S.Kind == Symbol::Opaque; }))
    return opaque(&Call);
  for (unsigned I = 0; I < Callee->getNumParams(); ++I) {
    if (I >= Call.getNumArgs())
      return opaque(&Call);
    const ParmVarDecl *P = Callee->getParamDecl(I);
    for (const Symbol &S : Form.symbols())
      if (S.Key == P)
        Form = Form.substitute(S, evaluate(Call.getArg(I)));
  }
  return Form;
}

/// By its own name or as a part of what was taken apart.
llvm::StringRef FunctionValues::Impl::indexVariable(const Expr &E,
                                                    char &Member) {
  if (llvm::StringRef Name = builtinIndexVariable(E, Member); !Name.empty())
    return Name;
  const VarDecl *Holding = nullptr;
  llvm::StringRef Name = builtinIndexBinding(E, Member, Holding);
  if (!Name.empty() && !Facts)
    Facts.emplace(Function);
  return !Name.empty() && Facts->isOnlyRead(*Holding) ? Name : "";
}

AffineForm FunctionValues::Impl::evaluate(const Expr *E) {
  E = E->IgnoreParens();
  char Member = 0;
  llvm::StringRef Builtin = indexVariable(*E, Member);
  if (Builtin == "warpSize")
    return 32;
  if (!Builtin.empty() && Member != 'w')
    return builtinSymbol(llvm::StringSwitch<Symbol::KindTy>(Builtin)
                             .Case("threadIdx", Symbol::ThreadIdx)
                             .Case("blockIdx", Symbol::BlockIdx)
                             .Case("blockDim", Symbol::BlockDim)
                             .Default(Symbol::GridDim),
                         Member - 'x');
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return evaluate(Temporary->getSubExpr());
  if (const auto *Param = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(Param->getReplacement());
  if (!isIntegerOrPointer(E->getType()) && !E->getType()->isArrayType())
    return opaque(E);
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E)) {
    auto Value = Literal->getValue().tryZExtValue();
    return Value && *Value <= INT64_MAX ? AffineForm(int64_t(*Value))
                                        : opaque(E);
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(*Cast);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return evaluateReference(*Ref);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(*Op);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(*Op);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(*Call, false);
  if (const auto *Access = dyn_cast<MemberExpr>(E))
    if (const auto *Ref =
            dyn_cast<DeclRefExpr>(Access->getBase()->IgnoreParenImpCasts());
        Ref && isPartOfBase(*Access)) {
      // A field of a parameter struct that nobody changes is a parameter.
      const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
      if (V && isa<ParmVarDecl>(V) && Defs.of(V).empty() &&
          !V->getType()->isReferenceType()) {
        Symbol S;
        S.Kind =
            E->getType()->isPointerType() ? Symbol::Pointer : Symbol::Uniform;
        S.Key = intern(V, Access->getMemberDecl());
        S.Name = V->getNameAsString() + "." +
                 Access->getMemberDecl()->getNameAsString();
        return S;
      }
    }
  if (isa<UnaryExprOrTypeTraitExpr>(E))
    if (const auto Size = facts::integerOf(*E, Ctx))
      return Size->getSExtValue();
  return opaque(E);
}

AffineForm FunctionValues::Impl::addressOf(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    if (!V)
      return opaque(E, /*IsAddress=*/true);
    if (V->getType()->isReferenceType() && V->getInit() && !isa<ParmVarDecl>(V))
      return addressOf(V->getInit());
    Symbol S;
    S.Kind = Symbol::Pointer;
    S.Key = V->getType()->isPointerType() ? intern(V, nullptr) : V;
    S.Name = V->getNameAsString();
    return S;
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    int64_t Size = sizeOf(Subscript->getType());
    AffineForm Index = evaluate(Subscript->getIdx());
    return evaluate(Subscript->getBase()) + Index * AffineForm(Size);
  }
  if (const auto *Access = dyn_cast<MemberExpr>(E)) {
    AffineForm Base = Access->isArrow() ? evaluate(Access->getBase())
                                        : addressOf(Access->getBase());
    const auto *Field = dyn_cast<FieldDecl>(Access->getMemberDecl());
    if (!Field || Field->getParent()->isDependentType() ||
        Field->getParent()->isInvalidDecl() || Field->isBitField() ||
        Field->getType()->isReferenceType())
      return opaque(E, /*IsAddress=*/true);
    return Base + AffineForm(int64_t(Ctx.getFieldOffset(Field) / 8));
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref)
      return evaluate(Op->getSubExpr());
    if (Op->isPrefix() && Op->isIncrementDecrementOp())
      return addressOf(Op->getSubExpr());
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    if (Cast->isLValue() || Cast->getCastKind() == CK_NoOp ||
        Cast->getCastKind() == CK_LValueToRValue)
      return addressOf(Cast->getSubExpr());
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return addressOf(Full->getSubExpr());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(*Call, true);
  return opaque(E, /*IsAddress=*/true);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// What \p D adds to its variable, in bytes for a pointer; nothing where the
/// addend changes in the loop.
std::optional<AffineForm> FunctionValues::Impl::stepOf(const Definition &D) {
  AffineForm Step = D.Value ? evaluate(D.Value) : AffineForm(1);
  const auto *E = cast<Expr>(D.Where);
  const Expr *Target = isa<BinaryOperator>(E)
                           ? cast<BinaryOperator>(E)->getLHS()
                           : cast<UnaryOperator>(E)->getSubExpr();
  if (Target->getType()->isPointerType())
    Step = Step * AffineForm(sizeOf(Target->getType()->getPointeeType()));
  for (const Symbol &S : Step.symbols()) {
    auto Induction = Inductions.find(S.Key);
    const LoopScope *Loop = Induction != Inductions.end()
                                ? Induction->second.Loop
                                : OpaqueLoops.lookup(S.Key);
    if (Loop && D.At.Scope && D.At.Scope->contains(Loop))
      return std::nullopt;
  }
  return D.Negated ? AffineForm(0) - Step : Step;
}

/// The variable that counts the iterations of the for loop \p Loop by ones, by
/// its only step, and where it starts.
const Definition *FunctionValues::Impl::counterOf(const LoopScope &Loop,
                                                  AffineForm &Start) {
  const auto *For = dyn_cast<ForStmt>(Loop.Loop);
  if (!For || !For->getInit())
    return nullptr;
  const VarDecl *V = nullptr;
  const Expr *Init = nullptr;
  if (const auto *Declaration = dyn_cast<DeclStmt>(For->getInit())) {
    V = dyn_cast<VarDecl>(*Declaration->decl_begin());
    Init = V ? V->getInit() : nullptr;
  } else if (const auto *Op = dyn_cast<BinaryOperator>(For->getInit())) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
    V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    Init = Op->getOpcode() == BO_Assign ? Op->getRHS() : nullptr;
  }
  if (!V || !Init || !V->getType()->isIntegerType())
    return nullptr;
  const Definition *Counter = nullptr;
  for (const Definition &D : Defs.of(V))
    if (Loop.contains(D.At.Scope)) {
      if (Counter || D.Kind != Definition::Step || D.At.Scope != &Loop ||
          D.Conditional || D.Negated)
        return nullptr;
      Counter = &D;
    }
  if (!Counter ||
      (Counter->Value && evaluate(Counter->Value).asConstant() != 1))
    return nullptr;
  Start = evaluate(Init);
  return Start.any(isThreadDependent) ? nullptr : Counter;
}

/// The number of the current iteration of \p Loop, from 0.
AffineForm FunctionValues::Impl::iterationOf(const LoopScope &Loop,
                                             const Definition &By) {
  AffineForm Start;
  auto NameOf = [](const Definition &D) -> std::string {
    const auto *E = cast<Expr>(D.Where);
    const Expr *Target = isa<BinaryOperator>(E)
                             ? cast<BinaryOperator>(E)->getLHS()
                             : cast<UnaryOperator>(E)->getSubExpr();
    return cast<DeclRefExpr>(Target->IgnoreParenImpCasts())
        ->getDecl()
        ->getNameAsString();
  };
  if (const Definition *Counter = counterOf(Loop, Start))
    return AffineForm(induction(*Counter, NameOf(*Counter), Start, 1)) - Start;
  // A step of an inner loop gives each loop around it a symbol of its own.
  Definition Own = By;
  if (By.At.Scope != &Loop) {
    Own.Where = Loop.Loop;
    Own.At.Scope = &Loop;
  }
  return induction(Own, "it(" + NameOf(By) + ")", 0, 1);
}

/// What the step \p D has added at \p Use to a variable that got its value in
/// \p Entry; nothing where that is not known.
std::optional<AffineForm> FunctionValues::Impl::progress(const Definition &D,
                                                         const LoopScope *Entry,
                                                         ProgramPoint Use) {
  std::optional<AffineForm> Step = stepOf(D);
  if (!Step)
    return std::nullopt;
  if (!D.At.Scope || D.At.Scope->contains(Entry)) // straight-line code
    return D.At.comesBefore(Use) ? Step : std::nullopt;
  if (D.Conditional)
    return std::nullopt;
  const auto *For = dyn_cast<ForStmt>(D.At.Scope->Loop);
  bool InIncrement = For && For->getInc() == D.Where;
  if (D.At.Scope->HasContinue && !InIncrement)
    return std::nullopt;
  AffineForm Sum, PerIteration = *Step;
  for (const LoopScope *L = D.At.Scope; L && !L->contains(Entry);
       L = L->Parent) {
    bool Around = L->contains(Use.Scope);
    if (Around)
      Sum = Sum + PerIteration * iterationOf(*L, D);
    bool IsOutermost = !L->Parent || L->Parent->contains(Entry);
    if (IsOutermost && Around)
      break;
    std::optional<AffineForm> Trips = tripCount(*L);
    if (!Trips || L->Conditional)
      return std::nullopt;
    PerIteration = PerIteration * *Trips;
    if (IsOutermost)
      Sum = Sum + PerIteration;
  }
  return D.MayWrap ? Sum.wrapping() : Sum;
}

AffineForm FunctionValues::Impl::stepped(
    const VarDecl &V, AffineForm Start, const LoopScope *Entry,
    llvm::ArrayRef<const Definition *> Steps, ProgramPoint Use) {
  // An induction that the block shares reads best under its own name.
  const Definition *Only = Steps.size() == 1 ? Steps.front() : nullptr;
  if (Only && V.getType()->isIntegerType() && Only->At.Scope &&
      !Only->Conditional && Only->At.Scope->contains(Use.Scope) &&
      !Only->At.Scope->contains(Entry) && Only->At.Scope->Parent == Entry &&
      !Start.any(isThreadDependent))
    if (std::optional<AffineForm> Step = stepOf(*Only);
        Step && !Step->any(isThreadDependent)) {
      AffineForm Form(
          induction(*Only, V.getNameAsString(), std::move(Start), *Step));
      return Only->MayWrap ? Form.wrapping() : Form;
    }
  AffineForm Value = std::move(Start);
  for (const Definition *D : Steps) {
    std::optional<AffineForm> Progress = progress(*D, Entry, Use);
    if (!Progress && V.getType()->isPointerType())
      return opaque(V, Use.Scope);
    // The start still tells how threads relate, whatever the loops add.
    Value = Value + (Progress ? *Progress : opaque(V, Use.Scope));
  }
  return Value;
}

AffineForm FunctionValues::Impl::evaluateVariable(const VarDecl &V,
                                                  ProgramPoint Use) {
  llvm::ArrayRef<Definition> All = Defs.of(&V);
  size_t Before = llvm::count_if(
      All, [&](const Definition &D) { return D.At.Rank < Use.Rank; });
  std::tuple Key(&V, Use.Scope, Before);
  if (auto It = Cache.find(Key); It != Cache.end())
    return It->second;
  // A value that depends on itself in another way than by steps.
  if (!InProgress.insert(&V).second)
    return opaque(V, Use.Scope);
  AffineForm Value = reachingValue(V, Use);
  InProgress.erase(&V);
  Cache[Key] = Value;
  return Value;
}

AffineForm FunctionValues::Impl::reachingValue(const VarDecl &V,
                                               ProgramPoint Use) {
  llvm::ArrayRef<Definition> All = Defs.of(&V);
  if (llvm::any_of(All, [](const Definition &D) {
        return D.Kind == Definition::Unknown;
      }))
    return opaque(V, Use.Scope);
  // `int i; if (c) i = x;`: no other value may be read.
  if (All.size() == 1 && All[0].Kind == Definition::Set)
    return evaluate(All[0].Value);
  // The definition that surely runs last before the use, in source order.
  const Definition *Entry = nullptr;
  for (const Definition &D : All)
    if (D.Kind == Definition::Set && D.At.comesBefore(Use))
      Entry = &D;
  if (!Entry && !isa<ParmVarDecl>(V) && !All.empty())
    return opaque(V, Use.Scope);
  const LoopScope *EntryScope = Entry ? Entry->At.Scope : nullptr;
  llvm::SmallVector<const Definition *, 2> Steps;
  for (const Definition &D : All) {
    if (Entry && D.At.Rank <= Entry->At.Rank)
      continue; // overwritten
    // Later in the source, but run before: in a loop around both and not
    // around the entry.
    const LoopScope *Around = D.At.Scope;
    while (Around && !Around->contains(Use.Scope))
      Around = Around->Parent;
    bool ComesAround = Around && !Around->contains(EntryScope);
    if (D.At.Rank > Use.Rank && !ComesAround)
      continue;
    if (D.Kind == Definition::Set)
      return opaque(V, Use.Scope);
    Steps.push_back(&D);
  }
  return stepped(V, Entry ? evaluate(Entry->Value) : leaf(V), EntryScope, Steps,
                 Use);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::optional<AffineForm> FunctionValues::Impl::change(const AffineForm &Form,
                                                       const LoopScope &Loop) {
  if (!Form.isKnown())
    return std::nullopt;
  AffineForm Next = Form;
  for (const Symbol &S : Form.symbols()) {
    if (auto It = Inductions.find(S.Key); It != Inductions.end()) {
      InductionInfo Info = It->second;
      if (!Loop.contains(Info.Loop))
        continue;
      // An inner loop's induction moves as far as where it starts does.
      std::optional<AffineForm> Step =
          Info.Loop == &Loop ? Info.Step : change(Info.Start, Loop);
      if (!Step)
        return std::nullopt;
      Next = Next.substitute(S, AffineForm(S) + *Step);
    } else if (const LoopScope *Varies = OpaqueLoops.lookup(S.Key);
               Varies && Loop.contains(Varies)) {
      return std::nullopt;
    }
  }
  AffineForm Difference = Next - Form;
  for (const Symbol &S : Difference.symbols())
    if (auto It = Inductions.find(S.Key);
        It != Inductions.end() && Loop.contains(It->second.Loop))
      return std::nullopt;
  return Difference;
}

std::optional<AffineForm>
FunctionValues::Impl::tripCount(const LoopScope &Loop) {
  const auto *For = dyn_cast<ForStmt>(Loop.Loop);
  const auto *Test =
      For && For->getCond()
          ? dyn_cast<BinaryOperator>(For->getCond()->IgnoreParens())
          : nullptr;
  if (!Test || !Test->isComparisonOp() || Loop.HasExit)
    return std::nullopt;
  BinaryOperatorKind Opcode = Test->getOpcode();
  const Expr *Counter = Test->getLHS(), *Bound = Test->getRHS();
  auto StepIn = [&](const Expr *E) -> const Definition * {
    const VarDecl *V = variableOf(*E);
    const Definition *Found = nullptr;
    for (const Definition &D : Defs.of(V))
      if (Loop.contains(D.At.Scope)) {
        if (Found || D.Kind != Definition::Step || D.At.Scope != &Loop ||
            D.Conditional)
          return nullptr;
        Found = &D;
      }
    return Found;
  };
  const Definition *Step = StepIn(Counter);
  if (!Step && (Step = StepIn(Bound))) {
    std::swap(Counter, Bound);
    Opcode = BinaryOperator::reverseComparisonOp(Opcode);
  }
  if (!Step || For->getInc() != Step->Where)
    return std::nullopt;
  AffineForm Current = evaluate(Counter), End = evaluate(Bound);
  std::optional<int64_t> By;
  if (std::optional<AffineForm> Form = stepOf(*Step))
    By = Form->asConstant();
  if (!By || *By == 0)
    return std::nullopt;
  // The form of the counter is that of any iteration; with the iteration's
  // own symbol at zero it is the start.
  AffineForm Start = Current;
  for (const Symbol &S : Current.symbols())
    if (auto It = Inductions.find(S.Key);
        It != Inductions.end() && It->second.Loop == &Loop)
      Start = Start.substitute(S, It->second.Start);
  if (std::optional<AffineForm> Moves = change(End, Loop);
      !Moves || !Moves->isZero())
    return std::nullopt;
  AffineForm Distance = *By > 0 ? End - Start : Start - End;
  bool Fits = *By > 0 ? Opcode == BO_LT || Opcode == BO_LE
                      : Opcode == BO_GT || Opcode == BO_GE;
  if (!Fits && Opcode != BO_NE)
    return std::nullopt;
  if (Opcode == BO_LE || Opcode == BO_GE)
    Distance = Distance + AffineForm(1);
  int64_t Magnitude = *By > 0 ? *By : -*By;
  if (std::optional<int64_t> Constant = Distance.asConstant())
    return *Constant <= 0 ? 0 : (*Constant + Magnitude - 1) / Magnitude;
  return Magnitude == 1 ? std::optional(Distance) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The questions
//===----------------------------------------------------------------------===//

FunctionValues::FunctionValues(const FunctionDecl &F, ASTContext &Ctx,
                               ForCostOnly)
    : I(std::make_unique<Impl>(F, Ctx)) {}
FunctionValues::~FunctionValues() = default;

AffineForm FunctionValues::evaluate(const Expr &E) { return I->evaluate(&E); }

AffineForm FunctionValues::addressOf(const Expr &E) { return I->addressOf(&E); }

std::optional<AffineForm> FunctionValues::change(const AffineForm &Form,
                                                 const Stmt &Loop) {
  const LoopScope *Scope = I->Defs.scopeOf(&Loop);
  return Scope ? I->change(Form, *Scope) : std::nullopt;
}

const Stmt *FunctionValues::loopOf(const Symbol &S) const {
  const LoopScope *Loop = I->OpaqueLoops.lookup(S.Key);
  if (auto It = I->Inductions.find(S.Key); It != I->Inductions.end())
    Loop = It->second.Loop;
  return Loop ? Loop->Loop : nullptr;
}

bool FunctionValues::isExpressionIn(const Symbol &S, const Stmt *Loop) const {
  auto It = I->OpaqueHomes.find(S.Key);
  if (It == I->OpaqueHomes.end())
    return false;
  return !Loop || I->Defs.scopeOf(Loop)->contains(It->second);
}

bool FunctionValues::isChangedIn(const VarDecl &V, const Stmt &Loop) const {
  const LoopScope *Scope = I->Defs.scopeOf(&Loop);
  return Scope && llvm::any_of(I->Defs.of(&V), [&](const Definition &D) {
           return Scope->contains(D.At.Scope);
         });
}

bool FunctionValues::isExposed(const VarDecl &V) const {
  return llvm::any_of(I->Defs.of(&V), [](const Definition &D) {
    return D.Kind == Definition::Unknown && !D.At.Rank;
  });
}

bool FunctionValues::isDeclaredOutside(const VarDecl &V,
                                       const Stmt &Loop) const {
  const LoopScope *Scope = I->Defs.scopeOf(&Loop);
  const Stmt *Init = nullptr;
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    Init = For->getInit();
  const auto *Declaration = dyn_cast_or_null<DeclStmt>(Init);
  return Scope && !Scope->contains(I->Defs.declarationScope(&V)) &&
         !(Declaration && llvm::is_contained(Declaration->decls(), &V));
}

const Stmt *FunctionValues::parentLoop(const Stmt &Loop) const {
  const LoopScope *Scope = I->Defs.scopeOf(&Loop);
  return Scope && Scope->Parent ? Scope->Parent->Loop : nullptr;
}

std::optional<AffineForm> FunctionValues::tripCount(const Stmt &Loop) {
  const LoopScope *Scope = I->Defs.scopeOf(&Loop);
  return Scope ? I->tripCount(*Scope) : std::nullopt;
}

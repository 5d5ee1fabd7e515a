// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/Divergence.h"
#include "matchers/Statements.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/NodeKinds.h"
#include "matchers/facts/VariableFacts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <deque>
#include <map>

using namespace clang;

namespace barricade {

using facts::UseKind;
using facts::VariableFacts;
using facts::VariableUse;

llvm::StringRef describe(TaintKind Kind) {
  switch (Kind) {
  case TaintKind::ThreadIndex:
    return "the thread index";
  case TaintKind::Clock:
    return "a clock";
  case TaintKind::Atomic:
    return "an atomic's result";
  case TaintKind::Exchange:
    return "another lane's value";
  case TaintKind::GlobalMemory:
    return "global memory that the kernel may write";
  case TaintKind::SharedMemory:
    return "shared memory that the kernel writes";
  case TaintKind::Volatile:
    return "a volatile read";
  case TaintKind::UnknownCall:
    return "a call that cannot be looked into";
  case TaintKind::InlineAsm:
    return "inline assembly";
  case TaintKind::AddressTaken:
    return "a variable whose address is taken";
  case TaintKind::Control:
    return "which threads come here";
  case TaintKind::Parameter:
    return "an argument";
  }
  llvm_unreachable("unknown taint kind");
}

namespace {

/// A local variable, or one field of it; the field is null for the whole.
using Location = std::pair<const VarDecl *, const FieldDecl *>;
/// Tainted locations only: what is absent is block-uniform.
using State = std::map<Location, Taint>;

Taint join(Taint A, Taint B) { return A ? A : B; }

/// The temporary whose lifetime the reference that \p Init binds to it, or to a
/// part of it, extends.
bool isTemporary(const Expr &Init) {
  const Expr *Plain = Init.IgnoreParens();
  if (isa<MaterializeTemporaryExpr>(Plain))
    return true;
  if (const auto *Full = dyn_cast<FullExpr>(Plain))
    return isTemporary(*Full->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(Plain))
    return isTemporary(*Cast->getSubExpr());
  if (const auto *Member = dyn_cast<MemberExpr>(Plain))
    return isPartOfBase(*Member) && isTemporary(*Member->getBase());
  const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Plain);
  return Subscript && isTemporary(*Subscript->getBase());
}

/// The lvalue \p E is a member of a union, or an object under another type than
/// its own, or a part of such: what else the variable holds is the same memory.
bool isOverlaid(const Expr &E) {
  const Expr *Plain = E.IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(Plain))
    return Cast->getCastKind() == CK_LValueBitCast ||
           Cast->getCastKind() == CK_BaseToDerived ||
           isOverlaid(*Cast->getSubExpr());
  const auto *Member = dyn_cast<MemberExpr>(Plain);
  if (!Member || Member->isArrow())
    return false;
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  return (Field && Field->getParent()->isUnion()) ||
         isOverlaid(*Member->getBase());
}

/// The field by which \p Field is known: of bit fields the record's first one,
/// for several lie in one word, which is written as a whole.
const FieldDecl &knownAs(const FieldDecl &Field) {
  if (!Field.isBitField())
    return Field;
  return **llvm::find_if(Field.getParent()->fields(),
                         [](const FieldDecl *F) { return F->isBitField(); });
}

/// The local variable, no reference, of which the lvalue \p E is a part.
const VarDecl *localUnder(const Expr &E) {
  const Expr *Plain = E.IgnoreParens();
  if (const auto *Cast = dyn_cast<CastExpr>(Plain))
    return Cast->isGLValue() || Cast->getCastKind() == CK_ArrayToPointerDecay
               ? localUnder(*Cast->getSubExpr())
               : nullptr;
  if (const auto *Member = dyn_cast<MemberExpr>(Plain))
    return isPartOfBase(*Member) ? localUnder(*Member->getBase()) : nullptr;
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Plain))
    return localUnder(*Subscript->getBase());
  const auto *Ref = dyn_cast<DeclRefExpr>(Plain);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType() &&
                 !Var->getType()->isPointerType()
             ? Var
             : nullptr;
}

/// A variable or a field of one, which call summaries can write back to.
bool isName(const Expr &E) {
  const Expr *Plain = E.IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Plain))
    return isPartOfBase(*Member) && isName(*Member->getBase());
  const auto *Ref = dyn_cast<DeclRefExpr>(Plain);
  return Ref && isa<VarDecl>(Ref->getDecl());
}

/// Local variables that something other than what the analysis follows may read
/// or write: all uses escape but for those listed here.
class EscapeFinder {
public:
  explicit EscapeFinder(const VariableFacts &Facts) : Facts(Facts) {
    for (const auto &[Var, Uses] : Facts)
      if (Var->hasLocalStorage())
        for (const VariableUse &U : Uses)
          if (escapes(U))
            add(*Var, U);
    // Who has a reference has the variable.
    for (bool More = true; More;) {
      More = false;
      for (const auto &[Var, Uses] : Facts)
        for (const VariableUse &U : Uses)
          if (U.Kind == UseKind::Bind && U.To && !Escaped.contains(Var) &&
              Var->hasLocalStorage() && Escaped.contains(U.To)) {
            add(*Var, U);
            More = true;
          }
    }
  }

  llvm::DenseMap<const VarDecl *, SourceLocation> Escaped;

private:
  void add(const VarDecl &Var, const VariableUse &U) {
    Escaped.try_emplace(&Var, U.Name->getBeginLoc());
  }

  bool escapes(const VariableUse &U) const {
    if (!Facts.mayChange(U))
      return false;
    if (U.In)
      return true;
    switch (U.Kind) {
    case UseKind::Read:
    case UseKind::Assign:
    case UseKind::Step:
    case UseKind::AsmOutput:
      return false;
    case UseKind::Bind:
      return !isFollowed(U);
    case UseKind::Address:
    case UseKind::Unknown:
      return true;
    }
    llvm_unreachable("unknown kind of use");
  }

  /// The reference is another name for the variable, or call summaries follow
  /// it.
  bool isFollowed(const VariableUse &U) const {
    if (!U.To || isa<DecompositionDecl>(U.To))
      return false;
    if (const auto *Param = dyn_cast<ParmVarDecl>(U.To))
      return isArgument(U) && Facts.staysInCall(*Param);
    return U.To->hasLocalStorage() && U.To->getInit() &&
           isName(*U.To->getInit());
  }

  static bool isArgument(const VariableUse &U) {
    const auto *Call = dyn_cast_or_null<CallExpr>(U.By);
    return Call && llvm::any_of(Call->arguments(), [&](const Expr *Arg) {
             return Arg->isLValue() && isName(*Arg) &&
                    holds(Arg, [&](const Stmt &S) { return &S == U.Name; });
           });
  }

  const VariableFacts &Facts;
};

/// What a parameter is given.
struct Argument {
  Taint Why = nullptr;
  /// A reference to what others may write, too, so that the function's own
  /// assignments are not all that happens to it.
  bool IsShared = false;
};

Argument join(const Argument &A, const Argument &B) {
  return {join(A.Why, B.Why), A.IsShared || B.IsShared};
}

/// What a call does to its caller's values.
struct Summary {
  Taint Result = nullptr;
  /// By parameter: what a reference parameter refers to afterwards.
  llvm::SmallVector<Taint, 4> References;
};

} // namespace

//===----------------------------------------------------------------------===//
// One kernel: shared storage and call summaries
//===----------------------------------------------------------------------===//

struct KernelDivergence::Impl {
  const KernelEffects &Effects;
  ASTContext &Context;
  std::map<const FunctionDecl *, std::unique_ptr<FunctionDivergence>> Functions;
  std::map<const FunctionDecl *, EntryState> Entries;

  Impl(const KernelEffects &Effects, ASTContext &Context)
      : Effects(Effects), Context(Context) {}

  /// The same taint is one object, so that fixed points end.
  Taint intern(TaintKind Kind, SourceLocation Where,
               SourceLocation Related = {}, unsigned Parameter = 0) {
    auto Key = std::make_tuple(Kind, Where.getRawEncoding(), Parameter);
    auto [It, New] = Interned.try_emplace(Key, nullptr);
    if (New) {
      Origins.push_back({Kind, Where, Related, Parameter});
      It->second = &Origins.back();
    }
    return It->second;
  }

  const Summary &summarize(const FunctionDecl &Callee,
                           llvm::ArrayRef<Argument> Arguments);

  const VariableFacts &factsOf(const FunctionDecl &Function) {
    return Facts.try_emplace(&Function, Function).first->second;
  }

private:
  std::deque<TaintOrigin> Origins;
  std::map<std::tuple<TaintKind, unsigned, unsigned>, Taint> Interned;
  /// By the function, and of each parameter whether it is tainted and shared.
  std::map<std::pair<const FunctionDecl *, std::vector<bool>>, Summary>
      Summaries;
  std::map<const FunctionDecl *, VariableFacts> Facts;
  llvm::SmallPtrSet<const FunctionDecl *, 8> InProgress;
};

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

struct FunctionDivergence::Impl {
  Impl(const FunctionDecl &Function, llvm::ArrayRef<Argument> Params,
       KernelDivergence::Impl &Kernel);
  void solve();

  // Expressions.
  Taint valueOf(const Expr *E) const;
  Taint childrenOf(const Stmt *S) const;
  Taint callOf(const CallExpr &Call) const;
  Taint bindingOf(const DeclRefExpr &Ref) const;
  Taint visibleCallOf(const CallExpr &Call) const;
  Taint variableOf(const VarDecl *Var, const FieldDecl *Field,
                   SourceLocation Where) const;
  Taint memoryOf(const Expr &Access, QualType Type) const;
  Taint addressOf(const Expr &LValue) const;
  Taint addressIn(const VarDecl &Reference) const;
  Taint pointerTo(const Expr &LValue) const;
  std::optional<Location> fieldOf(const MemberExpr &Member) const;
  std::optional<Location> locationOf(const Expr &E) const;
  llvm::SmallVector<Argument, 8> argumentsOf(const CallExpr &Call) const;
  Argument argumentAt(const CallExpr &Call, unsigned I, Taint Value) const;
  bool isShared(const CallExpr &Call, unsigned Arg) const;
  bool isPassedTwice(const CallExpr &Call, unsigned Arg) const;

  // Statements.
  void evaluate(const Stmt *S, bool Influenced);
  Taint initialValueOf(const VarDecl &Var) const;
  void assign(const Expr &Target, Taint Value, const Expr &At);
  void taintNamed(const Stmt &Target, Taint Value);
  void assignReferences(const CallExpr &Call);
  void setLocation(const Location &L, Taint Value, bool Strong);

  // Control.
  void findDivergentBranches();
  void influence(const CFGBlock &Branch, const DivergentBranch &D);
  bool isDeadEnd(const CFGBlock &B) const;
  template <typename Fn> void forSuccessors(const CFGBlock &B, Fn F) const;
  void computePostDominators();
  const CFGBlock *immediatePostDominator(const CFGBlock &B) const;
  llvm::BitVector reachableFrom(const CFGBlock &From,
                                const CFGBlock *Barring) const;
  const CFGBlock *backEdgeBlock(const Stmt &Loop) const;
  const CFGBlock *blockOf(const Stmt &S) const;

  const FunctionDecl &Function;
  KernelDivergence::Impl &Kernel;
  bool IsKernel;
  std::unique_ptr<CFG> Graph;
  llvm::DenseMap<const VarDecl *, SourceLocation> Escaped;
  llvm::SmallPtrSet<const VarDecl *, 4> Shared; ///< Reference parameters.
  State EntryValues;

  llvm::DenseMap<const Expr *, Taint> Values;
  std::vector<State> Out;
  std::vector<llvm::SmallVector<DivergentBranch, 2>> Over; ///< By block.
  llvm::DenseMap<const CFGBlock *, DivergentBranch> Divergent;
  std::vector<llvm::BitVector> PostDominators;
  llvm::BitVector ReachesEnd;

  State Current; ///< While a block is being evaluated.
  SourceLocation CurrentBranch;
  Taint Result = nullptr;
  bool Changed = false;
};

FunctionDivergence::Impl::Impl(const FunctionDecl &Function,
                               llvm::ArrayRef<Argument> Params,
                               KernelDivergence::Impl &Kernel)
    : Function(Function), Kernel(Kernel),
      IsKernel(Function.hasAttr<CUDAGlobalAttr>()) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  // A condition that is constant today is an `if (Debug)` of tomorrow: nothing
  // may be proved by what it cuts off.
  Options.PruneTriviallyFalseEdges = false;
  Graph =
      CFG::buildCFG(&Function, Function.getBody(), &Kernel.Context, Options);
  Escaped = EscapeFinder(Kernel.factsOf(Function)).Escaped;
  for (unsigned I = 0; I < Function.getNumParams() && I < Params.size(); ++I) {
    if (Params[I].Why)
      EntryValues[{Function.getParamDecl(I), nullptr}] = Params[I].Why;
    if (Params[I].IsShared)
      Shared.insert(Function.getParamDecl(I));
  }
  if (!Graph)
    return;
  Out.resize(Graph->getNumBlockIDs());
  Over.resize(Graph->getNumBlockIDs());
  computePostDominators();
  solve();
}

void FunctionDivergence::Impl::solve() {
  do {
    Changed = false;
    for (const CFGBlock *B : llvm::reverse(*Graph)) {
      unsigned Id = B->getBlockID();
      Current = B == &Graph->getEntry() ? EntryValues : State();
      for (const CFGBlock::AdjacentBlock &Pred : B->preds())
        if (const CFGBlock *P = Pred.getReachableBlock())
          for (const auto &[L, T] : Out[P->getBlockID()])
            Current.try_emplace(L, T);
      CurrentBranch = Over[Id].empty()
                          ? SourceLocation()
                          : Over[Id].front().Terminator->getBeginLoc();
      for (const CFGElement &Element : *B)
        if (auto S = Element.getAs<CFGStmt>())
          evaluate(S->getStmt(), !Over[Id].empty());
      // States only grow, so that the fixed point ends.
      for (const auto &[L, T] : Current)
        Changed |= Out[Id].try_emplace(L, T).second;
    }
    findDivergentBranches();
  } while (Changed);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Taint FunctionDivergence::Impl::childrenOf(const Stmt *S) const {
  Taint T = nullptr;
  for (const Stmt *Child : S->children())
    if (const auto *E = dyn_cast_or_null<Expr>(Child))
      T = join(T, valueOf(E));
  return T;
}

/// What \p Member is by itself: of a reference, that and not what it leads to.
std::optional<Location>
FunctionDivergence::Impl::fieldOf(const MemberExpr &Member) const {
  const auto *Field = dyn_cast<FieldDecl>(Member.getMemberDecl());
  if (Member.isArrow() || !Field)
    return std::nullopt;
  auto Base = locationOf(*Member.getBase());
  if (!Base)
    return std::nullopt;
  if (isOverlaid(Member))
    return Location{Base->first, nullptr};
  return Location{Base->first, Base->second ? Base->second : &knownAs(*Field)};
}

/// The local variable or field that \p E names, following references.
std::optional<Location>
FunctionDivergence::Impl::locationOf(const Expr &E) const {
  const Expr *Plain = E.IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(Plain))
    return locationOf(*Full->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(Plain);
      Cast && Cast->isGLValue() &&
      (isa<ImplicitCastExpr>(Cast) || Cast->getCastKind() == CK_NoOp))
    return locationOf(*Cast->getSubExpr());
  if (const auto *Member = dyn_cast<MemberExpr>(Plain)) {
    return isPartOfBase(*Member) ? fieldOf(*Member) : std::nullopt;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(Plain);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || !Var->hasLocalStorage())
    return std::nullopt;
  if (Var->getType()->isReferenceType() && !isa<ParmVarDecl>(Var)) {
    if (!Var->getInit())
      return std::nullopt;
    return isTemporary(*Var->getInit()) ? Location{Var, nullptr}
                                        : locationOf(*Var->getInit());
  }
  return Location{Var, nullptr};
}

Taint FunctionDivergence::Impl::variableOf(const VarDecl *Var,
                                           const FieldDecl *Field,
                                           SourceLocation Where) const {
  if (auto It = Escaped.find(Var); It != Escaped.end())
    return Kernel.intern(TaintKind::AddressTaken, It->second);
  Taint T = nullptr;
  for (const auto &[L, Value] : Current)
    if (L.first == Var && (!Field || !L.second || L.second == Field))
      T = join(T, Value);
  return T;
}

/// Thread dependence of the address behind an lvalue.
Taint FunctionDivergence::Impl::addressOf(const Expr &LValue) const {
  const Expr *Plain = LValue.IgnoreParens();
  if (const auto *Member = dyn_cast<MemberExpr>(Plain)) {
    if (Member->getMemberDecl()->getType()->isReferenceType()) {
      const auto Reference = fieldOf(*Member);
      return Reference ? variableOf(Reference->first, Reference->second,
                                    Member->getMemberLoc())
                       : Kernel.intern(TaintKind::UnknownCall,
                                       Member->getMemberLoc());
    }
    return Member->isArrow() ? valueOf(Member->getBase())
                             : addressOf(*Member->getBase());
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Plain)) {
    const Expr *Base = Subscript->getBase()->IgnoreParens();
    const auto *Decay = dyn_cast<ImplicitCastExpr>(Base);
    Taint BaseTaint = Decay && Decay->getCastKind() == CK_ArrayToPointerDecay
                          ? addressOf(*Decay->getSubExpr())
                          : valueOf(Base);
    return join(BaseTaint, valueOf(Subscript->getIdx()));
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(Plain);
      Op && Op->getOpcode() == UO_Deref)
    return valueOf(Op->getSubExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Plain)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && Var->getType()->isReferenceType())
      return addressIn(*Var);
    return Var ? nullptr : valueOf(Ref);
  }
  if (const auto *Full = dyn_cast<FullExpr>(Plain))
    return addressOf(*Full->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(Plain); Cast && Cast->isGLValue())
    return addressOf(*Cast->getSubExpr());
  return valueOf(Plain);
}

/// Thread dependence of what \p Reference refers to, chosen where it was
/// declared.
Taint FunctionDivergence::Impl::addressIn(const VarDecl &Reference) const {
  const Expr *Init = Reference.getInit();
  if (Kernel.Effects.IgnoreReferences || isa<ParmVarDecl>(Reference) ||
      (Init && (isTemporary(*Init) || locationOf(*Init))))
    return nullptr; // The values there tell.
  if (!Reference.hasLocalStorage())
    return Kernel.intern(TaintKind::UnknownCall, Reference.getLocation());
  auto It = Current.find({&Reference, nullptr});
  return It == Current.end() ? nullptr : It->second;
}

/// A pointer to \p LValue. Through one to a local variable anything may be read
/// and written, so that it counts as thread-dependent itself.
Taint FunctionDivergence::Impl::pointerTo(const Expr &LValue) const {
  MemoryRoot Root = Kernel.Effects.rootsOf(Function).of(LValue);
  return Root && Root.Space == MemorySpace::Local
             ? Kernel.intern(TaintKind::AddressTaken, LValue.getExprLoc())
             : addressOf(LValue);
}

/// Thread dependence of what lies in memory at \p Access, its address being
/// uniform: may another thread of the grid write it? A null type may be any.
Taint FunctionDivergence::Impl::memoryOf(const Expr &Access,
                                         QualType Type) const {
  const KernelEffects &Effects = Kernel.Effects;
  SourceLocation Where = Access.getExprLoc();
  if (!Type.isNull() && Type.isVolatileQualified())
    return Kernel.intern(TaintKind::Volatile, Where);
  MemoryRoot Root = Effects.rootsOf(Function).of(Access);
  if (Root.Space == MemorySpace::Local && Root)
    return variableOf(Root.Object, nullptr, Where);
  if (const VarDecl *Under = localUnder(Access))
    return variableOf(Under, nullptr, Where);
  if (!Root && !Escaped.empty())
    return Kernel.intern(TaintKind::AddressTaken, Escaped.begin()->second);
  SourceLocation Writer = Effects.mayWrite(Access, Type, Function);
  if (Writer.isInvalid())
    return nullptr;
  return Kernel.intern(Root.Space == MemorySpace::Shared
                           ? TaintKind::SharedMemory
                           : TaintKind::GlobalMemory,
                       Where, Writer);
}

static bool isBoundTo(const CallExpr &Call, unsigned Arg, bool &IsConst) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const unsigned Object =
      isa<CXXOperatorCallExpr>(Call) && Callee && isa<CXXMethodDecl>(Callee);
  IsConst = false;
  if (!Callee || Arg < Object || Arg - Object >= Callee->getNumParams())
    return Call.getArg(Arg)->isGLValue();
  const QualType Type = Callee->getParamDecl(Arg - Object)->getType();
  IsConst = Type.getNonReferenceType().isConstQualified();
  return Type->isReferenceType();
}

/// The argument is bound to a reference, and others than the callee's own code
/// on that parameter may write what it refers to.
bool FunctionDivergence::Impl::isShared(const CallExpr &Call,
                                        unsigned Arg) const {
  bool IsConst = false;
  const Expr *E = Call.getArg(Arg);
  if (!isBoundTo(Call, Arg, IsConst) || isTemporary(*E))
    return false;
  auto L = locationOf(*E);
  return !L || Shared.contains(L->first) || Escaped.count(L->first);
}

/// The callee gets the variable twice by reference, and may write it.
bool FunctionDivergence::Impl::isPassedTwice(const CallExpr &Call,
                                             unsigned Arg) const {
  bool IsConst = false;
  auto L = isBoundTo(Call, Arg, IsConst) ? locationOf(*Call.getArg(Arg))
                                         : std::nullopt;
  if (!L)
    return false;
  auto IsSame = [&](const Expr &E) {
    auto Other = locationOf(E);
    return Other && Other->first == L->first;
  };
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
    if (const Expr *Object = Member->getImplicitObjectArgument();
        Object && Object->isGLValue() && IsSame(*Object))
      return true;
  for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
    bool OtherIsConst = false;
    if (I != Arg && isBoundTo(Call, I, OtherIsConst) &&
        !(IsConst && OtherIsConst) && IsSame(*Call.getArg(I)))
      return true;
  }
  return false;
}

llvm::SmallVector<Argument, 8>
FunctionDivergence::Impl::argumentsOf(const CallExpr &Call) const {
  llvm::SmallVector<Argument, 8> Result;
  for (unsigned I = 0; I < Call.getNumArgs(); ++I)
    Result.push_back(argumentAt(Call, I, valueOf(Call.getArg(I))));
  return Result;
}

/// The argument \p I of \p Call, whose value is \p Value.
Argument FunctionDivergence::Impl::argumentAt(const CallExpr &Call, unsigned I,
                                              Taint Value) const {
  if (!isPassedTwice(Call, I))
    return {Value, isShared(Call, I)};
  return {join(Value, Kernel.intern(TaintKind::AddressTaken,
                                    Call.getArg(I)->getExprLoc())),
          true};
}

Taint FunctionDivergence::Impl::visibleCallOf(const CallExpr &Call) const {
  const FunctionDecl *Callee = calleeDefinition(Call);
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
      Method && Method->isInstance() && !isa<CXXOperatorCallExpr>(Call))
    // What `this` points at is not tracked.
    return Kernel.intern(TaintKind::UnknownCall, Call.getBeginLoc());
  unsigned Skip = isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee);
  if (Skip)
    return Kernel.intern(TaintKind::UnknownCall, Call.getBeginLoc());
  llvm::SmallVector<Argument, 8> Args = argumentsOf(Call);
  const Summary &S = Kernel.summarize(*Callee, Args);
  if (S.Result && S.Result->Kind == TaintKind::Parameter)
    return S.Result->ParameterIndex < Args.size()
               ? Args[S.Result->ParameterIndex].Why
               : Kernel.intern(TaintKind::UnknownCall, Call.getBeginLoc());
  return S.Result;
}

Taint FunctionDivergence::Impl::callOf(const CallExpr &Call) const {
  SourceLocation Where = Call.getBeginLoc();
  switch (classifyCall(Call, Kernel.Context.getSourceManager())) {
  case CallKind::UniformIndex:
    return nullptr;
  case CallKind::BlockBarrier:
    return isBlockVote(Call) || Call.getType()->isVoidType()
               ? nullptr
               : Kernel.intern(TaintKind::UnknownCall, Where);
  case CallKind::ThreadIndex:
    return Kernel.intern(TaintKind::ThreadIndex, Where);
  case CallKind::Atomic:
    return Kernel.intern(TaintKind::Atomic, Where);
  case CallKind::Exchange:
    return Kernel.intern(TaintKind::Exchange, Where);
  case CallKind::Clock:
    return Kernel.intern(TaintKind::Clock, Where);
  case CallKind::Pure:
    return join(childrenOf(&Call),
                fetchesTexture(Call) ? memoryOf(Call, QualType()) : nullptr);
  case CallKind::Assignment:
    return valueOf(Call.getArg(1));
  case CallKind::Load:
    return join(valueOf(Call.getArg(0)),
                memoryOf(*Call.getArg(0), Call.getType()));
  case CallKind::Visible:
    return visibleCallOf(Call);
  case CallKind::NamedBarrier:
  case CallKind::GridBarrier:
  case CallKind::WarpSync:
  case CallKind::Fence:
  case CallKind::Store:
  case CallKind::Print:
  case CallKind::Trap:
  case CallKind::Unknown:
    return Call.getType()->isVoidType()
               ? nullptr
               : Kernel.intern(TaintKind::UnknownCall, Where);
  }
  llvm_unreachable("unknown call kind");
}

Taint FunctionDivergence::Impl::bindingOf(const DeclRefExpr &Ref) const {
  char Member = 0;
  const VarDecl *Holding = nullptr;
  const llvm::StringRef Name = builtinIndexBinding(Ref, Member, Holding);
  if (Name.empty() || !Kernel.factsOf(Function).isOnlyRead(*Holding))
    return Kernel.intern(TaintKind::UnknownCall, Ref.getLocation());
  return Name == "threadIdx"
             ? Kernel.intern(TaintKind::ThreadIndex, Ref.getLocation())
             : nullptr;
}

Taint FunctionDivergence::Impl::valueOf(const Expr *E) const {
  if (auto It = Values.find(E); It != Values.end() && It->second)
    return It->second;
  char Member = 0;
  if (llvm::StringRef Name = builtinIndexVariable(*E, Member); !Name.empty())
    return Name == "threadIdx"
               ? Kernel.intern(TaintKind::ThreadIndex, E->getExprLoc())
               : nullptr;
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral,
          CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, UnaryExprOrTypeTraitExpr,
          TypeTraitExpr, ConstantExpr>(E))
    return nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (auto L = locationOf(*Ref))
      return variableOf(L->first, L->second, Ref->getLocation());
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var) // Functions and enumerators are constants; bindings are not.
      return isa<BindingDecl>(Ref->getDecl()) ? bindingOf(*Ref) : nullptr;
    if (Var->getType()->isReferenceType()) {
      const QualType Type = Var->getType().getNonReferenceType();
      if (!Var->getInit() || isa<ParmVarDecl>(Var))
        return Kernel.intern(TaintKind::UnknownCall, Ref->getLocation());
      return Type->isArrayType()
                 ? addressIn(*Var)
                 : join(addressIn(*Var), memoryOf(*Var->getInit(), Type));
    }
    if (Var->isConstexpr() || Var->getType()->isArrayType() ||
        (Var->getType().isConstQualified() &&
         !Var->getType().isVolatileQualified()))
      return nullptr;
    return memoryOf(*Ref, Ref->getType());
  }
  if (isa<ArraySubscriptExpr, MemberExpr>(E) ||
      (isa<UnaryOperator>(E) &&
       cast<UnaryOperator>(E)->getOpcode() == UO_Deref)) {
    if (auto L = locationOf(*E))
      return variableOf(L->first, L->second, E->getExprLoc());
    if (!E->isLValue())
      return childrenOf(E); // A field of a value.
    if (isa<MemberExpr>(E) && cast<MemberExpr>(E)->isImplicitAccess())
      return Kernel.intern(TaintKind::UnknownCall, E->getExprLoc());
    Taint Address = addressOf(*E);
    return E->getType()->isArrayType()
               ? Address
               : join(Address, memoryOf(*E, E->getType()));
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    return pointerTo(*Op->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
    return pointerTo(*Cast->getSubExpr());
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E);
      Pseudo && Pseudo->getResultExpr())
    return valueOf(Pseudo->getResultExpr());
  if (isa<AtomicExpr>(E))
    return Kernel.intern(TaintKind::Atomic, E->getBeginLoc());
  if (const auto *Op = dyn_cast<BinaryOperator>(E);
      Op && Op->getOpcode() == BO_Assign)
    return valueOf(Op->getRHS());
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isCommaOp())
    return valueOf(Op->getRHS());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return callOf(*Call);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *Constructor = Construct->getConstructor();
    bool Plain = Constructor->isTrivial() || facts::isLibraryCode(*Constructor);
    return Plain ? childrenOf(E)
                 : Kernel.intern(TaintKind::UnknownCall, E->getBeginLoc());
  }
  if (isa<StmtExpr, LambdaExpr, CXXThisExpr, CXXNewExpr,
          CXXInheritedCtorInitExpr>(E))
    return Kernel.intern(TaintKind::UnknownCall, E->getBeginLoc());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() ? valueOf(Opaque->getSourceExpr()) : nullptr;
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return valueOf(Default->getExpr());
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
    return valueOf(Default->getExpr());
  if (const auto *List = dyn_cast<InitListExpr>(E);
      List && List->hasArrayFiller())
    return join(valueOf(List->getArrayFiller()), childrenOf(E));
  if (facts::useOf(*E) == facts::NodeUse::Unknown)
    return Kernel.intern(TaintKind::UnknownCall, E->getBeginLoc());
  return childrenOf(E);
}

//===----------------------------------------------------------------------===//
// Effects of statements
//===----------------------------------------------------------------------===//

void FunctionDivergence::Impl::setLocation(const Location &L, Taint Value,
                                           bool Strong) {
  if (Value) {
    Current.try_emplace(L, Value);
    return;
  }
  if (!Strong || Shared.contains(L.first))
    return;
  if (L.second) {
    Current.erase(L);
    return;
  }
  llvm::SmallVector<Location, 4> Dead;
  for (const auto &[Other, T] : Current)
    if (Other.first == L.first)
      Dead.push_back(Other);
  for (const Location &Other : Dead)
    Current.erase(Other);
}

void FunctionDivergence::Impl::assign(const Expr &Target, Taint Value,
                                      const Expr &At) {
  if (CurrentBranch.isValid())
    Value = join(Value, Kernel.intern(TaintKind::Control, At.getExprLoc(),
                                      CurrentBranch));
  if (auto L = locationOf(Target)) {
    // A field of a field is known by the outer one only, and a bit field by the
    // first one, so they stay tainted; two bases may have one field twice.
    const auto *Member = dyn_cast<MemberExpr>(Target.IgnoreParens());
    bool Part =
        Member && (!isa<DeclRefExpr>(Member->getBase()->IgnoreParens()) ||
                   !L->second || Member->refersToBitField());
    setLocation(*L, Value, !Part);
    return;
  }
  MemoryRoot Root = Kernel.Effects.rootsOf(Function).of(Target);
  Value = join(Value, addressOf(Target));
  if (Root.Space == MemorySpace::Local && Root)
    setLocation({Root.Object, nullptr}, Value, /*Strong=*/false);
  else if (!Root)
    taintNamed(Target, Value);
}

/// Whatever an assignment that is not understood may write.
void FunctionDivergence::Impl::taintNamed(const Stmt &Target, Taint Value) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&Target))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->hasLocalStorage())
      setLocation({Var, nullptr}, Value, /*Strong=*/false);
  for (const Stmt *Child : Target.children())
    if (Child)
      taintNamed(*Child, Value);
}

/// A callee may change what it gets by reference.
void FunctionDivergence::Impl::assignReferences(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  CallKind Kind = classifyCall(Call, Kernel.Context.getSourceManager());
  unsigned Offset =
      isa<CXXOperatorCallExpr>(Call) && Callee && isa<CXXMethodDecl>(Callee);
  const llvm::SmallVector<Argument, 8> Args = argumentsOf(Call);
  const Summary *Known =
      Kind == CallKind::Visible && !Offset && !isa<CXXMemberCallExpr>(Call)
          ? &Kernel.summarize(*calleeDefinition(Call), Args)
          : nullptr;
  llvm::SmallVector<std::pair<const Expr *, Taint>, 4> Results;
  for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
    const Expr *Arg = Call.getArg(I);
    QualType ParamType;
    if (Callee && I >= Offset && I - Offset < Callee->getNumParams())
      ParamType = Callee->getParamDecl(I - Offset)->getType();
    bool Changeable = Arg->isLValue() &&
                      (ParamType.isNull() ||
                       (ParamType->isReferenceType() &&
                        !ParamType.getNonReferenceType().isConstQualified()));
    if (!Changeable || Kind == CallKind::Assignment)
      continue;
    Taint After = Kernel.intern(TaintKind::UnknownCall, Call.getBeginLoc());
    if (Known && I < Known->References.size()) {
      After = Known->References[I];
      if (After && After->Kind == TaintKind::Parameter)
        After = After->ParameterIndex < Args.size()
                    ? Args[After->ParameterIndex].Why
                    : Kernel.intern(TaintKind::UnknownCall, Call.getBeginLoc());
    }
    Results.push_back({Arg, After});
  }
  // One variable may be passed twice: what taints it comes last.
  for (bool Tainting : {false, true})
    for (const auto &[Arg, After] : Results)
      if ((After != nullptr) == Tainting)
        assign(*Arg, After, Call);
}

/// What \p Var gets where it is declared; for a reference to memory, which
/// memory that is.
Taint FunctionDivergence::Impl::initialValueOf(const VarDecl &Var) const {
  const Expr *Init = Var.getInit();
  if (!Init)
    return nullptr;
  return Var.getType()->isReferenceType() && !isTemporary(*Init)
             ? addressOf(*Init)
             : valueOf(Init);
}

void FunctionDivergence::Impl::evaluate(const Stmt *S, bool Influenced) {
  if (const auto *Decl = dyn_cast<DeclStmt>(S)) {
    for (const auto *D : Decl->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D);
          Var && Var->hasLocalStorage()) {
        Taint Value = initialValueOf(*Var);
        // A variable that lives only where some threads are is theirs alone,
        // but a loop may bring it past the others.
        if (Influenced && Var->getInit())
          Value = join(Value, Kernel.intern(TaintKind::Control,
                                            Var->getLocation(), CurrentBranch));
        setLocation({Var, nullptr}, Value, /*Strong=*/true);
      }
    return;
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    Taint Value =
        Return->getRetValue() ? valueOf(Return->getRetValue()) : nullptr;
    if (Influenced)
      Value = join(Value, Kernel.intern(TaintKind::Control,
                                        Return->getBeginLoc(), CurrentBranch));
    if (Value && !Result) {
      Result = Value;
      Changed = true;
    }
    return;
  }
  if (const auto *Asm = dyn_cast<AsmStmt>(S)) {
    Taint Value = Kernel.intern(TaintKind::InlineAsm, Asm->getAsmLoc());
    if (const auto *Gcc = dyn_cast<GCCAsmStmt>(Asm))
      for (unsigned I = 0; I < Gcc->getNumOutputs(); ++I)
        taintNamed(*Gcc->getOutputExpr(I), Value);
    return;
  }
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return;
  Taint Value = valueOf(E);
  if (const auto *Op = dyn_cast<BinaryOperator>(E);
      Op && Op->isAssignmentOp()) {
    if (Op->isCompoundAssignmentOp())
      Value = join(valueOf(Op->getLHS()), valueOf(Op->getRHS()));
    assign(*Op->getLHS(), Value, *E);
  } else if (const auto *Op = dyn_cast<UnaryOperator>(E);
             Op && Op->isIncrementDecrementOp()) {
    Value = valueOf(Op->getSubExpr());
    assign(*Op->getSubExpr(), Value, *E);
  } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (Call->getDirectCallee() &&
        classifyCall(*Call, Kernel.Context.getSourceManager()) ==
            CallKind::Assignment)
      assign(*Call->getArg(0), Value, *E);
    assignReferences(*Call);
  }
  if (Value && !Values.lookup(E)) {
    Values[E] = Value;
    Changed = true;
  }
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// A block whose threads leave the kernel. In a device function a return leads
/// back to the caller, where the thread meets the others again.
bool FunctionDivergence::Impl::isDeadEnd(const CFGBlock &B) const {
  if (B.hasNoReturnElement())
    return true;
  if (!IsKernel)
    return false;
  for (const CFGElement &Element : B)
    if (auto S = Element.getAs<CFGStmt>())
      if (const auto *Return = dyn_cast<ReturnStmt>(S->getStmt()))
        // The last statement of the body is where everybody ends.
        if (const auto *Body = dyn_cast<CompoundStmt>(Function.getBody()))
          return Body->body_empty() || Body->body_back() != Return;
  return false;
}

template <typename Fn>
void FunctionDivergence::Impl::forSuccessors(const CFGBlock &B, Fn F) const {
  if (isDeadEnd(B))
    return;
  for (const CFGBlock::AdjacentBlock &Succ : B.succs())
    if (const CFGBlock *S = Succ.getReachableBlock())
      F(*S);
}

void FunctionDivergence::Impl::computePostDominators() {
  unsigned N = Graph->getNumBlockIDs();
  unsigned Exit = Graph->getExit().getBlockID();
  ReachesEnd.resize(N);
  ReachesEnd.set(Exit);
  for (bool More = true; More;) {
    More = false;
    for (const CFGBlock *B : *Graph)
      forSuccessors(*B, [&](const CFGBlock &S) {
        if (ReachesEnd[S.getBlockID()] && !ReachesEnd[B->getBlockID()]) {
          ReachesEnd.set(B->getBlockID());
          More = true;
        }
      });
  }
  PostDominators.assign(N, llvm::BitVector(N, true));
  PostDominators[Exit].reset();
  PostDominators[Exit].set(Exit);
  for (bool More = true; More;) {
    More = false;
    for (const CFGBlock *B : *Graph) {
      unsigned Id = B->getBlockID();
      if (Id == Exit || !ReachesEnd[Id])
        continue;
      llvm::BitVector New(N, true);
      forSuccessors(*B, [&](const CFGBlock &S) {
        if (ReachesEnd[S.getBlockID()])
          New &= PostDominators[S.getBlockID()];
      });
      New.set(Id);
      if (New != PostDominators[Id]) {
        PostDominators[Id] = New;
        More = true;
      }
    }
  }
}

const CFGBlock *
FunctionDivergence::Impl::immediatePostDominator(const CFGBlock &B) const {
  if (!ReachesEnd[B.getBlockID()])
    return nullptr;
  // The nearest strict post-dominator has the most post-dominators itself.
  const CFGBlock *Best = nullptr;
  unsigned BestCount = 0;
  for (const CFGBlock *P : *Graph) {
    unsigned Id = P->getBlockID();
    if (P == &B || !ReachesEnd[Id] || !PostDominators[B.getBlockID()][Id])
      continue;
    if (unsigned Count = PostDominators[Id].count(); Count > BestCount) {
      Best = P;
      BestCount = Count;
    }
  }
  return Best;
}

llvm::BitVector
FunctionDivergence::Impl::reachableFrom(const CFGBlock &From,
                                        const CFGBlock *Barring) const {
  llvm::BitVector Seen(Graph->getNumBlockIDs());
  llvm::SmallVector<const CFGBlock *, 16> Work;
  auto Push = [&](const CFGBlock &S) {
    if (&S != Barring && !Seen[S.getBlockID()]) {
      Seen.set(S.getBlockID());
      Work.push_back(&S);
    }
  };
  forSuccessors(From, Push);
  while (!Work.empty())
    forSuccessors(*Work.pop_back_val(), Push);
  return Seen;
}

void FunctionDivergence::Impl::influence(const CFGBlock &Branch,
                                         const DivergentBranch &D) {
  llvm::BitVector Region =
      reachableFrom(Branch, immediatePostDominator(Branch));
  for (const CFGBlock *B : *Graph)
    if (Region[B->getBlockID()])
      Over[B->getBlockID()].push_back(D);
}

/// A range-for over as many elements as the type says: its hidden pointers look
/// thread-dependent, for through pointers to a local array anything may change.
static bool runsForAllElements(const Stmt &Terminator) {
  const auto *Range = dyn_cast<CXXForRangeStmt>(&Terminator);
  if (!Range)
    return false;
  const Expr *Init = Range->getRangeInit()->IgnoreParenImpCasts();
  if (Init->getType()->isConstantArrayType() ||
      isa<InitListExpr, CXXStdInitializerListExpr>(Init))
    return true;
  const auto *Record = Init->getType()->getAsCXXRecordDecl();
  const auto *Array = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Record);
  return Array && Array->getName() == "array" && Array->isInStdNamespace();
}

void FunctionDivergence::Impl::findDivergentBranches() {
  for (const CFGBlock *B : *Graph) {
    const Stmt *Terminator = B->getTerminatorStmt();
    if (!Terminator || Divergent.contains(B) || B->succ_size() < 2 ||
        runsForAllElements(*Terminator))
      continue;
    const auto *Condition = dyn_cast_or_null<Expr>(B->getTerminatorCondition());
    // What the variables hold where the block ends.
    Current = Out[B->getBlockID()];
    // Only a `goto *p` has several successors and no condition.
    Taint Why = Condition ? valueOf(Condition)
                          : Kernel.intern(TaintKind::UnknownCall,
                                          Terminator->getBeginLoc());
    if (!Why)
      continue;
    DivergentBranch D{Terminator, Condition, Why};
    Divergent[B] = D;
    influence(*B, D);
    Changed = true;
  }
}

const CFGBlock *
FunctionDivergence::Impl::backEdgeBlock(const Stmt &Loop) const {
  for (const CFGBlock *B : *Graph)
    if (B->getLoopTarget() == &Loop)
      return B;
  return nullptr;
}

const CFGBlock *FunctionDivergence::Impl::blockOf(const Stmt &S) const {
  for (const CFGBlock *B : *Graph)
    for (const CFGElement &Element : *B)
      if (auto Here = Element.getAs<CFGStmt>(); Here && Here->getStmt() == &S)
        return B;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The facade
//===----------------------------------------------------------------------===//

FunctionDivergence::FunctionDivergence(std::unique_ptr<Impl> I)
    : I(std::move(I)) {}
FunctionDivergence::~FunctionDivergence() = default;

Taint FunctionDivergence::taintOf(const Expr &E) const {
  if (Taint T = I->Values.lookup(&E))
    return T;
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(&E))
    return I->valueOf(Default);
  // Parentheses are no elements of the CFG.
  return I->Values.lookup(E.IgnoreParens());
}

std::optional<llvm::SmallVector<DivergentBranch, 2>>
FunctionDivergence::branchesOver(const Stmt &Loop) const {
  const CFGBlock *B = I->Graph ? I->backEdgeBlock(Loop) : nullptr;
  if (!B)
    return std::nullopt;
  return I->Over[B->getBlockID()];
}

std::optional<llvm::SmallVector<DivergentBranch, 2>>
FunctionDivergence::branchesOverStatement(const Stmt &S) const {
  const CFGBlock *B = I->Graph ? I->blockOf(S) : nullptr;
  if (!B)
    return std::nullopt;
  return I->Over[B->getBlockID()];
}

llvm::SmallVector<const ReturnStmt *, 2>
FunctionDivergence::divergentExitsBefore(const Stmt &S) const {
  llvm::SmallVector<const ReturnStmt *, 2> Result;
  const CFGBlock *BackEdge = I->Graph ? I->backEdgeBlock(S) : nullptr;
  const CFGBlock *Target = I->Graph && !BackEdge ? I->blockOf(S) : BackEdge;
  if (!Target)
    return Result;
  for (const auto &[B, D] : I->Divergent) {
    // A call comes before the branch at the end of its own block.
    if (!I->reachableFrom(*B, nullptr)[Target->getBlockID()] && B != BackEdge)
      continue;
    llvm::BitVector Region =
        I->reachableFrom(*B, I->immediatePostDominator(*B));
    for (const CFGBlock *Block : *I->Graph)
      if (Region[Block->getBlockID()] && I->isDeadEnd(*Block))
        for (const CFGElement &Element : *Block)
          if (auto Here = Element.getAs<CFGStmt>())
            if (const auto *Return = dyn_cast<ReturnStmt>(Here->getStmt());
                Return && !llvm::is_contained(Result, Return))
              Result.push_back(Return);
  }
  llvm::sort(Result, [](const ReturnStmt *A, const ReturnStmt *B) {
    return A->getBeginLoc() < B->getBeginLoc();
  });
  return Result;
}

bool FunctionDivergence::mayFollow(const Stmt &Later,
                                   const Stmt &Earlier) const {
  auto BlockOf = [&](const Stmt &S) -> const CFGBlock * {
    if (!I->Graph)
      return nullptr;
    const CFGBlock *BackEdge = I->backEdgeBlock(S);
    return BackEdge ? BackEdge : I->blockOf(S);
  };
  const CFGBlock *To = BlockOf(Later), *From = BlockOf(Earlier);
  if (!To || !From || (To == From && &Later != &Earlier))
    return true;
  return I->reachableFrom(*From, nullptr)[To->getBlockID()];
}

bool FunctionDivergence::mustFollow(const Stmt &Later,
                                    const Stmt &Earlier) const {
  if (!I->Graph)
    return false;
  // A loop is left where it asks for the next iteration.
  const CFGBlock *Before = nullptr;
  for (const CFGBlock *B : *I->Graph)
    if (B->getTerminatorStmt() == &Earlier)
      Before = B;
  if (!Before && !isLoop(Earlier))
    Before = I->blockOf(Earlier);
  const CFGBlock *To = I->blockOf(Later);
  return Before && To && To != Before &&
         !I->reachableFrom(I->Graph->getEntry(), Before)[To->getBlockID()];
}

bool FunctionDivergence::neverRepeats(const Stmt &Loop) const {
  const CFGBlock *B = I->Graph ? I->backEdgeBlock(Loop) : nullptr;
  return !B || isOnceLoop(Loop, I->Kernel.Context) || B->pred_empty() ||
         llvm::none_of(B->preds(), [](const CFGBlock::AdjacentBlock &P) {
           return P.getReachableBlock() != nullptr;
         });
}

const Summary &
KernelDivergence::Impl::summarize(const FunctionDecl &Callee,
                                  llvm::ArrayRef<Argument> Arguments) {
  std::vector<bool> Key;
  for (const Argument &A : Arguments) {
    Key.push_back(A.Why);
    Key.push_back(A.IsShared);
  }
  auto [It, New] = Summaries.try_emplace({&Callee, Key});
  if (!New)
    return It->second;
  Summary &S = It->second;
  // While in progress, and for recursion, the worst is assumed.
  Taint Worst = intern(TaintKind::UnknownCall, Callee.getLocation());
  S.Result = Worst;
  S.References.assign(Arguments.size(), Worst);
  if (!InProgress.insert(&Callee).second || InProgress.size() > 32)
    return S;
  std::vector<Argument> Params;
  for (unsigned P = 0; P < Arguments.size(); ++P)
    Params.push_back({Arguments[P].Why ? intern(TaintKind::Parameter,
                                                Callee.getLocation(), {}, P)
                                       : nullptr,
                      Arguments[P].IsShared});
  FunctionDivergence::Impl Analysis(Callee, Params, *this);
  InProgress.erase(&Callee);
  if (!Analysis.Graph)
    return S;
  S.Result = Analysis.Result;
  const State &AtExit = Analysis.Out[Analysis.Graph->getExit().getBlockID()];
  for (unsigned P = 0; P < Arguments.size() && P < Callee.getNumParams(); ++P) {
    S.References[P] = Params[P].Why;
    for (const auto &[L, T] : AtExit)
      if (L.first == Callee.getParamDecl(P))
        S.References[P] = T;
    if (Analysis.Escaped.count(Callee.getParamDecl(P)))
      S.References[P] = Worst;
  }
  return S;
}

KernelDivergence::KernelDivergence(const KernelEffects &Effects,
                                   ASTContext &Context)
    : I(std::make_unique<Impl>(Effects, Context)) {
  Taint Recursion =
      I->intern(TaintKind::UnknownCall, Effects.Kernel->getLocation());
  for (const FunctionDecl *Function : Effects.Functions) {
    std::vector<Argument> Params(Function->getNumParams());
    EntryState Entry;
    if (Function != Effects.Kernel) {
      auto Calls = Effects.callsOf(*Function);
      // Constructors and destructors run without a call expression.
      if (Calls.empty() || Effects.Recursive) {
        Params.assign(Params.size(), Argument{Recursion, true});
        Entry.Why = Recursion;
      }
      for (const KernelEffects::Site &Site : Calls) {
        auto Caller = I->Functions.find(Site.Caller);
        if (Caller == I->Functions.end()) {
          Entry.Why = Recursion;
          continue;
        }
        const FunctionDivergence &D = *Caller->second;
        unsigned Offset =
            isa<CXXOperatorCallExpr>(Site.Call) && isa<CXXMethodDecl>(Function);
        for (unsigned P = 0;
             P < Params.size() && P + Offset < Site.Call->getNumArgs(); ++P)
          Params[P] =
              join(Params[P],
                   D.I->argumentAt(*Site.Call, P + Offset,
                                   D.taintOf(*Site.Call->getArg(P + Offset))));
        EntryState Outer = I->Entries[Site.Caller];
        auto Branches = D.branchesOverStatement(*Site.Call);
        if (!Branches && !Entry.Why)
          Entry.Why = Recursion;
        else if (Branches && !Branches->empty() && !Entry.Why) {
          Entry.DivergentCall = Site.Call;
          Entry.Why = Branches->front().Why;
        } else if (Outer.Why && !Entry.Why) {
          Entry.DivergentCall = Outer.DivergentCall;
          Entry.Why = Outer.Why;
        }
        llvm::append_range(Entry.Exits, Outer.Exits);
        llvm::append_range(Entry.Exits, D.divergentExitsBefore(*Site.Call));
      }
    }
    I->Entries[Function] = Entry;
    I->Functions[Function] = std::make_unique<FunctionDivergence>(
        std::make_unique<FunctionDivergence::Impl>(*Function, Params, *I));
  }
}

KernelDivergence::~KernelDivergence() = default;

const FunctionDivergence &
KernelDivergence::of(const FunctionDecl &Function) const {
  return *I->Functions.at(&Function);
}

EntryState KernelDivergence::entryOf(const FunctionDecl &Function) const {
  return I->Entries.at(&Function);
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a value the same for all threads, where it stands.

#include "matchers/divergence/Impl.h"
#include "matchers/divergence/LocalParts.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/NodeKinds.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade {

using namespace divergence;

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
  const VarDecl *Var = variableNamedBy(*Plain);
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

} // namespace barricade

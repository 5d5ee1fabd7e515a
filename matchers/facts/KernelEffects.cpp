// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/GenericLambdas.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade {
namespace {

/// The type that strict aliasing may go by; none for a union's member or a part
/// of one, which may be read as another.
QualType accessType(const Expr &Access, QualType Type) {
  const Expr *E = Access.IgnoreParens();
  while (true) {
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (Field && Field->getParent()->isUnion())
        return QualType();
      if (!isPartOfBase(*Member))
        return Type;
      E = Member->getBase()->IgnoreParenImpCasts();
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Element->getBase()->IgnoreParenImpCasts();
      if (!E->getType()->isArrayType())
        return Type;
    } else {
      return Type;
    }
  }
}

class EffectVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  EffectVisitor(const FunctionDecl &Function, KernelEffects &Effects)
      : Function(Function), Effects(Effects), Roots(Effects.rootsOf(Function)),
        FirstWait(Function.hasAttr<CUDAGlobalAttr>() ? firstGridWait(Function)
                                                     : nullptr),
        SM(Function.getASTContext().getSourceManager()) {
    ShouldVisitImplicitCode = true;
  }

  /// Functions with bodies that this one runs.
  llvm::SmallSetVector<const FunctionDecl *, 8> Callees;

  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      addStore(*Op->getLHS(), Op->getOperatorLoc());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *Op) override {
    if (Op->isIncrementDecrementOp())
      addStore(*Op->getSubExpr(), Op->getOperatorLoc());
    return true;
  }
  bool VisitAtomicExpr(const AtomicExpr *E) override {
    // Some give results through further pointers.
    for (const Stmt *Child : E->children())
      if (const auto *Operand = dyn_cast_or_null<Expr>(Child);
          Operand && Operand->getType()->isPointerType())
        addPointerStore(*Operand, E->getBeginLoc());
    return true;
  }
  bool VisitCXXDeleteExpr(const CXXDeleteExpr *E) override {
    setOpaque(E->getBeginLoc());
    return true;
  }
  bool VisitCXXNewExpr(const CXXNewExpr *E) override {
    setOpaque(E->getBeginLoc());
    return true;
  }
  bool VisitExplicitCastExpr(const ExplicitCastExpr *Cast) override {
    // Code that looks at memory under another type does so on purpose.
    QualType From = Cast->getSubExpr()->getType(), To = Cast->getType();
    if (To->isPointerType() || Cast->isGLValue())
      Effects.HasTypePunning |=
          From.getCanonicalType() != To.getCanonicalType();
    return true;
  }
  bool VisitAsmStmt(const AsmStmt *Asm) override {
    if (Asm == FirstWait)
      return true;
    Effects.Asm.push_back({Asm, &Function});
    setOpaque(Asm->getAsmLoc());
    return true;
  }
  bool VisitStmt(const Stmt *S) override {
    addSilentCalls(silentCallsOf(*S), S, S->getBeginLoc());
    return true;
  }
  bool VisitInitListExpr(const InitListExpr *List) override {
    return TraverseStmt(List->getArrayFiller());
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    if (Call == FirstWait)
      return true;
    CallKind Kind = classifyCall(*Call, SM);
    switch (Kind) {
    case CallKind::Visible:
      Callees.insert(calleeDefinition(*Call));
      Effects.Sites.push_back({Call, &Function, calleeDefinition(*Call)});
      break;
    case CallKind::Unknown:
      setOpaque(Call->getBeginLoc());
      Effects.Syncs.push_back({Kind, Call, &Function});
      break;
    case CallKind::BlockBarrier:
    case CallKind::NamedBarrier:
    case CallKind::GridBarrier:
    case CallKind::WarpSync:
    case CallKind::Exchange:
    case CallKind::Fence:
    case CallKind::Trap:
      addOutParameters(*Call);
      Effects.Syncs.push_back({Kind, Call, &Function});
      break;
    case CallKind::Atomic:
      Effects.Syncs.push_back({Kind, Call, &Function});
      addOutParameters(*Call);
      // Nothing shows what an object of libcu++'s is a reference to.
      if (isa_and_nonnull<CXXMethodDecl>(Call->getDirectCallee())) {
        addTarget({}, Call->getBeginLoc());
        break;
      }
      [[fallthrough]];
    case CallKind::Store:
    case CallKind::Assignment:
      if (Kind == CallKind::Assignment)
        addStore(*Call->getArg(0), Call->getExprLoc());
      else if (Call->getNumArgs() > 0)
        addPointerStore(*Call->getArg(0), Call->getBeginLoc());
      break;
    default:
      addOutParameters(*Call);
      break;
    }
    return true;
  }

private:
  void addStore(const Expr &Target, SourceLocation Where) {
    const Expr *Plain = Target.IgnoreParens();
    // A plain local variable that nobody points at is no memory.
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Plain))
      if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType())
        return;
    addTarget({accessType(Target, Target.getType()), Roots.of(Target)}, Where);
  }

  void addPointerStore(const Expr &Pointer, SourceLocation Where) {
    QualType Pointee = Pointer.IgnoreParenImpCasts()->getType();
    Pointee = Pointee->isPointerType() ? Pointee->getPointeeType()
              : Pointee->isArrayType()
                  ? QualType(Pointee->getArrayElementTypeNoTypeQual(), 0)
                  : QualType();
    if (!Pointee.isNull() && Pointee->isVoidType())
      Pointee = QualType();
    addTarget({Pointee, Roots.of(Pointer)}, Where);
  }

  void addTarget(const MemoryReference &Target, SourceLocation Where) {
    auto IsSame = [&](const KernelEffects::Store &S) {
      return S.Target == Target && S.In == &Function;
    };
    if (llvm::none_of(Effects.Stores, IsSame))
      Effects.Stores.push_back({Target, Where, &Function});
  }

  /// Library functions write through their non-const pointers, no further.
  void addOutParameters(const CallExpr &Call) {
    for (const Expr *Arg : Call.arguments())
      if (Arg->getType()->isPointerType() &&
          !Arg->getType()->getPointeeType().isConstQualified())
        addPointerStore(*Arg, Call.getBeginLoc());
  }

public:
  /// \p At: null for what runs at the end of the function.
  void addSilentCalls(const SilentCalls &Calls, const Stmt *At,
                      SourceLocation Where) {
    bool Unknown = Calls.AreSeveral;
    for (const FunctionDecl *Callee : Calls.Callees) {
      const FunctionDecl *Definition = nullptr;
      if (!Callee->hasBody(Definition)) {
        Unknown = true;
        continue;
      }
      Callees.insert(Definition);
      Effects.SilentSites.push_back({At, &Function, Definition});
    }
    if (!Unknown)
      return;
    setOpaque(Where);
    Effects.Syncs.push_back(
        {CallKind::Unknown, At ? At : Function.getBody(), &Function});
  }

private:
  void setOpaque(SourceLocation Where) {
    if (Effects.OpaqueStore.isInvalid())
      Effects.OpaqueStore = Where;
  }

  const FunctionDecl &Function;
  KernelEffects &Effects;
  const MemoryRoots &Roots;
  /// Before it a kernel has not looked at memory: what changes then, it does
  /// not see change.
  const Stmt *FirstWait;
  const SourceManager &SM;
};

/// A lambda of \p Function calls one that may be itself: nobody follows what is
/// called by a parameter of a generic lambda's.
bool hasLambdaThatMayRecur(const FunctionDecl &Function) {
  const auto CallsGeneric = [](const Stmt &S) {
    const auto *Call = dyn_cast<CXXOperatorCallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && isLambdaCallOperator(Callee) &&
           Callee->isTemplateInstantiation();
  };
  return codeHolds(Function, [&](const Stmt &S) {
    const auto *Lambda = dyn_cast<LambdaExpr>(&S);
    return Lambda && llvm::any_of(callInstancesOf(*Lambda),
                                  [&](const FunctionDecl *Instance) {
                                    return codeHolds(*Instance, CallsGeneric);
                                  });
  });
}

class Collector {
public:
  explicit Collector(KernelEffects &Effects) : Effects(Effects) {}

  void visit(const FunctionDecl &Function) {
    if (Done.contains(&Function)) {
      Effects.Recursive |= Active.contains(&Function);
      return;
    }
    Done.insert(&Function);
    Active.insert(&Function);
    Effects.Recursive |= hasLambdaThatMayRecur(Function);
    EffectVisitor Visitor(Function, Effects);
    for (const Stmt *Part : codeOf(Function))
      Visitor.TraverseStmt(Part);
    Visitor.addSilentCalls(silentCallsOf(Function), nullptr,
                           Function.getLocation());
    const facts::VariableFacts Facts(Function);
    for (const auto &[Var, Uses] : Facts)
      if (Var->hasAttr<CUDAConstantAttr>() && !Facts.isOnlyRead(*Var))
        Effects.ExposedConstants.insert(Var);
    for (const FunctionDecl *Callee : Visitor.Callees)
      visit(*Callee);
    Active.erase(&Function);
    PostOrder.push_back(&Function);
  }

  std::vector<const FunctionDecl *> PostOrder;

private:
  KernelEffects &Effects;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Done, Active;
};

/// Both are known, and not one and the same.
bool areDifferentPointers(const MemoryRoot &A, const MemoryRoot &B) {
  return A && B && A.Space != MemorySpace::Unknown &&
         B.Space != MemorySpace::Unknown &&
         (A.Object != B.Object || A.Field != B.Field);
}

} // namespace

llvm::SmallVector<KernelEffects::Site, 4>
KernelEffects::callsOf(const FunctionDecl &Callee) const {
  llvm::SmallVector<Site, 4> Result;
  if (llvm::any_of(SilentSites,
                   [&](const SilentSite &S) { return S.Callee == &Callee; }))
    return Result;
  for (const Site &S : Sites)
    if (S.Callee == &Callee)
      Result.push_back(S);
  return Result;
}

const MemoryRoots &KernelEffects::rootsOf(const FunctionDecl &Function) const {
  return Roots.try_emplace(&Function, Function, RestrictParams).first->second;
}

SourceLocation KernelEffects::mayWrite(const Expr &Access, QualType Type,
                                       const FunctionDecl &Function) const {
  return writerOf(Access, Type, Function).Where;
}

KernelEffects::Writer
KernelEffects::writerOf(const Expr &Access, QualType Type,
                        const FunctionDecl &Function) const {
  const QualType AccessType =
      HasTypePunning ? QualType() : accessType(Access, Type);
  const MemoryRoot Here = rootsOf(Function).of(Access);
  if (Here.Space == MemorySpace::Constant &&
      !ExposedConstants.contains(Here.Object))
    return {};
  if (OpaqueStore.isValid())
    return {OpaqueStore, ForeignWrites::Seen};
  Writer Surest;
  const auto Roots = rootsForCallers(Here, Function);
  for (const Store &S : Stores)
    for (const MemoryRoot &Written : rootsForCallers(S.Target.Root, *S.In))
      for (const MemoryRoot &Read : Roots) {
        // The address of a `__constant__` variable comes from nowhere else.
        const bool IsElsewhere =
            Here.Space == MemorySpace::Constant && Written && Written != Here;
        if (IsElsewhere ||
            !mayAlias({AccessType, Read}, {S.Target.Type, Written},
                      Function.getASTContext()))
          continue;
        const ForeignWrites How = areDifferentPointers(Read, Written)
                                      ? ForeignWrites::ByAlias
                                      : ForeignWrites::Seen;
        if (How > Surest.How)
          Surest = {S.Where, How};
      }
  return Surest;
}

bool KernelEffects::isWithinReachOfHost(const Expr &Access,
                                        const FunctionDecl &Function) const {
  return llvm::any_of(rootsForCallers(rootsOf(Function).of(Access), Function),
                      [](const MemoryRoot &Root) {
                        return Root.Space == MemorySpace::Global ||
                               Root.Space == MemorySpace::Unknown;
                      });
}

ForeignWrites KernelEffects::foreignWrites(const Expr &Access,
                                           const FunctionDecl &Function) const {
  const auto Roots = rootsForCallers(rootsOf(Function).of(Access), Function);
  const bool IsOwn = llvm::all_of(Roots, [](const MemoryRoot &Root) {
    return Root.Space == MemorySpace::Local;
  });
  return IsOwn ? ForeignWrites::None
               : writerOf(Access, Access.getType(), Function).How;
}

/// What \p Root of \p Function is in the kernel: a parameter of a device
/// function is all that its callers pass.
llvm::SmallVector<MemoryRoot, 2>
KernelEffects::rootsForCallers(const MemoryRoot &Root,
                               const FunctionDecl &Function,
                               unsigned Depth) const {
  const auto *Param = dyn_cast_or_null<ParmVarDecl>(Root.Object);
  if (!Param || Root.Space != MemorySpace::Unknown)
    return {Root};
  if (auto It = Passed.find(Param); It != Passed.end())
    return It->second;
  const llvm::SmallVector<MemoryRoot, 2> Anything = {MemoryRoot()};
  const auto Calls = callsOf(Function);
  const unsigned Index = Param->getFunctionScopeIndex();
  if (Root.Field || Calls.empty() || Depth > 8 || Recursive)
    return Anything;
  llvm::SmallVector<MemoryRoot, 2> Result;
  for (const Site &S : Calls) {
    const unsigned Arg = Index + (isa<CXXOperatorCallExpr>(S.Call) &&
                                  isa<CXXMethodDecl>(Function));
    if (Arg >= S.Call->getNumArgs())
      return Anything;
    const MemoryRoot Given = rootsOf(*S.Caller).of(*S.Call->getArg(Arg));
    for (const MemoryRoot &R : rootsForCallers(Given, *S.Caller, Depth + 1))
      if (!llvm::is_contained(Result, R))
        Result.push_back(R);
  }
  return Passed[Param] = Result.size() > 8 ? Anything : Result;
}

KernelEffects collectKernelEffects(const FunctionDecl &Kernel,
                                   bool RestrictParams) {
  KernelEffects Effects;
  Effects.Kernel = &Kernel;
  Effects.RestrictParams = RestrictParams;
  Collector C(Effects);
  C.visit(Kernel);
  Effects.Functions.assign(C.PostOrder.rbegin(), C.PostOrder.rend());
  return Effects;
}

} // namespace barricade

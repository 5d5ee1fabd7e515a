// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/KernelEffects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade {
namespace {

/// The type that strict aliasing may go by; none for a union's member, which
/// may be read as another.
QualType accessType(const Expr &Access, QualType Type) {
  const auto *Member = dyn_cast<MemberExpr>(Access.IgnoreParens());
  const auto *Field =
      Member ? dyn_cast<FieldDecl>(Member->getMemberDecl()) : nullptr;
  return Field && Field->getParent()->isUnion() ? QualType() : Type;
}

class EffectVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  EffectVisitor(const FunctionDecl &Function, KernelEffects &Effects)
      : Function(Function), Effects(Effects), Roots(Effects.rootsOf(Function)),
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
    addPointerStore(*E->getPtr(), E->getBeginLoc());
    return true;
  }
  bool VisitCXXNewExpr(const CXXNewExpr *E) override {
    setOpaque(E->getBeginLoc());
    return true;
  }
  bool VisitExplicitCastExpr(const ExplicitCastExpr *Cast) override {
    // Code that looks at memory under another type does so on purpose.
    QualType From = Cast->getSubExpr()->getType(), To = Cast->getType();
    if (To->isPointerType() || Cast->isLValue())
      Effects.HasTypePunning |=
          From.getCanonicalType() != To.getCanonicalType();
    return true;
  }
  bool VisitAsmStmt(const AsmStmt *Asm) override {
    Effects.Asm.push_back({Asm, &Function});
    setOpaque(Asm->getBeginLoc());
    return true;
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    addSilentCall(E->getConstructor());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *E) override {
    addSilentCall(E->getTemporary()->getDestructor());
    return true;
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (const CXXRecordDecl *Record = Var->getType()->getAsCXXRecordDecl())
      if (Record->hasDefinition() && !Record->hasTrivialDestructor())
        addSilentCall(Record->getDestructor());
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
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
      return S.Target == Target;
    };
    if (llvm::none_of(Effects.Stores, IsSame))
      Effects.Stores.push_back({Target, Where});
  }

  /// Library functions write through their non-const pointers, no further.
  void addOutParameters(const CallExpr &Call) {
    for (const Expr *Arg : Call.arguments())
      if (Arg->getType()->isPointerType() &&
          !Arg->getType()->getPointeeType().isConstQualified())
        addPointerStore(*Arg, Call.getBeginLoc());
  }

  /// A function run without a call expression.
  void addSilentCall(const FunctionDecl *Callee) {
    const FunctionDecl *Definition = nullptr;
    if (!Callee || Callee->isTrivial())
      return;
    if (Callee->hasBody(Definition))
      Callees.insert(Definition);
    else
      setOpaque(Callee->getLocation());
  }

  void setOpaque(SourceLocation Where) {
    if (Effects.OpaqueStore.isInvalid())
      Effects.OpaqueStore = Where;
  }

  const FunctionDecl &Function;
  KernelEffects &Effects;
  const MemoryRoots &Roots;
  const SourceManager &SM;
};

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
    EffectVisitor Visitor(Function, Effects);
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
      for (const CXXCtorInitializer *Init : Constructor->inits())
        Visitor.TraverseStmt(Init->getInit());
    Visitor.TraverseStmt(Function.getBody());
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

} // namespace

llvm::SmallVector<KernelEffects::Site, 4>
KernelEffects::callsOf(const FunctionDecl &Callee) const {
  llvm::SmallVector<Site, 4> Result;
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
  MemoryReference Target{HasTypePunning ? QualType() : accessType(Access, Type),
                         rootsOf(Function).of(Access)};
  if (Target.Root.Space == MemorySpace::Constant)
    return {};
  if (OpaqueStore.isValid())
    return OpaqueStore;
  for (const Store &S : Stores)
    if (mayAlias(Target, S.Target, Function.getASTContext()))
      return S.Where;
  return {};
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

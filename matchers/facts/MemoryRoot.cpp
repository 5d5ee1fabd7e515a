// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/MemoryRoot.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade {

llvm::StringRef nameOf(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Global:
    return "global";
  case MemorySpace::Shared:
    return "shared";
  case MemorySpace::Constant:
    return "constant";
  case MemorySpace::Local:
    return "local";
  case MemorySpace::Unknown:
    return "unknown";
  }
  llvm_unreachable("all spaces have names");
}

namespace {

MemorySpace spaceOf(const VarDecl &Var) {
  if (Var.hasAttr<CUDASharedAttr>())
    return MemorySpace::Shared;
  if (Var.hasAttr<CUDAConstantAttr>())
    return MemorySpace::Constant;
  if (Var.hasGlobalStorage())
    return MemorySpace::Global;
  return MemorySpace::Local;
}

using SourceMap = llvm::DenseMap<const VarDecl *, MemoryRoots::PointerSources>;

/// Every value that each local variable is given. Whatever is not a plain read,
/// assignment or step of it lets it escape.
SourceMap collectSources(const FunctionDecl &Function) {
  SourceMap Sources;
  // `p += q - p`
  const auto IsWithin = [](const facts::VariableUse &U) {
    return U.Kind == facts::UseKind::Step && !U.IsPart &&
           !holds(U.By, [](const Stmt &S) {
             const auto *Op = dyn_cast<BinaryOperator>(&S);
             return Op && Op->getOpcode() == BO_Sub &&
                    Op->getLHS()->getType()->isPointerType() &&
                    Op->getRHS()->getType()->isPointerType();
           });
  };
  const facts::VariableFacts Facts(Function);
  for (const auto &[Var, Uses] : Facts)
    for (const facts::VariableUse &U : Uses) {
      const auto *Op = dyn_cast_or_null<BinaryOperator>(U.By);
      if (!Facts.mayChange(U) || IsWithin(U))
        continue;
      if (U.Kind == facts::UseKind::Assign && !U.IsPart && Op)
        Sources[Var].Values.push_back(Op->getRHS());
      else
        Sources[Var].Escapes = true;
    }
  return Sources;
}

class RootFinder {
public:
  RootFinder(const FunctionDecl &Function, bool RestrictParams,
             const SourceMap &Sources)
      : Function(Function), RestrictParams(RestrictParams), Sources(Sources) {}

  MemoryRoot ofPointer(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      if (Cast->getCastKind() == CK_ArrayToPointerDecay)
        return ofLValue(Cast->getSubExpr());
      if (Cast->getCastKind() == CK_IntegralToPointer)
        return {};
      return ofPointer(Cast->getSubExpr());
    }
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->isAdditiveOp() || Op->isCompoundAssignmentOp())
        return ofPointer(Op->getLHS()->getType()->isPointerType()
                             ? Op->getLHS()
                             : Op->getRHS());
      if (Op->getOpcode() == BO_Assign || Op->getOpcode() == BO_Comma)
        return ofPointer(Op->getRHS());
      return {};
    }
    if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
      if (Op->isIncrementDecrementOp())
        return ofPointer(Op->getSubExpr());
      if (Op->getOpcode() == UO_AddrOf)
        return ofLValue(Op->getSubExpr());
      return {};
    }
    if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
      return common(ofPointer(Choice->getTrueExpr()),
                    ofPointer(Choice->getFalseExpr()));
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return ofPointerVariable(dyn_cast<VarDecl>(Ref->getDecl()));
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return ofPointerField(*Member);
    if (const auto *Call = dyn_cast<CallExpr>(E);
        Call && isCoherentPointer(*Call))
      return ofPointer(Call->getArg(0));
    return {};
  }

  MemoryRoot ofPointer(const VarDecl &Var) { return ofPointerVariable(&Var); }

  MemoryRoot ofLValue(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      return ofPointer(Subscript->getBase());
    if (const auto *Op = dyn_cast<UnaryOperator>(E);
        Op && Op->getOpcode() == UO_Deref)
      return ofPointer(Op->getSubExpr());
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl()))
        return ofVariable(*Static);
      if (Member->getMemberDecl()->getType()->isReferenceType())
        return {};
      return Member->isArrow() ? ofPointer(Member->getBase())
                               : ofLValue(Member->getBase());
    }
    // An assignment is the object that it sets.
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return Op->isAssignmentOp()          ? ofLValue(Op->getLHS())
             : Op->getOpcode() == BO_Comma ? ofLValue(Op->getRHS())
                                           : MemoryRoot{};
    if (const auto *Op = dyn_cast<UnaryOperator>(E);
        Op && Op->isIncrementDecrementOp())
      return ofLValue(Op->getSubExpr());
    const VarDecl *Var = variableNamedBy(*E);
    if (!Var)
      return {};
    if (!Var->getType()->isReferenceType())
      return ofVariable(*Var);
    // What callers bind to it; a lambda's are not the function's.
    if (isa<ParmVarDecl>(Var))
      return Var->getDeclContext() == &Function &&
                     !Function.hasAttr<CUDAGlobalAttr>()
                 ? MemoryRoot{MemorySpace::Unknown, Var, nullptr, false}
                 : MemoryRoot{};
    return Var->isLocalVarDecl() && Var->getInit() && enter(Var)
               ? ofLValue(Var->getInit())
               : MemoryRoot{};
  }

private:
  static MemoryRoot ofVariable(const VarDecl &Var) {
    return {spaceOf(Var), Var.getCanonicalDecl(), nullptr, false};
  }

  MemoryRoot ofPointerVariable(const VarDecl *Var) {
    if (!Var || Var->getType()->isReferenceType())
      return {};
    if (Var->getType()->isArrayType())
      return ofVariable(*Var);
    if (Var->hasGlobalStorage() || !Var->getType()->isPointerType())
      return {};
    const MemoryRoots::PointerSources Given = sourcesOf(*Var);
    if (Given.Escapes)
      return {};
    if (const auto *Param = dyn_cast<ParmVarDecl>(Var)) {
      // Reassigned parameters no longer name the caller's object, but by
      // themselves.
      if (enter(Var)) {
        const bool IsOwn = llvm::all_of(Given.Values, [&](const Expr *Value) {
          return ofPointer(Value).Object == Param;
        });
        Visiting.erase(Var);
        if (!IsOwn)
          return {};
      }
      // A lambda's parameters are not the function's.
      if (Param->getDeclContext() != &Function)
        return {};
      bool Kernel = Function.hasAttr<CUDAGlobalAttr>();
      // A device function's `__restrict__` speaks of one call, not of the other
      // threads: only a kernel's covers all that may happen meanwhile.
      return {
          Kernel ? MemorySpace::Global : MemorySpace::Unknown, Param, nullptr,
          Kernel && (Param->getType().isRestrictQualified() || RestrictParams)};
    }
    return commonRoot(*Var, Given.Values);
  }

  MemoryRoot commonRoot(const VarDecl &Var,
                        llvm::ArrayRef<const Expr *> Values) {
    if (Values.empty() || !enter(&Var))
      return {};
    MemoryRoot Root = ofPointer(Values.front());
    for (const Expr *Value : Values.drop_front())
      Root = common(Root, selfUpdate(Var, *Value) ? Root : ofPointer(Value));
    Visiting.erase(&Var);
    return Root;
  }

  /// `p = p + k` keeps p's root.
  static bool selfUpdate(const VarDecl &Var, const Expr &Value) {
    const auto *Op = dyn_cast<BinaryOperator>(Value.IgnoreParenImpCasts());
    const auto *Ref =
        Op && Op->isAdditiveOp()
            ? dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParenImpCasts())
            : nullptr;
    return Ref && Ref->getDecl() == &Var;
  }

  MemoryRoot ofPointerField(const MemberExpr &Member) const {
    const auto *Ref =
        dyn_cast<DeclRefExpr>(Member.getBase()->IgnoreParenImpCasts());
    const auto *Param = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    const auto *Field = dyn_cast<FieldDecl>(Member.getMemberDecl());
    if (!Param || !Field || !isPartOfBase(Member) ||
        Param->getType()->isReferenceType() ||
        Param->getDeclContext() != &Function || Field->getParent()->isUnion())
      return {};
    const MemoryRoots::PointerSources Given = sourcesOf(*Param);
    if (Given.Escapes || !Given.Values.empty())
      return {};
    bool Kernel = Function.hasAttr<CUDAGlobalAttr>();
    // `__restrict__` on a member speaks of the block in which the object lives,
    // to compilers that look at it, and of no other object's members.
    return {Kernel ? MemorySpace::Global : MemorySpace::Unknown, Param, Field,
            false};
  }

  /// With the initialiser, which comes before all else.
  MemoryRoots::PointerSources sourcesOf(const VarDecl &Var) const {
    MemoryRoots::PointerSources Result = Sources.lookup(&Var);
    if (Var.getInit())
      Result.Values.insert(Result.Values.begin(), Var.getInit());
    return Result;
  }

  static MemoryRoot common(const MemoryRoot &A, const MemoryRoot &B) {
    return A.Object == B.Object && A.Field == B.Field ? A : MemoryRoot{};
  }

  bool enter(const VarDecl *Var) { return Visiting.insert(Var).second; }

  const FunctionDecl &Function;
  bool RestrictParams;
  const SourceMap &Sources;
  llvm::SmallPtrSet<const VarDecl *, 8> Visiting;
};

bool isByteType(QualType T) { return T->isCharType() || T->isStdByteType(); }

/// Both roots name an object, and not the same one.
bool distinctObjects(const MemoryRoot &A, const MemoryRoot &B) {
  if (!A || !B || (A.Object == B.Object && A.Field == B.Field))
    return false;
  // A device function's parameter is whatever its callers pass.
  if (A.Space == MemorySpace::Unknown || B.Space == MemorySpace::Unknown)
    return false;
  if (A.IsRestrict || B.IsRestrict)
    return true;
  // All dynamic shared memory begins at one address.
  if (A.Space == MemorySpace::Shared && B.Space == MemorySpace::Shared &&
      A.Object->hasExternalStorage() && B.Object->hasExternalStorage())
    return false;
  auto Declared = [](const MemoryRoot &R) {
    return !isa<ParmVarDecl>(R.Object) || R.Space == MemorySpace::Local;
  };
  if (Declared(A) && Declared(B))
    return true;
  // A pointer from the host reaches global memory only.
  auto OnChip = [](const MemoryRoot &R) {
    return R.Space == MemorySpace::Shared || R.Space == MemorySpace::Local;
  };
  return (OnChip(A) && B.Space == MemorySpace::Global) ||
         (OnChip(B) && A.Space == MemorySpace::Global);
}

} // namespace

MemoryRoots::MemoryRoots(const FunctionDecl &Function, bool RestrictParams)
    : Function(Function), RestrictParams(RestrictParams),
      Sources(collectSources(Function)) {}

MemoryRoot MemoryRoots::of(const Expr &E) const {
  RootFinder Finder(Function, RestrictParams, Sources);
  return E.getType()->isPointerType() && !E.isLValue() ? Finder.ofPointer(&E)
                                                       : Finder.ofLValue(&E);
}

MemoryRoot MemoryRoots::of(const VarDecl &Pointer) const {
  return RootFinder(Function, RestrictParams, Sources).ofPointer(Pointer);
}

bool typesMayAlias(QualType A, QualType B, const ASTContext &Context) {
  if (A.isNull() || B.isNull())
    return true;
  A = A.getCanonicalType().getUnqualifiedType();
  B = B.getCanonicalType().getUnqualifiedType();
  if (isByteType(A) || isByteType(B) || !A->isScalarType() ||
      !B->isScalarType())
    return true;
  if (A->isPointerType() && B->isPointerType())
    return true;
  if (A->isIntegralOrEnumerationType() && B->isIntegralOrEnumerationType())
    return Context.getTypeSize(A) == Context.getTypeSize(B);
  return A == B;
}

bool mayAlias(const MemoryReference &A, const MemoryReference &B,
              ASTContext &Context) {
  if (distinctObjects(A.Root, B.Root))
    return false;
  // One object under two types is punning, not two objects.
  if (A.Root && A.Root.Object == B.Root.Object)
    return true;
  return typesMayAlias(A.Type, B.Type, Context);
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dependence/OutsideGrid.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/facts/Names.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::dependence {

bool holdsPointer(QualType Type, const ASTContext &Context) {
  if (Type->isReferenceType())
    return true;
  Type = Context.getBaseElementType(Type);
  if (const RecordDecl *Record = Type->getAsRecordDecl()) {
    const auto *Class = dyn_cast<CXXRecordDecl>(Record);
    return !Record->getDefinition() ||
           llvm::any_of(Record->fields(),
                        [&](const FieldDecl *Field) {
                          return holdsPointer(Field->getType(), Context);
                        }) ||
           (Class && llvm::any_of(Class->bases(), [&](const auto &Base) {
              return holdsPointer(Base.getType(), Context);
            }));
  }
  return Type->isAnyPointerType() || Type->isMemberPointerType();
}

namespace {

class PointerFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit PointerFinder(const ASTContext &Context) : Context(Context) {
    ShouldVisitImplicitCode = true;
  }

  HiddenPointers Result;

  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (isDeviceVariable(*Ref, *Ref->getDecl()))
      add(*Ref);
    return true;
  }
  /// What an instance of a generic one runs does not show in its body.
  bool VisitLambdaExpr(const LambdaExpr *Lambda) override {
    if (Lambda->isGenericLambda())
      add(*Lambda);
    return true;
  }
  bool VisitMemberExpr(const MemberExpr *Member) override {
    // A reference is followed with no cast to show it, and of a static member
    // the object does not matter.
    if (Member->getMemberDecl()->getType()->isReferenceType() ||
        isDeviceVariable(*Member, *Member->getMemberDecl()))
      add(*Member);
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    Result.DropsConst |= Field && Field->isMutable();
    return true;
  }
  /// What a function that is not followed returns may come from anywhere.
  bool VisitCallExpr(const CallExpr *Call) override {
    const CallKind Kind = classifyCall(*Call, Context.getSourceManager());
    if (Kind != CallKind::Visible && Kind != CallKind::Assignment &&
        (Call->isGLValue() || holdsPointer(Call->getType(), Context)))
      add(*Call);
    return true;
  }
  bool VisitCastExpr(const CastExpr *Cast) override {
    if (Cast->getType()->isPointerType() && isFromElsewhere(*Cast))
      add(*Cast);
    return true;
  }
  bool VisitExplicitCastExpr(const ExplicitCastExpr *Cast) override {
    Result.DropsConst |= dropsConst(*Cast);
    return true;
  }

private:
  void add(const Expr &E) {
    if (Result.Found.isInvalid())
      Result.Found = E.getBeginLoc();
  }

  /// Constants are none, unless a pointer is in them.
  bool isDeviceVariable(const Expr &Name, const ValueDecl &D) const {
    const auto *Var = dyn_cast<VarDecl>(&D);
    char Member;
    if (!Var || !Var->hasGlobalStorage() || Var->hasAttr<CUDASharedAttr>() ||
        !builtinIndexVariable(Name, Member).empty())
      return false;
    const bool IsConstant = Var->hasAttr<CUDAConstantAttr>() ||
                            Var->isConstexpr() ||
                            Var->getType().isConstQualified();
    return !IsConstant || holdsPointer(Var->getType(), Context);
  }

  static bool isFromElsewhere(const CastExpr &Cast) {
    switch (Cast.getCastKind()) {
    case CK_LValueToRValue:
      return !isa<DeclRefExpr>(Cast.getSubExpr()->IgnoreParens());
    case CK_IntegralToPointer:
    case CK_LValueToRValueBitCast:
      return true;
    default:
      return false;
    }
  }

  static bool dropsConst(const ExplicitCastExpr &Cast) {
    const QualType From = Cast.getSubExpr()->IgnoreParenImpCasts()->getType(),
                   To = Cast.getType();
    if (Cast.isGLValue())
      return From.isConstQualified() && !To.isConstQualified();
    return To->isPointerType() && !To->getPointeeType().isConstQualified();
  }

  const ASTContext &Context;
};

/// An access to it is one to a volatile or atomic object.
bool isWatched(QualType Type, const ASTContext &Context) {
  Type = Context.getBaseElementType(Type);
  if (Type.isVolatileQualified() || Type->isAtomicType())
    return true;
  const RecordDecl *Record = Type->getAsRecordDecl();
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
  return Record && (llvm::any_of(Record->fields(),
                                 [&](const FieldDecl *Field) {
                                   return isWatched(Field->getType(), Context);
                                 }) ||
                    (Class && Class->hasDefinition() &&
                     llvm::any_of(Class->bases(), [&](const auto &Base) {
                       return isWatched(Base.getType(), Context);
                     })));
}

class SignalFinder : public ConstDynamicRecursiveASTVisitor {
public:
  SignalFinder() { ShouldVisitImplicitCode = true; }

  SourceLocation Found;

  void addAll(const KernelEffects &Effects) {
    for (const FunctionDecl *Function : Effects.Functions) {
      Context = &Function->getASTContext();
      Roots = &Effects.rootsOf(*Function);
      for (const Stmt *Part : codeOf(*Function))
        TraverseStmt(Part);
    }
  }

  bool VisitCallExpr(const CallExpr *Call) override {
    switch (classifyCall(*Call, Context->getSourceManager())) {
    case CallKind::Fence:
      if (facts::calleeName(*Call) != "__threadfence_block")
        addSignal(*Call);
      break;
    case CallKind::Atomic:
      if (!isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call) &&
          Call->getNumArgs() > 0 && isOfBlock(*Call->getArg(0)))
        break;
      addSignal(*Call);
      break;
    case CallKind::Store:
      // Through the caches, to where the host looks.
      if (facts::calleeName(*Call) == "__stwt")
        addSignal(*Call);
      break;
    case CallKind::GridBarrier:
    case CallKind::Unknown:
      addSignal(*Call);
      break;
    default:
      break;
    }
    return true;
  }
  bool VisitAtomicExpr(const AtomicExpr *E) override {
    addSignal(*E);
    return true;
  }
  bool VisitAsmStmt(const AsmStmt *S) override {
    addSignal(*S);
    return true;
  }
  bool VisitExpr(const Expr *E) override {
    if (E->isGLValue() && isWatched(E->getType(), *Context) && !isOfBlock(*E))
      addSignal(*E);
    return true;
  }

private:
  /// Where the lvalue or pointer \p E leads to, nobody else sees.
  bool isOfBlock(const Expr &E) const {
    if (!E.isGLValue() && !E.getType()->isPointerType())
      return false;
    const MemoryRoot Root = Roots->of(E);
    return Root && (Root.Space == MemorySpace::Shared ||
                    Root.Space == MemorySpace::Local);
  }

  void addSignal(const Stmt &S) {
    if (Found.isInvalid())
      Found = S.getBeginLoc();
  }

  const ASTContext *Context = nullptr; ///< Of the function looked at.
  const MemoryRoots *Roots = nullptr;
};

} // namespace

HiddenPointers findHiddenPointers(const KernelEffects &Effects) {
  PointerFinder Finder(Effects.Kernel->getASTContext());
  for (const FunctionDecl *Function : Effects.Functions)
    for (const Stmt *Part : codeOf(*Function))
      Finder.TraverseStmt(Part);
  return Finder.Result;
}

SourceLocation findSignal(const KernelEffects &Effects) {
  SignalFinder Finder;
  Finder.addAll(Effects);
  return Finder.Found;
}

} // namespace barricade::dependence

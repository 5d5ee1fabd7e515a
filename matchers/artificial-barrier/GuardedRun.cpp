// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/GuardedRun.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace barricade::artificial_barrier {

bool isPlainScalar(const VarDecl &Var) {
  QualType Type = Var.getType();
  return Var.hasLocalStorage() && !Type.isVolatileQualified() &&
         (Type->isArithmeticType() || Type->isPointerType() ||
          Type->isEnumeralType());
}

namespace {

class NameCollector : public ConstDynamicRecursiveASTVisitor {
public:
  explicit NameCollector(bool Implicit) { ShouldVisitImplicitCode = Implicit; }
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Found;
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    Found.insert(Ref);
    return true;
  }
};

bool isDirect(const facts::VariableUse &U) {
  switch (U.Kind) {
  case facts::UseKind::Read:
    return !U.In && !isa_and_nonnull<CXXForRangeStmt>(U.By);
  case facts::UseKind::Assign:
  case facts::UseKind::Step:
    return !U.In;
  default:
    return false;
  }
}

} // namespace

llvm::SmallPtrSet<const VarDecl *, 16>
variablesNamedIn(llvm::ArrayRef<Stmt *> Code) {
  NameCollector Names(/*Implicit=*/false);
  for (const Stmt *S : Code)
    Names.TraverseStmt(S);
  llvm::SmallPtrSet<const VarDecl *, 16> Result;
  for (const DeclRefExpr *Ref : Names.Found)
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      Result.insert(Var);
  return Result;
}

IndirectUses::IndirectUses(const Stmt &Code) {
  NameCollector Names(/*Implicit=*/true);
  Names.TraverseStmt(&Code);
  for (const auto &[Var, Uses] : facts::VariableFacts(&Code))
    for (const facts::VariableUse &U : Uses)
      if (!isDirect(U))
        Indirect.insert(Var);
      else if (const auto *Ref = dyn_cast<DeclRefExpr>(U.Name))
        Names.Found.erase(Ref);
  // What is not evaluated is no use, but sees the type.
  for (const DeclRefExpr *Ref : Names.Found)
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
      Indirect.insert(Var);
}

namespace {

/// `t = value` gives what `T t(value)` or `T t{value}` did: no class converts
/// its value, nor does the type say how.
bool assignsAlike(const VarDecl &Var, const Expr &Init) {
  const Expr *From = Init.IgnoreUnlessSpelledInSource();
  if (const auto *List = dyn_cast<InitListExpr>(From)) {
    if (List->getNumInits() == 0)
      return true;
    From = List->getInit(0)->IgnoreUnlessSpelledInSource();
  }
  const QualType Type = Var.getType(), Source = From->getType();
  if (Type->isEnumeralType())
    return Source.getCanonicalType().getUnqualifiedType() ==
           Type.getCanonicalType().getUnqualifiedType();
  return Type->isPointerType() ? !Source->isRecordType()
                               : Source->isArithmeticType();
}

bool isTrivialInit(const Expr *Init) {
  if (!Init)
    return true;
  const auto *Construct = dyn_cast<CXXConstructExpr>(Init);
  return Construct && Construct->getConstructor()->isTrivial() &&
         Construct->getNumArgs() == 0;
}

using VariableSet = llvm::SmallPtrSet<const VarDecl *, 16>;

/// Types and bindings are not followed: they always count as needed.
bool isNeeded(const DeclStmt &Declaration, const VariableSet &Later) {
  return llvm::any_of(Declaration.decls(), [&](const Decl *D) {
    const auto *Var = dyn_cast<VarDecl>(D);
    return !Var || isa<DecompositionDecl>(Var) || Later.contains(Var);
  });
}

bool extendsLife(const Expr *Init) {
  return holds(Init, [](const Stmt &S) {
    const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(&S);
    return Temporary && Temporary->getExtendingDecl();
  });
}

/// Nothing is seen of it when the variables' lives end with the `if`, before
/// the loop behind: they have no destructors, and nobody may still know where
/// they are.
bool mayEndEarly(const DeclStmt &Declaration, const IndirectUses &InFunction,
                 const ASTContext &Context) {
  return llvm::all_of(Declaration.decls(), [&](const Decl *D) {
    const auto *Var = cast<VarDecl>(D);
    return Var->hasGlobalStorage() ||
           (!extendsLife(Var->getInit()) &&
            Var->needsDestruction(Context) == QualType::DK_none &&
            (Var->getType()->isReferenceType() || !InFunction.contains(*Var)));
  });
}

/// A declaration that every thread may run as it is: nothing is computed, or
/// constants only.
bool isHarmless(const DeclStmt &Declaration, ASTContext &Context) {
  return llvm::all_of(Declaration.decls(), [&](const Decl *D) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || isa<DecompositionDecl>(Var) ||
        Var->getType()->isReferenceType() || Var->isStaticLocal() ||
        Var->getType().isDestructedType() ||
        Var->getType().isRestrictQualified())
      return false;
    if (isTrivialInit(Var->getInit()))
      return true;
    // Before what stands between, `__COUNTER__` is another number.
    return !Var->hasAttr<CUDASharedAttr>() &&
           !facts::dependsOnPlace(*Var->getInit(),
                                  Context.getSourceManager()) &&
           Context.getBaseElementType(Var->getType())->isArithmeticType() &&
           Var->getInit()->isConstantInitializer(Context, /*ForRef=*/false);
  });
}

/// The variable may be declared without a value and assigned it later: nobody
/// sees that it is no longer const, aligned as it was or the like, nor that its
/// value comes by an assignment.
bool mayBeAssigned(const VarDecl &Var, const IndirectUses &InFunction) {
  if (!isPlainScalar(Var) || Var.isConstexpr() || Var.hasAttrs() ||
      Var.getType().isRestrictQualified() ||
      Var.getInitStyle() == VarDecl::ParenListInit)
    return false;
  if (Var.getType().isConstQualified() && InFunction.contains(Var))
    return false;
  return !Var.getInit() || assignsAlike(Var, *Var.getInit());
}

bool mayBeAssigned(const DeclStmt &Declaration,
                   const IndirectUses &InFunction) {
  return llvm::all_of(Declaration.decls(), [&](const Decl *D) {
    const auto *Var = dyn_cast<VarDecl>(D);
    return Var && mayBeAssigned(*Var, InFunction);
  });
}

/// What is free at either end of \p Statements stays there.
GuardedRun splitOffFree(llvm::ArrayRef<Stmt *> Statements,
                        llvm::function_ref<bool(const Stmt *)> IsFree) {
  GuardedRun Run;
  Run.Guarded = Statements.drop_while(IsFree);
  Run.FreeBefore = Statements.drop_back(Run.Guarded.size());
  while (!Run.Guarded.empty() && IsFree(Run.Guarded.back()))
    Run.Guarded = Run.Guarded.drop_back();
  Run.FreeAfter =
      Statements.drop_front(Run.FreeBefore.size() + Run.Guarded.size());
  return Run;
}

/// Hoists \p Declaration out of \p Run if the code behind, which names \p
/// Later, needs it. False where it can neither move nor stay. \p IsLast: none
/// is behind.
bool placeDeclaration(const DeclStmt &Declaration, const VariableSet &Later,
                      bool IsLast, const IndirectUses &InFunction,
                      ASTContext &Context, GuardedRun &Run) {
  if (!isNeeded(Declaration, Later))
    return IsLast || mayEndEarly(Declaration, InFunction, Context);
  const bool AsItIs = isHarmless(Declaration, Context);
  if (!AsItIs && !mayBeAssigned(Declaration, InFunction))
    return false;
  Run.Hoisted.push_back({&Declaration, AsItIs});
  return true;
}

} // namespace

GuardedRun planGuardedRun(llvm::ArrayRef<Stmt *> Statements,
                          llvm::ArrayRef<Stmt *> Rest,
                          const IndirectUses &InFunction,
                          llvm::function_ref<bool(const DeclStmt &)> IsInFile,
                          ASTContext &Context) {
  GuardedRun Run = splitOffFree(Statements, [&](const Stmt *S) {
    const auto *Declaration = dyn_cast<DeclStmt>(S);
    return Declaration && isHarmless(*Declaration, Context) &&
           IsInFile(*Declaration);
  });
  const VariableSet Later = variablesNamedIn(Rest);
  for (const Stmt *S : Run.Guarded)
    if (const auto *Declaration = dyn_cast<DeclStmt>(S);
        Declaration && !placeDeclaration(*Declaration, Later, Rest.empty(),
                                         InFunction, Context, Run)) {
      Run.Obstacle = Declaration->getBeginLoc();
      break;
    }
  return Run;
}

} // namespace barricade::artificial_barrier

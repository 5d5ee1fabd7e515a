// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-overlap/WaitingKernel.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::launch_overlap {
namespace {

/// The first GPUs on which a kernel can wait for the grid before it.
constexpr unsigned FirstSm = 90;

/// A pointer that \p Type is, holds or leads to is `__restrict__`.
bool isPromised(QualType Type) {
  while (!Type.isNull()) {
    if (Type.isRestrictQualified())
      return true;
    if (const auto *Array = Type->getAsArrayTypeUnsafe())
      Type = Array->getElementType();
    else
      Type = Type->getPointeeType(); // Null where it is no pointer.
  }
  return false;
}

/// \p Type is a pointer that is `__restrict__`, to what holds none.
bool isPlainPromise(QualType Type) {
  return Type->isPointerType() && Type.isRestrictQualified() &&
         !isPromised(Type->getPointeeType());
}

/// It may touch memory, or call what does. Operands in memory are spelled in
/// brackets, whatever the instruction, or left to the compiler.
bool mayTouchMemory(const GCCAsmStmt &Asm) {
  const std::string Text = Asm.getAsmString();
  for (llvm::StringRef Sign : {"[", "call", "griddepcontrol"})
    if (llvm::StringRef(Text).contains_insensitive(Sign))
      return true;
  const auto IsInMemory = [](const std::string &Constraint) {
    return llvm::StringRef(Constraint).find_first_of("moVXgp<>") !=
           llvm::StringRef::npos;
  };
  for (unsigned I = 0; I < Asm.getNumInputs(); ++I)
    if (IsInMemory(Asm.getInputConstraint(I)))
      return true;
  for (unsigned I = 0; I < Asm.getNumOutputs(); ++I)
    if (IsInMemory(Asm.getOutputConstraint(I)))
      return true;
  return false;
}

/// Reads a kernel and all that it calls.
class Reader : public ConstDynamicRecursiveASTVisitor {
public:
  Reader(const PassView &Pass, const ConstantEscapes &Constants)
      : SM(Pass.Context->getSourceManager()), Constants(Constants) {
    ShouldVisitImplicitCode = true;
  }

  WaitingKernel read(const FunctionDecl &Kernel) {
    if (firstGridWait(Kernel))
      OwnWait = cast<CompoundStmt>(Kernel.getBody())->body_front();
    add(&Kernel, Kernel.getLocation());
    while (!Work.empty())
      TraverseDecl(Work.pop_back_val());
    return std::move(Found);
  }

  llvm::SetVector<const Decl *> readName(const DeclRefExpr &Name) {
    TraverseStmt(&Name);
    return std::move(Found.Parts);
  }

  bool TraverseStmt(const Stmt *S) override {
    return (S && S == OwnWait) ||
           ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }

  //===--- What runs ------------------------------------------------------===//

  bool VisitCallExpr(const CallExpr *Call) override {
    const SourceLocation Where = Call->getBeginLoc();
    if (isa<CUDAKernelCallExpr>(Call))
      return refuse(ReasonId::UnknownCall, Where);
    if (fetchesTexture(*Call))
      return refuse(ReasonId::ReadOnlyLoad, Where);
    switch (classifyCall(*Call, SM)) {
    case CallKind::Load:
      return refuse(ReasonId::ReadOnlyLoad, Where);
    case CallKind::Unknown:
      return refuse(ReasonId::UnknownCall, Where);
    case CallKind::Visible:
      return add(calleeDefinition(*Call), Where);
    default:
      // A library's template may call what it is instantiated with.
      return !Call->getDirectCallee()->isTemplateInstantiation() ||
             !calleeDefinition(*Call) || add(calleeDefinition(*Call), Where);
    }
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    const CXXConstructorDecl *Constructor = E->getConstructor();
    return Constructor->isTrivial() || add(Constructor, E->getBeginLoc());
  }
  bool VisitCXXBindTemporaryExpr(const CXXBindTemporaryExpr *E) override {
    return addDestructor(E->getTemporary()->getDestructor()->getParent(),
                         E->getBeginLoc());
  }
  bool VisitInitListExpr(const InitListExpr *List) override {
    return TraverseStmt(List->getArrayFiller());
  }
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool
  VisitCXXInheritedCtorInitExpr(const CXXInheritedCtorInitExpr *E) override {
    return refuse(ReasonId::UnknownCall, E->getBeginLoc());
  }
  bool VisitCXXNewExpr(const CXXNewExpr *E) override {
    return refuse(ReasonId::UnknownCall, E->getBeginLoc());
  }
  bool VisitCXXDeleteExpr(const CXXDeleteExpr *E) override {
    return refuse(ReasonId::UnknownCall, E->getBeginLoc());
  }

  //===--- What may be moved before the wait ------------------------------===//

  bool VisitValueDecl(const ValueDecl *D) override {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (isPromised(D->getType()))
      notePromise(Var, D->getType(), D->getLocation());
    return !Var || addDestructor(classOf(Var->getType()), D->getLocation());
  }
  bool VisitExpr(const Expr *E) override {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E); isPromised(E->getType()))
      notePromise(Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr,
                  E->getType(), E->getExprLoc());
    return true;
  }
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    return !mayTouchMemory(*Asm) ||
           refuse(ReasonId::InlineAssembly, Asm->getAsmLoc());
  }
  bool VisitMSAsmStmt(const MSAsmStmt *Asm) override {
    return refuse(ReasonId::InlineAssembly, Asm->getAsmLoc());
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (const auto *Shadow = dyn_cast<UsingShadowDecl>(Ref->getFoundDecl()))
      addPart(*Shadow->getIntroducer());
    return name(*Ref->getDecl(), Ref->getLocation());
  }

  //===--- What else it consists of ---------------------------------------===//

  bool VisitMemberExpr(const MemberExpr *E) override {
    addPart(*cast<Decl>(E->getMemberDecl()->getDeclContext()));
    return name(*E->getMemberDecl(), E->getMemberLoc());
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc TL) override {
    addPart(*TL.getDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc TL) override {
    addPart(*TL.getDecl());
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(
      TemplateSpecializationTypeLoc TL) override {
    const TemplateDecl *Template =
        TL.getTypePtr()->getTemplateName().getAsTemplateDecl();
    if (Template && Template->getTemplatedDecl())
      addPart(*Template->getTemplatedDecl());
    return true;
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc Name) override {
    if (const auto *Alias = aliasIn(Name))
      addPart(*Alias);
    return ConstDynamicRecursiveASTVisitor::TraverseNestedNameSpecifierLoc(
        Name);
  }

private:
  /// Always true: one look finds all there is.
  bool refuse(ReasonId Id, SourceLocation Where) {
    Found.Blockers.push_back(blocker(Id, Where));
    return true;
  }

  /// \p Var, of the type \p Type, is promised; null: something else is.
  void notePromise(const VarDecl *Var, QualType Type, SourceLocation Where) {
    if (Var && isPlainPromise(Type))
      Found.Promises.push_back(
          blocker(ReasonId::ReadOnlyLoad, Var->getLocation()));
    else
      refuse(ReasonId::ReadOnlyLoad, Where);
  }

  /// \p D is named at \p Where.
  bool name(const ValueDecl &D, SourceLocation Where) {
    if (isa<EnumConstantDecl>(D))
      addPart(*cast<Decl>(D.getDeclContext()));
    const auto *Var = dyn_cast<VarDecl>(&D);
    if (!Var || !Var->hasGlobalStorage())
      return true;
    addPart(*Var);
    return !Var->hasAttr<CUDAConstantAttr>() || !Constants.mayBeWritten(*Var) ||
           refuse(ReasonId::ConstantMemory, Where);
  }

  void addPart(const Decl &D) {
    if (facts::isLibraryCode(D) || SM.isInSystemHeader(D.getLocation()) ||
        !Found.Parts.insert(&D))
      return;
    // A reference or a pointer that leads on.
    if (const auto *Var = dyn_cast<VarDecl>(&D);
        Var && Var->hasGlobalStorage() && Var->getInit())
      TraverseStmt(Var->getInit());
    if (const auto *Name = dyn_cast<TypedefNameDecl>(&D))
      TraverseTypeLoc(Name->getTypeSourceInfo()->getTypeLoc());
    if (const auto *Class = dyn_cast<RecordDecl>(&D))
      for (const FieldDecl *Field : Class->fields())
        if (const TypeSourceInfo *Type = Field->getTypeSourceInfo())
          TraverseTypeLoc(Type->getTypeLoc());
    if (const auto *Class = dyn_cast<CXXRecordDecl>(&D);
        Class && Class->hasDefinition())
      for (const CXXBaseSpecifier &Base : Class->bases())
        TraverseTypeLoc(Base.getTypeSourceInfo()->getTypeLoc());
  }

  static const NamespaceAliasDecl *aliasIn(NestedNameSpecifierLoc Name) {
    const NestedNameSpecifier Plain = Name.getNestedNameSpecifier();
    return Plain.getKind() == NestedNameSpecifier::Kind::Namespace
               ? dyn_cast<NamespaceAliasDecl>(
                     Plain.getAsNamespaceAndPrefix().Namespace)
               : nullptr;
  }

  bool add(const FunctionDecl *Function, SourceLocation CalledAt) {
    const FunctionDecl *Definition = nullptr;
    if (!Function || !Function->hasBody(Definition))
      return refuse(ReasonId::UnknownCall, CalledAt);
    if (!Found.Functions.insert(Definition))
      return true;
    Work.push_back(Definition);
    addPart(spelledFunction(*Definition));
    if (Definition->isWeak())
      refuse(ReasonId::OtherVersion, Definition->getLocation());
    const auto *Method = dyn_cast<CXXMethodDecl>(Definition);
    // What a `malloc` returns is taken for memory that nobody else has.
    if (Definition->hasAttr<ConstAttr>() ||
        Definition->hasAttr<RestrictAttr>() ||
        (Method && Method->getMethodQualifiers().hasRestrict()))
      refuse(ReasonId::ReadOnlyLoad, Definition->getLocation());
    return true;
  }

  /// Those of its members and bases, too, which no statement names.
  bool addDestructor(const CXXRecordDecl *Class, SourceLocation Where) {
    if (!Class || !Class->hasDefinition() || Class->hasTrivialDestructor())
      return true;
    add(Class->getDestructor(), Where);
    for (const FieldDecl *Field : Class->fields())
      addDestructor(classOf(Field->getType()), Where);
    for (const CXXBaseSpecifier &Base : Class->bases())
      addDestructor(classOf(Base.getType()), Where);
    return true;
  }

  const SourceManager &SM;
  const ConstantEscapes &Constants;
  const Stmt *OwnWait = nullptr;
  llvm::SmallVector<const FunctionDecl *, 16> Work;
  WaitingKernel Found;
};

} // namespace

WaitingKernel inspectWaiting(const FunctionDecl &Kernel, const Program &Whole,
                             const PassView &Pass,
                             const ConstantEscapes &Constants) {
  WaitingKernel Result = Reader(Pass, Constants).read(Kernel);
  const auto Refuse = [&](ReasonId Id) {
    Result.Blockers.push_back(blocker(Id, Kernel.getLocation()));
  };
  if (Pass.Sm < FirstSm ||
      llvm::any_of(Whole.TargetSms, [](unsigned Sm) { return Sm < FirstSm; }))
    Refuse(ReasonId::Architecture);
  // As if each pointer were __restrict__.
  if (Whole.RestrictKernelPointers &&
      llvm::any_of(Kernel.parameters(), [](const ParmVarDecl *P) {
        return P->getType()->isPointerType();
      }))
    Refuse(ReasonId::ReadOnlyLoad);
  return Result;
}

llvm::SetVector<const Decl *> partsOf(const DeclRefExpr &Name,
                                      const PassView &Pass,
                                      const ConstantEscapes &Constants) {
  return Reader(Pass, Constants).readName(Name);
}

} // namespace barricade::launch_overlap

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-overlap/WaitingKernel.h"
#include "matchers/DeviceCalls.h"
#include "matchers/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <optional>

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

class AddressFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit AddressFinder(bool &Asks) : Asks(Asks) {}
  bool VisitOverloadExpr(const OverloadExpr *E) override {
    return look(E->getName());
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    return look(Ref->getDecl()->getDeclName());
  }

private:
  bool look(DeclarationName Name) {
    const std::string Text = Name.getAsString();
    Asks |= llvm::StringRef(Text).contains("SymbolAddress") ||
            llvm::StringRef(Text).contains("ModuleGetGlobal");
    return !Asks;
  }
  bool &Asks;
};

/// The host asks for the address of some device variable.
bool asksForAddresses(const PassView &Host) {
  bool Asks = false;
  for (const Decl *D : userDeclarations(*Host.Context)) {
    AddressFinder Finder(Asks);
    Finder.TraverseDecl(D);
  }
  return Asks;
}

/// Reads a kernel and all that it calls.
class Reader : public ConstDynamicRecursiveASTVisitor {
public:
  Reader(const Program &Whole, const PassView &Pass)
      : Whole(Whole), SM(Pass.Context->getSourceManager()) {
    ShouldVisitImplicitCode = true;
  }

  std::vector<Hindrance> read(const FunctionDecl &Kernel) {
    add(&Kernel, Kernel.getLocation());
    while (!Work.empty())
      TraverseDecl(Work.pop_back_val());
    return std::move(Found);
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
    if (isPromised(D->getType()))
      return refuse(ReasonId::ReadOnlyLoad, D->getLocation());
    const auto *Var = dyn_cast<VarDecl>(D);
    return !Var || addDestructor(classOf(Var->getType()), D->getLocation());
  }
  bool VisitMemberExpr(const MemberExpr *E) override {
    return !isPromised(E->getMemberDecl()->getType()) ||
           refuse(ReasonId::ReadOnlyLoad, E->getExprLoc());
  }
  /// Operands in memory are spelled in brackets, whatever the instruction.
  bool VisitGCCAsmStmt(const GCCAsmStmt *Asm) override {
    const std::string Text = Asm->getAsmString();
    return !llvm::StringRef(Text).contains_insensitive("griddepcontrol") &&
                   !llvm::StringRef(Text).contains('[')
               ? true
               : refuse(ReasonId::InlineAssembly, Asm->getAsmLoc());
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || !Var->hasGlobalStorage())
      return true;
    if (isPromised(Var->getType()))
      return refuse(ReasonId::ReadOnlyLoad, Ref->getLocation());
    if (Var->hasAttr<CUDAConstantAttr>() && mayBeWritten(*Var))
      return refuse(ReasonId::ConstantMemory, Ref->getLocation());
    return true;
  }

private:
  /// Always true: one look finds all there is.
  bool refuse(ReasonId Id, SourceLocation Where) {
    Found.push_back(hindrance(Id, Where));
    return true;
  }

  bool add(const FunctionDecl *Function, SourceLocation CalledAt) {
    const FunctionDecl *Definition = nullptr;
    if (!Function || !Function->hasBody(Definition))
      return refuse(ReasonId::UnknownCall, CalledAt);
    if (Seen.insert(Definition).second)
      Work.push_back(const_cast<FunctionDecl *>(Definition));
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

  static const CXXRecordDecl *classOf(QualType Type) {
    return Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  }

  /// A kernel can write constant memory by its address alone, of which the host
  /// asks.
  bool mayBeWritten(const VarDecl &Constant) {
    if (Whole.RelocatableDeviceCode && Constant.isExternallyVisible())
      return true;
    if (!AsksForAddresses)
      AsksForAddresses = !Whole.host() || asksForAddresses(*Whole.host());
    return *AsksForAddresses;
  }

  const Program &Whole;
  const SourceManager &SM;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;
  llvm::SmallVector<FunctionDecl *, 16> Work;
  std::vector<Hindrance> Found;
  std::optional<bool> AsksForAddresses;
};

} // namespace

std::vector<Hindrance> whyNotWaiting(const FunctionDecl &Kernel,
                                     const Program &Whole,
                                     const PassView &Pass) {
  std::vector<Hindrance> Found = Reader(Whole, Pass).read(Kernel);
  if (Pass.Sm < FirstSm ||
      llvm::any_of(Whole.TargetSms, [](unsigned Sm) { return Sm < FirstSm; }))
    Found.push_back(hindrance(ReasonId::Architecture, Kernel.getLocation()));
  // As if each pointer were __restrict__.
  if (Whole.RestrictKernelPointers &&
      llvm::any_of(Kernel.parameters(), [](const ParmVarDecl *P) {
        return P->getType()->isPointerType();
      }))
    Found.push_back(hindrance(ReasonId::ReadOnlyLoad, Kernel.getLocation()));
  return Found;
}

} // namespace barricade::launch_overlap

//===- SkipHostInstantiations.cpp - Templates nobody looks at -------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/SkipHostInstantiations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace {

bool runsOnDevice(const FunctionDecl &Function) {
  return Function.hasAttr<CUDADeviceAttr>() ||
         Function.hasAttr<CUDAGlobalAttr>();
}

/// Whether types and template arguments name something of the user's.
class UserNames {
public:
  explicit UserNames(const SourceManager &SM) : SM(SM) {}

  bool in(const FunctionDecl &Function) const {
    if (const auto *Args = Function.getTemplateSpecializationArgs())
      if (in(Args->asArray()))
        return true;
    return inScope(Function);
  }

  bool isUserPlace(SourceLocation Where) const {
    return Where.isValid() && !SM.isInSystemHeader(SM.getExpansionLoc(Where));
  }

private:
  bool in(llvm::ArrayRef<TemplateArgument> Args) const {
    return llvm::any_of(Args, [&](const TemplateArgument &A) { return in(A); });
  }

  bool in(const TemplateArgument &A) const {
    switch (A.getKind()) {
    case TemplateArgument::Null:
    case TemplateArgument::NullPtr:
    case TemplateArgument::Integral:
      return false;
    case TemplateArgument::Type:
      return in(A.getAsType());
    case TemplateArgument::Pack:
      return in(A.pack_elements());
    case TemplateArgument::Declaration:
      return isUserPlace(A.getAsDecl()->getLocation());
    default:
      // Templates, structural values: rare enough not to look into.
      return true;
    }
  }

  bool in(QualType Written) const {
    const clang::Type *T = Written.getCanonicalType().getTypePtr();
    if (isa<BuiltinType>(T))
      return false;
    if (const auto *Tag = dyn_cast<TagType>(T))
      return in(*Tag->getDecl());
    if (const auto *Array = dyn_cast<clang::ArrayType>(T))
      return in(Array->getElementType());
    if (const auto *Vector = dyn_cast<clang::VectorType>(T))
      return in(Vector->getElementType());
    if (isa<MemberPointerType>(T))
      return true;
    if (const auto *Function = dyn_cast<FunctionProtoType>(T))
      return in(Function->getReturnType()) ||
             llvm::any_of(Function->param_types(),
                          [&](QualType P) { return in(P); });
    if (QualType Pointee = T->getPointeeType(); !Pointee.isNull())
      return in(Pointee);
    return true;
  }

  bool in(const TagDecl &Tag) const {
    if (isUserPlace(Tag.getLocation()))
      return true;
    if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(&Tag))
      if (in(Instance->getTemplateArgs().asArray()))
        return true;
    return inScope(Tag);
  }

  /// Whether a class or function around \p D has something of the user's.
  bool inScope(const Decl &D) const {
    const DeclContext *Scope = D.getDeclContext();
    if (const auto *Tag = dyn_cast<TagDecl>(Scope))
      return in(*Tag);
    if (const auto *Function = dyn_cast<FunctionDecl>(Scope))
      return isUserPlace(Function->getLocation()) || in(*Function);
    return false;
  }

  const SourceManager &SM;
};

/// Finds device code and the functions that it names.
class DeviceCode : public ConstDynamicRecursiveASTVisitor {
public:
  std::vector<SourceRange> Ranges;
  std::vector<const FunctionDecl *> Named;

  DeviceCode() {
    ShouldVisitImplicitCode = true;
    ShouldVisitLambdaBody = true;
  }

  bool TraverseDecl(const Decl *D) override {
    const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
    bool Outermost = Function && !Inside && runsOnDevice(*Function);
    if (Outermost)
      Ranges.push_back(Function->getSourceRange());
    Inside |= Outermost;
    bool Continue = ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    if (Outermost)
      Inside = false;
    return Continue;
  }
  bool TraverseLambdaExpr(const LambdaExpr *Lambda) override {
    bool Outermost = !Inside && runsOnDevice(*Lambda->getCallOperator());
    if (Outermost)
      Ranges.push_back(Lambda->getSourceRange());
    Inside |= Outermost;
    bool Continue = ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    if (Outermost)
      Inside = false;
    return Continue;
  }

  bool VisitDeclRefExpr(const DeclRefExpr *E) override {
    return name(dyn_cast<FunctionDecl>(E->getDecl()));
  }
  bool VisitMemberExpr(const MemberExpr *E) override {
    return name(dyn_cast<FunctionDecl>(E->getMemberDecl()));
  }
  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    return name(E->getConstructor());
  }
  bool VisitVarDecl(const VarDecl *V) override {
    if (const CXXRecordDecl *Class = V->getType()->getAsCXXRecordDecl();
        Class && Class->hasDefinition())
      name(Class->getDestructor());
    return true;
  }

private:
  bool name(const FunctionDecl *Function) {
    if (Inside && Function)
      Named.push_back(Function);
    return true;
  }

  bool Inside = false;
};

class SkipHostInstantiations : public SemaConsumer {
  using Pending = Sema::PendingImplicitInstantiation;

  void InitializeSema(Sema &S) override { Semantics = &S; }
  void ForgetSema() override { Semantics = nullptr; }

  // What is read back in from a precompiled preamble.
  void HandleInterestingDecl(DeclGroupRef) override {}

  /// Comes after each declaration of the source, and after each function that
  /// was instantiated.
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    DeviceCode Device;
    for (const Decl *D : Group)
      Device.TraverseDecl(D);
    llvm::append_range(DeviceRanges, Device.Ranges);
    for (const FunctionDecl *Function : Device.Named)
      demand(*Function->getCanonicalDecl());
    putOff();
    return true;
  }

  /// Device code needs the body of \p Function. A use that is not the first one
  /// does not queue it again.
  void demand(const FunctionDecl &Function) {
    Demanded.insert(&Function);
    auto It = PutOff.find(&Function);
    if (It == PutOff.end())
      return;
    Semantics->PendingInstantiations.push_back(It->second);
    PutOff.erase(It);
  }

  /// Takes from the queue what nobody will look at, as far as we know by now.
  void putOff() {
    llvm::erase_if(Semantics->PendingInstantiations, [&](const Pending &P) {
      const auto *Function = dyn_cast<FunctionDecl>(P.first);
      if (!Function || !isForHostOnly(*Function, P.second))
        return false;
      PutOff.insert({Function->getCanonicalDecl(), P});
      return true;
    });
  }

  /// Whether \p Function, a system header's, was first used at \p Use in host
  /// code of the user, and concerns nobody else.
  bool isForHostOnly(const FunctionDecl &Function, SourceLocation Use) const {
    const SourceManager &SM = Semantics->getSourceManager();
    const UserNames Names(SM);
    Use = SM.getExpansionLoc(Use);
    return Names.isUserPlace(Use) &&
           !Names.isUserPlace(Function.getLocation()) && !Names.in(Function) &&
           !Demanded.contains(Function.getCanonicalDecl()) &&
           llvm::none_of(DeviceRanges, [&](SourceRange R) {
             return SM.isPointWithin(Use, SM.getExpansionLoc(R.getBegin()),
                                     SM.getExpansionLoc(R.getEnd()));
           });
  }

  Sema *Semantics = nullptr;
  // By canonical declaration.
  llvm::DenseMap<const FunctionDecl *, Pending> PutOff;
  llvm::DenseSet<const FunctionDecl *> Demanded; ///< By device code.
  std::vector<SourceRange> DeviceRanges;         ///< All of them so far.
};

} // namespace

std::unique_ptr<ASTConsumer> barricade::makeSkipHostInstantiations() {
  return std::make_unique<SkipHostInstantiations>();
}

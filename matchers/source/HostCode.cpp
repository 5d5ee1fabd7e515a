// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/HostCode.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

using namespace clang;

namespace barricade {

bool mayRunOnHost(const FunctionDecl &Function) {
  return !Function.hasAttr<CUDAGlobalAttr>() &&
         (!Function.hasAttr<CUDADeviceAttr>() ||
          Function.hasAttr<CUDAHostAttr>());
}

namespace {

bool mayAct(const Stmt &S) {
  return isa<CallExpr, CXXConstructExpr, CXXNewExpr, CXXDeleteExpr, LambdaExpr>(
      S);
}

/// Takes what is written as a function's code, and notes every expression that
/// may do something and is no part of what was met before.
class HostCodeFinder : public ConstDynamicRecursiveASTVisitor {
public:
  std::vector<HostCode> Functions;

  bool VisitFunctionDecl(const FunctionDecl *Function) override {
    const auto *Method = dyn_cast<CXXMethodDecl>(Function);
    if (Function->doesThisDeclarationHaveABody() &&
        !(Method && Method->getParent()->isLambda()))
      addFunction(*Function);
    return true;
  }

  /// Constructors that nobody wrote have initialisers, too.
  bool VisitCXXRecordDecl(const CXXRecordDecl *Record) override {
    for (const CXXConstructorDecl *Constructor : Record->ctors())
      if (Constructor->isImplicit() &&
          Constructor->doesThisDeclarationHaveABody())
        addFunction(*Constructor);
    return true;
  }

  bool VisitExpr(const Expr *E) override {
    if (mayAct(*E) && !InFunctions.contains(E) && !InOthers.contains(E)) {
      Others.push_back(E);
      noteParts(*E, InOthers);
    }
    return true;
  }

  void visitAll(llvm::function_ref<void(const HostCode &)> Visit) const {
    for (const HostCode &Code : Functions)
      Visit(Code);
    // A constructor's code may have been met after what it begins members with.
    for (const Expr *E : Others)
      if (!InFunctions.contains(E))
        Visit({nullptr, {E}});
  }

private:
  using Expressions = llvm::DenseSet<const Stmt *>;

  void addFunction(const FunctionDecl &Function) {
    HostCode Code = {&Function, codeOf(Function)};
    for (const Stmt *Part : Code.Parts)
      noteParts(*Part, InFunctions);
    if (!Function.hasAttr<CUDAGlobalAttr>())
      Functions.push_back(std::move(Code));
  }

  /// What is written there, not what declarations elsewhere say.
  static void noteParts(const Stmt &S, Expressions &Noted) {
    if (mayAct(S))
      Noted.insert(&S);
    for (const Stmt *Child : S.children())
      if (Child)
        noteParts(*Child, Noted);
  }

  std::vector<const Expr *> Others;
  Expressions InFunctions, InOthers;
};

} // namespace

void forEachHostCode(ASTContext &Context,
                     llvm::function_ref<void(const HostCode &)> Visit) {
  HostCodeFinder Finder;
  for (const Decl *D : userDeclarations(Context))
    Finder.TraverseDecl(D);
  Finder.visitAll(Visit);
}

const FunctionDecl *functionAround(const LambdaExpr &Lambda,
                                   const FunctionDecl *Around) {
  return Around ? Around : Lambda.getCallOperator();
}

} // namespace barricade

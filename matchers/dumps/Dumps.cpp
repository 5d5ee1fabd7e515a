// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/dumps/Dumps.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace barricade::dumps {

void forEachFunction(ASTContext &Context,
                     llvm::function_ref<void(const FunctionDecl &)> Visit) {
  struct Finder : ConstDynamicRecursiveASTVisitor {
    explicit Finder(llvm::function_ref<void(const FunctionDecl &)> Visit)
        : Visit(Visit) {
      ShouldVisitTemplateInstantiations = true;
    }
    llvm::function_ref<void(const FunctionDecl &)> Visit;
    bool VisitFunctionDecl(const FunctionDecl *F) override {
      if (F->doesThisDeclarationHaveABody() && !F->isDependentContext())
        Visit(*F);
      return true;
    }
  } Find(Visit);
  for (const Decl *D : userDeclarations(Context))
    Find.TraverseDecl(D);
}

void forEachHostFunction(const PassView &Pass,
                         llvm::function_ref<void(const FunctionDecl &)> Visit) {
  if (Pass.IsDevice)
    return;
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    if (mayRunOnHost(Function))
      Visit(Function);
  });
}

void forEachStatement(const FunctionDecl &Function,
                      llvm::function_ref<void(const Stmt &)> Visit) {
  (void)codeHolds(Function, [&](const Stmt &S) {
    Visit(S);
    return false;
  });
}

void forEachStatement(ASTContext &Context,
                      llvm::function_ref<void(const Stmt &)> Visit) {
  forEachFunction(Context, [&](const FunctionDecl &Function) {
    forEachStatement(Function, Visit);
  });
}

void forEachFullExpression(ASTContext &Context,
                           llvm::function_ref<void(const Expr &)> Visit) {
  const auto VisitIfExpr = [&](const Stmt *S) {
    if (const auto *E = dyn_cast_or_null<Expr>(S))
      Visit(*E);
  };
  forEachFunction(Context, [&](const FunctionDecl &Function) {
    for (const Stmt *Part : codeOf(Function))
      VisitIfExpr(Part);
    forEachStatement(Function, [&](const Stmt &S) {
      // Of a loop over a range the compiler writes most.
      if (!isa<Expr, SwitchCase, CXXForRangeStmt>(S))
        for (const Stmt *Child : S.children())
          VisitIfExpr(Child);
    });
  });
}

void forEachLocal(const FunctionDecl &Function,
                  llvm::function_ref<void(const VarDecl &)> Visit) {
  for (const ParmVarDecl *Parameter : Function.parameters())
    Visit(*Parameter);
  forEachStatement(Function, [&](const Stmt &S) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      for (const Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          Visit(*Var);
  });
}

void forEachKernel(const PassView &Pass, const Program &Whole,
                   llvm::function_ref<void(const KernelEffects &)> Visit) {
  if (!Pass.IsDevice)
    return;
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels)
    Visit(collectKernelEffects(*Kernel, Whole.RestrictKernelPointers));
}

void forEachDeviceFunction(
    const PassView &Pass,
    llvm::function_ref<void(const FunctionDecl &)> Visit) {
  if (!Pass.IsDevice)
    return;
  const UserCode Code = collectUserCode(*Pass.Context);
  for (const auto *Functions : {&Code.Kernels, &Code.DeviceFunctions})
    for (const FunctionDecl *Function : *Functions)
      Visit(*Function);
}

std::string quoted(const NamedDecl *D) {
  return "'" + (D ? D->getNameAsString() : "?") + "'";
}

std::string loopAt(const Stmt &Loop, const ASTContext &Context) {
  return "the loop at line " +
         std::to_string(Context.getSourceManager().getExpansionLineNumber(
             Loop.getBeginLoc()));
}

void tellAll(llvm::ArrayRef<Blocker> Blockers, llvm::StringRef Prefix,
             Annotate Tell) {
  for (const Blocker &Each : Blockers) {
    Tell(Each.Where, (Prefix + Each.Why.Summary).str());
    for (const auto &[Where, Text] : Each.Notes)
      Tell(Where, Text);
  }
}

} // namespace barricade::dumps

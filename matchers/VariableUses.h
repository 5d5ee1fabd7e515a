// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References to variables, told apart by whether what stands around them shows
// all that is done to the variable.

#ifndef BARRICADE_MATCHERS_VARIABLEUSES_H
#define BARRICADE_MATCHERS_VARIABLEUSES_H

#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

namespace barricade {

/// Collects the references to variables in what it traverses. Those that only
/// read the variable's value are plain; subclasses know of more.
class VariableUses : public clang::ConstDynamicRecursiveASTVisitor {
public:
  VariableUses() { ShouldVisitImplicitCode = true; }

  /// Calls \p Visit for each reference that has been traversed.
  void forEach(llvm::function_ref<void(const clang::DeclRefExpr &Ref,
                                       const clang::VarDecl &Var, bool IsPlain)>
                   Visit) const {
    for (const clang::DeclRefExpr *Ref : All)
      Visit(*Ref, *clang::cast<clang::VarDecl>(Ref->getDecl()),
            Plain.contains(Ref));
  }

  bool VisitDeclRefExpr(const clang::DeclRefExpr *Ref) override {
    if (clang::isa<clang::VarDecl>(Ref->getDecl()))
      All.push_back(Ref);
    return true;
  }
  bool VisitLambdaExpr(const clang::LambdaExpr *Lambda) override {
    for (const clang::LambdaCapture &Capture : Lambda->captures())
      if (Capture.capturesVariable() &&
          Capture.getCaptureKind() == clang::LCK_ByRef)
        if (const auto *Var =
                clang::dyn_cast<clang::VarDecl>(Capture.getCapturedVar()))
          Captured.insert(Var);
    return true;
  }
  bool VisitImplicitCastExpr(const clang::ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == clang::CK_LValueToRValue)
      setPlain(*Cast->getSubExpr());
    return true;
  }

  /// The variables that lambdas capture by reference: what runs in those, and
  /// when, is not followed.
  const llvm::SmallPtrSetImpl<const clang::VarDecl *> &
  capturedByReference() const {
    return Captured;
  }

protected:
  /// The variable that the lvalue \p E is, or null.
  virtual const clang::DeclRefExpr *variableIn(const clang::Expr &E) const {
    return clang::dyn_cast<clang::DeclRefExpr>(E.IgnoreParens());
  }

  /// The reference that the lvalue \p E is, or null: now a plain one.
  const clang::DeclRefExpr *setPlain(const clang::Expr &E) {
    const clang::DeclRefExpr *Ref = variableIn(E);
    if (Ref)
      Plain.insert(Ref);
    return Ref;
  }

private:
  std::vector<const clang::DeclRefExpr *> All;
  llvm::SmallPtrSet<const clang::DeclRefExpr *, 32> Plain;
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Captured;
};

} // namespace barricade

#endif

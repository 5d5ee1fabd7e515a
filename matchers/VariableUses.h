// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References to variables, told apart by whether what stands around them shows
// all that is done to the variable.

#ifndef BARRICADE_MATCHERS_VARIABLEUSES_H
#define BARRICADE_MATCHERS_VARIABLEUSES_H

#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
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
  bool VisitImplicitCastExpr(const clang::ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == clang::CK_LValueToRValue)
      setPlain(*Cast->getSubExpr());
    return true;
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
};

} // namespace barricade

#endif

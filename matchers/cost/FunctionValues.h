// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integers and pointers of one function as affine forms: where its
// variables get their values, and how its loops change them.

#ifndef BARRICADE_MATCHERS_COST_FUNCTIONVALUES_H
#define BARRICADE_MATCHERS_COST_FUNCTIONVALUES_H

#include "matchers/cost/CostOnly.h"
#include "matchers/facts/AffineForm.h"
#include <memory>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade {

/// How the variables of one function get their values: the base for turning its
/// expressions into affine forms. The forms of pointers count bytes.
///
/// A variable with one definition is replaced by it. A variable that loops
/// change by a fixed step is an induction. If it starts at a value that the
/// block shares, it is a symbol of its own name; otherwise it is its start plus
/// its step times the number of the iteration, which is the loop's own variable
/// if that counts by ones, and the symbol `it(v)` for a variable `v` if not.
/// Order within an iteration is not modelled: `*p++` and a later `*p` have the
/// same form.
///
/// Integers have no end here, and memory keeps its contents: no proof may rest
/// on it.
class FunctionValues {
public:
  FunctionValues(const clang::FunctionDecl &F, clang::ASTContext &Ctx,
                 ForCostOnly);
  ~FunctionValues();
  FunctionValues(const FunctionValues &) = delete;
  FunctionValues &operator=(const FunctionValues &) = delete;

  /// The value of the integer or pointer expression \p E of the function.
  AffineForm evaluate(const clang::Expr &E);
  /// The address of the lvalue \p E of the function, in bytes.
  AffineForm addressOf(const clang::Expr &E);

  /// What \p Form grows by from one iteration of \p Loop to the next; nothing
  /// where that is not the same for all iterations.
  std::optional<AffineForm> change(const AffineForm &Form,
                                   const clang::Stmt &Loop);
  /// The loop whose iterations tell the values of \p S apart (the innermost, if
  /// there are several), or null for a value that no loop changes.
  const clang::Stmt *loopOf(const Symbol &S) const;
  /// Whether \p S stands for an expression that cannot be told further, such as
  /// a load, which stands in \p Loop (null: anywhere in the function).
  bool isExpressionIn(const Symbol &S, const clang::Stmt *Loop) const;
  /// Whether \p Loop (its condition and increment included) assigns \p V or may
  /// change it through a pointer or reference.
  bool isChangedIn(const clang::VarDecl &V, const clang::Stmt &Loop) const;
  /// Whether \p V may be changed by other names than its own, so that the
  /// places are not known.
  bool isExposed(const clang::VarDecl &V) const;
  /// Whether \p V is declared before \p Loop, so that it outlives it.
  bool isDeclaredOutside(const clang::VarDecl &V,
                         const clang::Stmt &Loop) const;
  /// The loop right around \p Loop, null if none.
  const clang::Stmt *parentLoop(const clang::Stmt &Loop) const;
  /// How often the body of \p Loop runs, as far as it is the same for each
  /// time the loop is entered: a constant, or a form in uniform values.
  std::optional<AffineForm> tripCount(const clang::Stmt &Loop);

private:
  class Impl;
  std::unique_ptr<Impl> I;
};

} // namespace barricade

#endif

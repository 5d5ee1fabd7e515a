// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values a loop's pointers may have: those that some of them had before,
// if the loop only hands them on.
//
//   std::swap(a, b);             // a and b: one of the two that they had
//   float *t = p; p = q; q = t;  // p, q and t: one of those of p and q
//   q = odd ? a : b;             // q: as a or b
//   r += n;                      // r: any

#ifndef BARRICADE_MATCHERS_DEPENDENCE_POINTERCOPIES_H
#define BARRICADE_MATCHERS_DEPENDENCE_POINTERCOPIES_H

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace barricade::dependence {

class PointerCopies {
public:
  explicit PointerCopies(const grid_barrier::RelaunchLoop &L);

  /// \p Var is a pointer that, wherever the loop stands, has a value that one
  /// of relatives(Var) had at any one time before.
  bool isKnown(const clang::VarDecl &Var) const;

  /// The variables that a known one may get values from, directly or by
  /// others, and itself, in the order of their declarations.
  llvm::SmallVector<const clang::VarDecl *, 4>
  relatives(const clang::VarDecl &Var) const;

private:
  void addUse(const clang::VarDecl &Var, const clang::Stmt *By,
              bool IsAssignment);
  void addCopy(const clang::VarDecl &To, const clang::Expr *From);

  const grid_barrier::RelaunchLoop &L;
  llvm::EquivalenceClasses<const clang::VarDecl *> Related;
  /// Those that get other values, too.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Others;
};

} // namespace barricade::dependence

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a whole number may be, as far as a few constants go: enough for indices
// that toggle, `x = 1 - x`, `x ^= 1`, `(x + 1) % 3`, `t & 1`.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_SMALLVALUES_H
#define BARRICADE_MATCHERS_GRIDBARRIER_SMALLVALUES_H

#include "clang/AST/OperationKinds.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace clang {
class ASTContext;
class Expr;
class VarDecl;
} // namespace clang

namespace barricade::grid_barrier {

/// One of a few constants (of none: there is no value yet), or any number that
/// is not negative, or any number.
class SmallValues {
public:
  static SmallValues none() { return {}; }
  static SmallValues one(int64_t Value);
  static SmallValues nonNegative();
  static SmallValues any();

  /// More constants than a set may hold become one of the other kinds.
  void include(const SmallValues &Others);

  /// In ascending order; null where they are not few.
  const llvm::SmallVectorImpl<int64_t> *constants() const;
  std::optional<int64_t> constant() const; ///< The only one.
  bool isNonNegative() const;              ///< All are.

  bool operator==(const SmallValues &) const = default;

private:
  enum KindTy { Constants, NonNegative, Any };
  KindTy Kind = Constants;
  llvm::SmallVector<int64_t, 4> Set; ///< Sorted.
};

using ValuesOfVariable =
    llvm::function_ref<SmallValues(const clang::VarDecl &Var)>;

/// The values that the expression \p E may have.
SmallValues valuesOf(const clang::Expr &E, ValuesOfVariable OfVariable,
                     const clang::ASTContext &Context);

/// All values of \p Type, as far as they are told apart.
SmallValues valuesOf(clang::QualType Type, const clang::ASTContext &Context);

/// What `x Op= Right` makes of the whole number x, or `x = x Op Right`. \p Type
/// is that of x, \p Computed that of the operation.
SmallValues valuesAfter(const SmallValues &Old, clang::BinaryOperatorKind Op,
                        const SmallValues &Right, clang::QualType Type,
                        clang::QualType Computed,
                        const clang::ASTContext &Context);

} // namespace barricade::grid_barrier

#endif

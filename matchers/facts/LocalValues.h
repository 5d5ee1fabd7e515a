// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which local variables of a function keep their first value.

#ifndef BARRICADE_MATCHERS_FACTS_LOCALVALUES_H
#define BARRICADE_MATCHERS_FACTS_LOCALVALUES_H

#include "matchers/facts/VariableFacts.h"

namespace clang {
class CompoundAssignOperator;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace barricade {

class LocalValues {
public:
  /// Reads the body of \p Function.
  explicit LocalValues(const clang::FunctionDecl &Function);

  /// The variable keeps the value that it was born with: nothing but reads
  /// follows.
  bool isConstant(const clang::VarDecl &Var) const;

  /// The `+=` by which the variable grows, if that is all that happens to it,
  /// and happens at one place; else null.
  const clang::CompoundAssignOperator *
  onlyStep(const clang::VarDecl &Var) const;

private:
  const facts::VariableFacts Facts;
};

} // namespace barricade

#endif

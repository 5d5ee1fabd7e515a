// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables does a statement assign, by their names or by operators and
// methods of theirs. Not what others may do to them: to estimates this is
// enough, proofs ask facts/VariableFacts.

#ifndef BARRICADE_MATCHERS_COST_ASSIGNEDVARIABLES_H
#define BARRICADE_MATCHERS_COST_ASSIGNEDVARIABLES_H

#include "llvm/ADT/SetVector.h"

namespace clang {
class CallExpr;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::cost {

/// What \p Call is made for, an operator if \p IsOperator.
const clang::Expr *objectOf(const clang::CallExpr &Call, bool IsOperator);

/// Adds to \p Out the variables that \p S, which may be null, assigns.
void collectAssigned(const clang::Stmt *S,
                     llvm::SmallSetVector<const clang::VarDecl *, 8> &Out);

} // namespace barricade::cost

#endif

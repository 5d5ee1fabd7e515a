// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a generic lambda is a pattern: which functions it calls, and
// which conversions and operators it runs, only its instances know.

#ifndef BARRICADE_MATCHERS_SOURCE_GENERICLAMBDAS_H
#define BARRICADE_MATCHERS_SOURCE_GENERICLAMBDAS_H

#include "llvm/ADT/SmallVector.h"

namespace clang {
class FunctionDecl;
class LambdaExpr;
class Stmt;
} // namespace clang

namespace barricade {

/// The instances of the call operator of \p Lambda, with bodies; of one that is
/// not generic, none.
llvm::SmallVector<const clang::FunctionDecl *, 2>
callInstancesOf(const clang::LambdaExpr &Lambda);

/// \p S is of a pattern: what it does is seen in the instances.
bool isOfPattern(const clang::Stmt &S);

} // namespace barricade

#endif

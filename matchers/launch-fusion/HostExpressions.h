// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which host code does nothing but compute values: it may run before kernels
// that it stood behind, and be run again.

#ifndef BARRICADE_MATCHERS_LAUNCHFUSION_HOSTEXPRESSIONS_H
#define BARRICADE_MATCHERS_LAUNCHFUSION_HOSTEXPRESSIONS_H

#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class ASTContext;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::launch_fusion {

/// \p E has no effects: it reads variables and memory of the host, computes,
/// and calls functions whose bodies do no more. What a kernel that is still
/// running writes to memory that the host reads here, the host could have
/// missed before, too.
bool isPureValue(const clang::Expr &E, const clang::ASTContext &Context);

/// \p S only computes and declares or assigns plain local variables, which are
/// added to \p Changed.
bool isPureStatement(const clang::Stmt &S, const clang::ASTContext &Context,
                     llvm::SmallPtrSetImpl<const clang::VarDecl *> &Changed);

} // namespace barricade::launch_fusion

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which host code does nothing but compute values: it may run before kernels
// that it stood behind, and be run again.

#ifndef BARRICADE_MATCHERS_HOST_HOSTEXPRESSIONS_H
#define BARRICADE_MATCHERS_HOST_HOSTEXPRESSIONS_H

#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class ASTContext;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::host {

/// \p S only computes and declares or assigns plain local variables, which are
/// added to \p Changed.
bool isPureStatement(const clang::Stmt &S, const clang::ASTContext &Context,
                     llvm::SmallPtrSetImpl<const clang::VarDecl *> &Changed);

} // namespace barricade::host

#endif

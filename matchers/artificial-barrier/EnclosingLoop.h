// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A uniform loop between a guard and the loop that takes the barrier:
//
//   if (i < n)
//     for (j = 0; j < m; ++j)       // this one
//       for (k = 0; k < 8; ++k) ...
//
// Where the guard moves inside, the threads that do not pass it run this loop's
// header as well. A loop that keeps all threads until the last is done with it
// is such a guard, too.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_ENCLOSINGLOOP_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_ENCLOSINGLOOP_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class Expr;
class ForStmt;
class Stmt;
} // namespace clang

namespace barricade::artificial_barrier {

/// All threads of a block may run the header of \p Loop, which stands in the
/// `if` or loop \p Guard, and then count alike. So it computes with its own
/// variables and with such as nothing in the guard sets and \p IsUniform
/// accepts; it calls nothing and looks at no memory through a pointer. \p
/// Innermost is the guard next to the loop: a variable that lives longer is not
/// the loop's own.
bool allThreadsMayCount(const clang::ForStmt &Loop, const clang::Stmt &Guard,
                        const clang::Stmt &Innermost,
                        llvm::function_ref<bool(const clang::Expr &)> IsUniform,
                        clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif

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

namespace barricade::facts {
class VariableFacts;
} // namespace barricade::facts

namespace barricade::artificial_barrier {

/// All threads of a block may run the header of \p Loop, which stands in the
/// `if` or loop \p Guard, and then count alike. So it computes with its own
/// variables and with such as nothing in the guard sets and \p IsUniform
/// accepts; it calls nothing and looks at no memory through a pointer. Where no
/// thread of the block passes the guard, nobody would have run the header, so
/// nothing in it may be undefined for any value, it ends for any bound, and
/// what the guard asks for is no part of it: a step of 0, a division by 0 and a
/// start beyond the bound are kept from the loop by such conditions. A loop
/// that keeps all threads until the last is done is left with it, so that one
/// of them runs the header anyhow. \p Innermost is the guard next to the loop:
/// a variable that lives longer is not the loop's own. \p Function are the
/// facts of the function that holds them.
bool allThreadsMayCount(const clang::ForStmt &Loop, const clang::Stmt &Guard,
                        const clang::Stmt &Innermost,
                        const facts::VariableFacts &Function,
                        llvm::function_ref<bool(const clang::Expr &)> IsUniform,
                        clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif

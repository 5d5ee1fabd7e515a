// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables that nobody else knows in this build, and somebody may in
// another one:
//
//   int done = 0;
//   #ifdef MAPPED
//   share(&done); // A kernel sets it.
//   #endif
//   for (; step < steps && !done; ++step)
//     relax<<<grid, block>>>(a, b);

#ifndef BARRICADE_REWRITERS_OTHERSHARING_H
#define BARRICADE_REWRITERS_OTHERSHARING_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade {

class OtherBuilds;

/// A local variable of \p Function that \p Parts of it name, and that stands
/// outside of them, may be a reference in another build, be kept elsewhere, or
/// have its address, or itself as a reference, given to somebody.
bool mayBeSharedElse(const clang::FunctionDecl &Function,
                     llvm::ArrayRef<const clang::Stmt *> Parts,
                     OtherBuilds &Others, clang::ASTContext &Context);

} // namespace barricade

#endif

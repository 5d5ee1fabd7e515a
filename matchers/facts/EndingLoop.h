// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of the host that come to an end whatever their values are, as far as a
// counter shows it: `for (int i = 0; i < n; ++i)`, `while (n-- > 0)`.

#ifndef BARRICADE_MATCHERS_FACTS_ENDINGLOOP_H
#define BARRICADE_MATCHERS_FACTS_ENDINGLOOP_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::facts {

/// \p Loop ends, or its program's behaviour is undefined: a part of its
/// condition asks a local variable that each iteration counts towards where the
/// answer is no. Says nothing of loops within it, nor of what it calls. \p
/// IsShared: others than those that name the variable may change it.
bool isSeenToEnd(const clang::Stmt &Loop, const clang::ASTContext &Context,
                 llvm::function_ref<bool(const clang::VarDecl &)> IsShared);

/// \p Loop has a condition that is not always true and calls nothing but
/// kernels, and has, as its caller knows, no atomic and no volatile accesses:
/// where it goes on for ever without a launch, behaviour is undefined (C++,
/// [intro.progress]; GCC's -ffinite-loops).
bool isAssumedToEnd(const clang::Stmt &Loop, const clang::ASTContext &Context);

} // namespace barricade::facts

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a piece of host code runs again and again, so that what only its
// first time costs is earned back.

#ifndef BARRICADE_MATCHERS_COST_REPETITION_H
#define BARRICADE_MATCHERS_COST_REPETITION_H

#include "matchers/cost/CostOnly.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade {

/// The unit shows that \p S, in the body of \p Function, may run often: it
/// stands in a loop, or the function is named in one, or in a function that is.
/// What other units do with the function is not known here.
CostOnly<bool> isSeenRepeated(const clang::Stmt &S,
                              const clang::FunctionDecl &Function,
                              clang::ASTContext &Context);

} // namespace barricade

#endif

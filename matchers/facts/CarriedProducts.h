// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of floating-point numbers that one iteration of a loop leaves for
// the next one.
//
//   for (int k = 0; k < n; ++k)
//     acc = (acc + in[k]) * rate[k];
//
// Where a compiler unrolls the loop it sees the product together with the next
// iteration's sum, and contracts the two into one operation, which rounds once
// (matchers/facts/Products.h). Where something keeps it from unrolling, as a
// barrier in the loop does, both are rounded.

#ifndef BARRICADE_MATCHERS_FACTS_CARRIEDPRODUCTS_H
#define BARRICADE_MATCHERS_FACTS_CARRIEDPRODUCTS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade::facts {

/// Where an iteration of \p Loop, in \p Function, may make a product that a
/// later one may add to, by a variable or by memory; invalid: nowhere.
clang::SourceLocation carriedProduct(const clang::Stmt &Loop,
                                     const clang::FunctionDecl &Function);

} // namespace barricade::facts

#endif

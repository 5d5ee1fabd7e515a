// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that tell others where they are when they are made:
//
//   struct Counter {
//     Counter() { Current = this; }
//   };

#ifndef BARRICADE_MATCHERS_FACTS_OWNADDRESS_H
#define BARRICADE_MATCHERS_FACTS_OWNADDRESS_H

#include "clang/AST/TypeBase.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class CallExpr;
} // namespace clang

namespace barricade::facts {

/// What makes an object of type \p T, or of a part of it, may keep its address
/// elsewhere, or that of a part. An array's elements are such parts; what a
/// pointer or a reference refers to is none. Library classes do not by
/// themselves. \p Forgets: a call keeps no address that it is given.
bool mayTellOwnAddress(
    clang::QualType T,
    llvm::function_ref<bool(const clang::CallExpr &)> Forgets);

} // namespace barricade::facts

#endif

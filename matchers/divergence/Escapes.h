// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which local variables something other than what the analysis follows may read
// or write.

#ifndef BARRICADE_MATCHERS_DIVERGENCE_ESCAPES_H
#define BARRICADE_MATCHERS_DIVERGENCE_ESCAPES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

namespace clang {
class VarDecl;
} // namespace clang

namespace barricade::facts {
class VariableFacts;
} // namespace barricade::facts

namespace barricade::divergence {

/// All that escape by the uses \p Facts, each with the use by which it does.
llvm::DenseMap<const clang::VarDecl *, clang::SourceLocation>
escapesOf(const facts::VariableFacts &Facts);

} // namespace barricade::divergence

#endif

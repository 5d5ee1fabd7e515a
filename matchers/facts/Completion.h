// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that leave a way to what stands behind them, as compilers see it
// when they warn of functions that end without a return.

#ifndef BARRICADE_MATCHERS_FACTS_COMPLETION_H
#define BARRICADE_MATCHERS_FACTS_COMPLETION_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class Stmt;
} // namespace clang

namespace barricade::facts {

enum class Judged {
  ByValues,  ///< Conditions that are constant decide, as Clang and g++ do.
  AsWritten, ///< Only loops' conditions and `if constexpr` do, as with g++ once
             ///< a variable with a destructor is declared before.
};

/// \p S, null for an empty statement, may complete normally (a term of the Java
/// Language Specification, 14.22): what stands behind it can be reached. True
/// where it is not known. No statement completes of which \p Leaves says so.
bool completesNormally(
    const clang::Stmt *S, const clang::ASTContext &Context, Judged How,
    llvm::function_ref<bool(const clang::Stmt &)> Leaves = nullptr);

} // namespace barricade::facts

#endif

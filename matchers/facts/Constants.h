// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which number an expression is in every evaluation, as the language has it:
// nothing that takes a look at what variables happen to hold.

#ifndef BARRICADE_MATCHERS_FACTS_CONSTANTS_H
#define BARRICADE_MATCHERS_FACTS_CONSTANTS_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <optional>

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace barricade::facts {

/// The integer that \p E is for the compiler; nothing where it is none, or one
/// that a template's arguments decide. Another build may have another one
/// (SourceConditions.h).
std::optional<llvm::APSInt> integerOf(const clang::Expr &E,
                                      const clang::ASTContext &Context);

/// The same of a floating-point number.
std::optional<llvm::APFloat> floatOf(const clang::Expr &E,
                                     const clang::ASTContext &Context);

} // namespace barricade::facts

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that means something else where it is written a second time, or
// elsewhere: `__LINE__`, `__COUNTER__`, `__func__`, `__builtin_LINE()`, the
// type of a lambda.

#ifndef BARRICADE_MATCHERS_FACTS_PLACEDEPENDENCE_H
#define BARRICADE_MATCHERS_FACTS_PLACEDEPENDENCE_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class Decl;
class Expr;
class Stmt;
class SourceManager;
} // namespace clang

namespace barricade::facts {

/// A copy of the text of \p S may have another value: something of it, its
/// types, template arguments, or arguments that are left to their defaults
/// depends on where it stands. A number that the preprocessor has made of
/// others counts as well. What names lead to is not looked into.
bool dependsOnPlace(const clang::Stmt &S, const clang::SourceManager &SM);

/// The same of a declaration, its type and its initialiser, or the parameters
/// of a template.
bool dependsOnPlace(const clang::Decl &D, const clang::SourceManager &SM);

/// Where \p E itself, not what it is made of, asks for the name of the function
/// that it stands in: `__func__` or `__builtin_FUNCTION()`, be it by an
/// argument or an initialiser that is left to its default. Invalid where it
/// does not; that assert then prints another name harms nobody.
clang::SourceLocation ownNameAskedBy(const clang::Expr &E,
                                     const clang::SourceManager &SM);

/// The first place in \p S where something does.
clang::SourceLocation findOwnName(const clang::Stmt &S,
                                  const clang::SourceManager &SM);

} // namespace barricade::facts

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which types may be classes with code of their own in another build of the
// same sources, so that what only computes here calls functions there:
//
//   #ifdef TRACED
//   struct number { number(int); ~number(); operator int() const; };
//   #else
//   typedef int number;            // and `typedef long number;` is harmless
//   #endif
//   number steps = 3;

#ifndef BARRICADE_MATCHERS_SOURCE_OTHERTYPES_H
#define BARRICADE_MATCHERS_SOURCE_OTHERTYPES_H

#include "clang/AST/TypeBase.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace barricade {

/// Where \p User stands, a build may have other functions of the user's that
/// run where a value of \p Type, as it is spelled, is made, copied, converted
/// or destroyed; or an alias that it names may be a reference there. Pointers
/// and references have none. Declarations are found by
/// their names, whatever they are members of; those in files that this build
/// does not include are not seen, but a type that nobody knows may be a class.
/// Template arguments may be all that any alias may stand for. What a command
/// line defines is taken for a number, or an arithmetic type's name.
bool mayRunElse(clang::QualType Type, clang::SourceLocation User,
                const clang::ASTContext &Context);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a region has in some builds only, and what changes nothing of it:
//
//   #ifdef DEBUG
//     if (step % 10 == 0)
//       printf("step %d\n", step);
//   #endif

#ifndef BARRICADE_REWRITERS_LAUNCHREGION_OPTIONALPRINTS_H
#define BARRICADE_REWRITERS_LAUNCHREGION_OPTIONALPRINTS_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace barricade {
class SourceText;

namespace launch_region {

/// All directives from \p Begin to \p End are conditions without another
/// branch, around whole statements that print by the C library's functions: of
/// values that nothing is called or changed for.
bool holdsOnlyOptionalPrints(clang::SourceLocation Begin,
                             clang::SourceLocation End,
                             const SourceText &Source,
                             const clang::ASTContext &Context,
                             clang::Preprocessor &PP);

} // namespace launch_region
} // namespace barricade

#endif

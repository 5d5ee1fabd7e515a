// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Namespaces that another build may look into, or not:
//
//   #ifdef FAST
//   using namespace fast;
//   #else
//   using namespace exact;
//   #endif

#ifndef BARRICADE_MATCHERS_SOURCE_USINGDIRECTIVES_H
#define BARRICADE_MATCHERS_SOURCE_USINGDIRECTIVES_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
class Decl;
class NamedDecl;
} // namespace clang

namespace barricade {

/// A `using namespace` outside of functions, of the namespace of \p D or of one
/// around it, is compiled under a condition that \p User's place is not under:
/// there another build may find something else by the name of \p D.
bool mayNominateElse(const clang::Decl &D, clang::SourceLocation User,
                     const clang::ASTContext &Context);

/// A `using namespace` that this build may leave out, wherever it stands, is of
/// a namespace in which another one has the name of \p D.
bool mayNominateMore(const clang::NamedDecl &D, clang::SourceLocation User,
                     const clang::ASTContext &Context);

/// What nominates the namespace of \p D, or one around it, or makes it inline,
/// is compiled under a condition that \p User's place is not under: there
/// another build may not find \p D where it is named without that namespace.
bool mayNominateLess(const clang::NamedDecl &D, clang::SourceLocation User,
                     const clang::ASTContext &Context);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of other builds that goes on behind it, or around it: with what follows
// there, in builds that have it.
//
//   #ifdef CHECKED
//     if (n > 64)
//   #endif
//     core<<<grid, block>>>(a, n);
//
// Macros may be such code, and files that are included. A class that another
// build begins has for members what would be functions here.

#ifndef BARRICADE_MATCHERS_SOURCE_OPENENDS_H
#define BARRICADE_MATCHERS_SOURCE_OPENENDS_H

#include "clang/Basic/SourceLocation.h"
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace barricade {

/// By offsets of a file: from where such code ends to the next token in each
/// build, both included. A statement that is put there would be all that the
/// code goes on with. Or from one token of a class to the next: a function
/// there would be a member.
struct OpenEnd {
  unsigned First, Last;
  unsigned Code; ///< Within its last token, or at the class's brace.

  bool contains(unsigned Offset) const {
    return First <= Offset && Offset <= Last;
  }
};

std::vector<OpenEnd> openEndsIn(clang::FileID File,
                                const clang::ASTContext &Context);

/// Such code goes on with what is put at \p Where.
bool isBehindOpenEnd(clang::SourceLocation Where,
                     const clang::ASTContext &Context);

} // namespace barricade

#endif

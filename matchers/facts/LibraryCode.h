// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which code is the toolkit's, the compiler's or the standard library's, whose
// functions do what their documents say. Any other header may be a user's,
// whether or not the build calls it a system header.

#ifndef BARRICADE_MATCHERS_FACTS_LIBRARYCODE_H
#define BARRICADE_MATCHERS_FACTS_LIBRARYCODE_H

#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace barricade::facts {

/// \p D is first declared in a header of the CUDA toolkit, of the compiler or
/// of the C++ standard library.
bool isLibraryCode(const clang::Decl &D);

/// The top-level declarations that may be the program's: of what a build calls
/// system headers, all may call functions of it.
std::vector<const clang::Decl *>
declarationsOutsideLibraries(const clang::ASTContext &Context);

} // namespace barricade::facts

#endif

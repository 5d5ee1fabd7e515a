// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of the user's that this build does not include, and another one may:
//
//   #ifdef GROW
//   #include "grow.h"
//   #endif
//
// They are found as compilers find them, by this build's folders. What is found
// nowhere, or in a folder that headers of a system's or of CUDA's are in,
// counts as a library's: nothing in it meets what a program has.

#ifndef BARRICADE_MATCHERS_SOURCE_LEFTOUTFILES_H
#define BARRICADE_MATCHERS_SOURCE_LEFTOUTFILES_H

#include "clang/Basic/FileEntry.h"
#include "clang/Lex/HeaderSearch.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace barricade {

/// Adds them to those that SourceConditions goes over, at the first of the
/// directives that may include each: for all that asks about \p Context, and
/// before anything does.
void addLeftOutFiles(clang::ASTContext &Context, clang::Preprocessor &PP);

/// What a directive in \p From includes by \p Name; nothing: it is not found.
/// \p Folder: where one of the search was; null: beside \p From.
clang::OptionalFileEntryRef
findIncluded(llvm::StringRef Name, bool IsAngled,
             clang::OptionalFileEntryRef From, const clang::Preprocessor &PP,
             clang::ConstSearchDirIterator *Folder = nullptr);

} // namespace barricade

#endif

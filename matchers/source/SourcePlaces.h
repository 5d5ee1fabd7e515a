// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From Clang's locations to positions that outlive the AST.

#ifndef BARRICADE_MATCHERS_SOURCE_SOURCEPLACES_H
#define BARRICADE_MATCHERS_SOURCE_SOURCEPLACES_H

#include "matchers/Finding.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class LangOptions;
class SourceManager;
} // namespace clang

namespace barricade {

/// The position of \p Where; for a location in a macro, of its expansion. The
/// file is named by its real path, so that two ways to one header agree.
Place placeOf(clang::SourceLocation Where, const clang::SourceManager &SM);

/// One past the last byte of the token at \p Where.
Place placeAfterToken(clang::SourceLocation Where,
                      const clang::SourceManager &SM,
                      const clang::LangOptions &Lang);

/// Where the token at \p Where is written in a file: there, or as an argument
/// of macros. Invalid: the definition of one spells it.
clang::SourceLocation writtenAt(clang::SourceLocation Where,
                                const clang::SourceManager &SM);

/// \p Where stands in a library's macro, be it by way of the program's own:
/// that may leave out what it is given, as `assert` does with NDEBUG.
bool isInLibraryMacro(clang::SourceLocation Where,
                      const clang::SourceManager &SM);

/// \p File lies in \p Folder, or in one within, by their names.
bool isBelow(llvm::StringRef File, llvm::StringRef Folder);

/// \p Where is in the runtime's header, gpu_sync.cuh.
bool isInRuntimeHeader(clang::SourceLocation Where,
                       const clang::SourceManager &SM);

/// \p File, as sources are told to include it, is one of those that are read
/// before a program: what stands in for nvcc's own functions, and what that
/// includes. They are in no folder of a system's.
bool isOfPrelude(llvm::StringRef File, const clang::ASTContext &Context);

/// \p Function as it stands in the source: for an instantiation, the template's
/// pattern.
const clang::FunctionDecl &spelledFunction(const clang::FunctionDecl &Function);

/// Where its definition stands.
clang::SourceLocation spelledLocation(const clang::FunctionDecl &Function);

} // namespace barricade

#endif

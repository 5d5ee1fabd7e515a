// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Braces around the only statement of a loop or of a branch of an `if`.

#ifndef BARRICADE_REWRITERS_ARTIFICIALBARRIER_BRACES_H
#define BARRICADE_REWRITERS_ARTIFICIALBARRIER_BRACES_H

#include "rewriters/artificial-barrier/LoopRewriter.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clang {
class ASTContext;
class Stmt;
} // namespace clang

namespace barricade {
class SourceText;
}

namespace barricade::artificial_barrier {

/// Puts braces around \p Body, which \p Owner holds without any, and \p Last,
/// where it is not empty, before the closing one. Refuses where a macro or a
/// directive is in the way.
void addBraces(const clang::Stmt &Owner, const clang::Stmt &Body,
               llvm::StringRef Last, const SourceText &Source,
               RewriteResult &Result);

/// Puts \p Guard, an `if` with its condition, before the body of \p Loop. One
/// that ends with an `else`, or is a do loop's, gets braces: compilers warn of
/// an `else` behind two `if`s, and of what looks guarded.
void guardBodyOf(const clang::Stmt &Loop, llvm::StringRef Guard,
                 const SourceText &Source, RewriteResult &Result);

/// Writes the closing brace of \p Owner's body, which ends at \p End; \p
/// Before leads to it, as a new line does. In a do loop the condition moves
/// behind the brace.
void closeBody(const clang::Stmt &Owner, clang::SourceLocation End,
               std::string Before, const SourceText &Source,
               RewriteResult &Result);

/// Sees to it that a declaration may stand before \p S: where it is the whole
/// body of a loop or a branch, that gets braces. False where nothing helps.
bool makeRoomBefore(const clang::Stmt &S, const SourceText &Source,
                    RewriteResult &Result, clang::ASTContext &Context);

} // namespace barricade::artificial_barrier

#endif

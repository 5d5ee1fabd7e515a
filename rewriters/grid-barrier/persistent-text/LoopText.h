// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where do the loop's statements stand in its text, and how are pieces of that
// taken out, marked and moved.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_LOOPTEXT_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_LOOPTEXT_H

#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

/// The loop, as it stands in the file.
llvm::StringRef loopText(const Plan &P);

/// The statement in the file, its semicolon included and macros whole; the
/// end is invalid where that cannot be told.
std::pair<clang::SourceLocation, clang::SourceLocation>
extentOf(const Plan &P, const clang::Stmt &S);

/// The same of \p A, with the statements that check its result.
std::pair<clang::SourceLocation, clang::SourceLocation>
extentOf(const Plan &P, const LoopAction &A);

/// Takes the statement at \p Extent out of \p Patch.
void removeText(const Plan &P,
                std::pair<clang::SourceLocation, clang::SourceLocation> Extent,
                bool InBlock, TextPatch &Patch);

/// Takes out what the loop begins with, where a kernel takes it over; returns
/// the place behind.
clang::SourceLocation removeInit(const Plan &P, TextPatch &Patch);

/// Compilers warn of variables that nothing uses but what \p Left names,
/// which is not in the text that becomes of \p Patch.
void markUnused(const Plan &P, const NameSet &Left, TextPatch &Patch);

/// Where the statement around \p S begins.
clang::SourceLocation parentBegin(const Plan &P, const clang::Stmt &S);

/// A piece of the loop's text for another place, behind \p Margin.
std::string movedText(const Plan &P, clang::SourceLocation From,
                      clang::SourceLocation To, const std::string &Margin);

/// \p Statements between braces, behind \p Margin.
std::string inBlock(const Plan &P, llvm::ArrayRef<std::string> Statements,
                    const std::string &Margin);

} // namespace barricade::grid_barrier::persistent

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats what rewrites write by the project's own .clang-format or, where
// there is none, as the file is laid out. What the user wrote stays as it is
// but for the indentation of lines that a rewrite moves.

#ifndef BARRICADE_TOOL_FORMATEDITS_H
#define BARRICADE_TOOL_FORMATEDITS_H

#include "tool/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang::format {
struct FormatStyle;
} // namespace clang::format

namespace barricade {

/// What \p Edits, all of one file whose text is \p Old, insert, laid out by
/// \p Style where \p Path lies; in their order. Only blanks and line ends
/// within the insertions differ from what they insert now. Unchanged where the
/// result is beyond the formatter.
std::vector<std::string>
formattedInsertions(const clang::format::FormatStyle &Style,
                    llvm::StringRef Path, llvm::StringRef Old,
                    llvm::ArrayRef<Edit> Edits);

/// Formats the edits that apply. \p OnProblem gets, for a file whose
/// .clang-format cannot be used, its path and why.
void formatEdits(
    Report &R,
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> OnProblem);

} // namespace barricade

#endif

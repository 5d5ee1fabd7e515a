// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats what rewrites write by the project's own .clang-format or, where
// there is none, as the file is laid out. What the user wrote stays as it is
// but for blanks that a rewrite makes wrong: lines that move are indented anew,
// and lines that become too long are broken. Only where the user's statement
// was indented as the formatter does it: nobody knows how to go on elsewhere.

#ifndef BARRICADE_TOOL_FORMATEDITS_H
#define BARRICADE_TOOL_FORMATEDITS_H

#include "tool/Report.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang::format {
struct FormatStyle;
} // namespace clang::format

namespace barricade {

/// How the edits of one file are laid out.
struct Layout {
  std::vector<std::string> Insertions; ///< Of the edits given, in their order.
  std::vector<Edit>
      OfUser; ///< Of blanks beside them, in the order of the file.
};

/// \p Edits, all of one file whose text is \p Old, laid out by \p Style where
/// \p Path lies. Only blanks and line ends differ from what they make now.
/// \p Statements: the parts of \p Old that the edits are about, beside the
/// lines that they change. Unchanged where the result is beyond the formatter.
Layout layOut(const clang::format::FormatStyle &Style, llvm::StringRef Path,
              llvm::StringRef Old, llvm::ArrayRef<Edit> Edits,
              const std::vector<clang::tooling::Range> &Statements);

/// Formats the edits that apply. \p OnProblem gets, for a file whose
/// .clang-format cannot be used, its path and why.
void formatEdits(
    Report &R,
    llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> OnProblem);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences between texts, line by line, and unified diffs made of them, for
// LLVM's libraries have neither.

#ifndef BARRICADE_TOOL_DIFF_H
#define BARRICADE_TOOL_DIFF_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace barricade {

/// Lines [OldFirst, OldLast) become lines [NewFirst, NewLast), counted from 0.
struct LineChange {
  size_t OldFirst, OldLast, NewFirst, NewLast;
};

/// Neighbouring changes with the equal lines around and between them.
struct Hunk {
  LineChange Whole; ///< The context included.
  llvm::ArrayRef<LineChange> Changes;
};

/// What turns one text into another. Lines are bytes up to and with a line
/// feed, so carriage returns are part of them; the last may have none.
///
/// Lines are matched by E. Myers, "An O(ND) difference algorithm and its
/// variations", 1986.
class LineDiff {
public:
  /// Both texts must outlive this object.
  LineDiff(llvm::StringRef Old, llvm::StringRef New);

  llvm::ArrayRef<llvm::StringRef> oldLines() const { return Old; }
  llvm::ArrayRef<llvm::StringRef> newLines() const { return New; }

  /// Changes with at most \p Context equal lines around them; those whose
  /// context would touch share a hunk.
  std::vector<Hunk> hunks(unsigned Context) const;

private:
  std::vector<llvm::StringRef> Old, New;
  std::vector<LineChange> Changes;
};

/// The diff that turns \p Old into \p New, in Git's form: paths are those below
/// the repository's root, quoted as Git quotes them. Empty where both are
/// equal. `git apply` and `patch -p1` take it.
std::string unifiedDiff(llvm::StringRef Path, llvm::StringRef Old,
                        llvm::StringRef New, unsigned Context = 3);

/// The diff that creates a file.
std::string newFileDiff(llvm::StringRef Path, llvm::StringRef Text);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files as the edits of a run leave them, and which part of them is whose.

#ifndef BARRICADE_VERIFY_REWRITTENTEXT_H
#define BARRICADE_VERIFY_REWRITTENTEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace barricade {

/// Indices of findings.
using Owners = llvm::SmallVector<size_t, 2>;

/// An edit, and the findings that ask for it.
struct OwnedEdit {
  unsigned Offset = 0, Length = 0;
  std::string Text;
  Owners By;
};

/// One file.
class RewrittenFile {
public:
  /// \p Edits are those of the file, in the order in which they are made.
  RewrittenFile(llvm::StringRef Old, llvm::ArrayRef<OwnedEdit> Edits);

  llvm::StringRef text() const { return New; }
  /// Where line \p Line and column \p Column, both from 1, are in text(). What
  /// lies beyond the end is taken for the end.
  unsigned offsetOf(unsigned Line, unsigned Column) const;
  /// Line and column of \p Offset in text(), both from 1.
  std::pair<unsigned, unsigned> lineAndColumn(unsigned Offset) const;
  /// Who wrote the byte at \p Offset of text(); nobody, if it is as it was.
  llvm::ArrayRef<size_t> ownersAt(unsigned Offset) const;
  /// Who wrote what lies nearest to \p Offset of text().
  llvm::ArrayRef<size_t> ownersNear(unsigned Offset) const;
  /// Where the byte at \p Offset of text() was in the old file; nothing, if it
  /// is new.
  std::optional<unsigned> oldOffset(unsigned Offset) const;

private:
  /// A stretch of the new text.
  struct Part {
    unsigned Begin;              ///< In the new text.
    std::optional<unsigned> Old; ///< Where it stood; nothing: it is new.
    Owners By;
  };
  const Part &partAt(unsigned Offset) const;

  std::string New;
  std::vector<Part> Parts; ///< In order; the first begins at 0.
  std::vector<unsigned> Lines;
};

/// All files that change, by canonical path.
using RewrittenFiles = llvm::StringMap<RewrittenFile>;

} // namespace barricade

#endif

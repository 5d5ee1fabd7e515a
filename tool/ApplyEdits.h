// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_APPLYEDITS_H
#define BARRICADE_TOOL_APPLYEDITS_H

#include "matchers/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace barricade {

/// Whether the result depends on which of two edits of one file comes first:
/// they replace a common byte, insert at the same place (unless both allow any
/// order), or one inserts inside of what the other replaces.
bool overlap(const Edit &A, const Edit &B);

/// Whether findings that ask for the same edit mean one and the same: those
/// marked so and includes, while two closing braces at one place are two.
bool isShared(const Edit &A, const Edit &B);

/// The same edits, but one for each place: insertions at one place, and a
/// replacement that begins there, become one. Sorted by file and offset.
std::vector<Edit> oneEditPerPlace(std::vector<Edit> Edits);

/// Puts indices of \p Edits, all of one file, into the order in which
/// applyEdits makes them.
void sortForApplying(std::vector<size_t> &Indices, llvm::ArrayRef<Edit> Edits);

/// The text with all edits made. Bytes outside of them stay as they are, line
/// endings and encoding included. Insertions at one place keep the order given.
/// Fails where an edit reaches beyond the text or replaced ranges intersect.
llvm::Expected<std::string> applyEdits(llvm::StringRef Text,
                                       llvm::ArrayRef<Edit> Edits);

} // namespace barricade

#endif

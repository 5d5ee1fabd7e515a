// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summaries of units become the index of a program, and indexes of its parts
// that of the whole: a merge of sorted files, which holds one record at a time.

#ifndef BARRICADE_PROGRAM_LINK_H
#define BARRICADE_PROGRAM_LINK_H

#include "matchers/Finding.h"
#include "program/RecordFile.h"
#include "llvm/ADT/ArrayRef.h"

namespace barricade::program {

/// Two definitions of one function that a program must not have.
struct DefinitionConflict {
  std::string Function;
  bool AreBothStrong = false; ///< Else their texts differ.
  Place First, Second;
};

/// The first conflict among the definitions that \p R, of a function, lists.
std::optional<DefinitionConflict> conflictIn(const Record &R);

/// Writes what all \p Files say. The result does not depend on their order,
/// nor on what was linked before. Fails where one is damaged, or where two know
/// a unit with different contents.
llvm::Error
link(llvm::MutableArrayRef<RecordFile> Files, llvm::raw_ostream &OS,
     llvm::function_ref<void(const DefinitionConflict &)> OnConflict);

} // namespace barricade::program

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts results on the disk. A file has its old content or its new content,
// never a part of either, whatever happens meanwhile.

#ifndef BARRICADE_TOOL_WRITEFILES_H
#define BARRICADE_TOOL_WRITEFILES_H

#include "tool/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace barricade {

/// Replaces the content of an existing file at once: writes a temporary file
/// beside it and renames that. Permissions and, where allowed, the owner stay;
/// a link stays and its target changes. \p Expected is the content that \p New
/// was made from. Fails, and leaves the file as it is, where the content is
/// another meanwhile, where the file is read-only, and on any input or output
/// error.
llvm::Error replaceFile(llvm::StringRef Path, llvm::StringRef Expected,
                        llvm::StringRef New);

/// Writes a new file, its folders too, or replaces an old one.
llvm::Error writeNewFile(llvm::StringRef Path, llvm::StringRef Content);

/// Writes a report: a file at once, a pipe or a device as it is. Folders must
/// exist.
llvm::Error writeReport(llvm::StringRef Path, llvm::StringRef Content);

/// Writes a report that is too long to be held: \p Write writes it, part by
/// part. Where that fails, so does this, and the file is left as it is.
llvm::Error
writeByParts(llvm::StringRef Path,
             llvm::function_ref<llvm::Error(llvm::raw_ostream &)> Write);

/// A file as the run changes it.
struct ChangedFile {
  std::string Path; ///< Canonical.
  std::string Old;
  std::string New;
  /// It includes the runtime's header, which has to lie beside it: see
  /// tool/HeaderBeside.h.
  bool NeedsHeader = false;
  /// It includes the runtime's header, whose folder its build has to know.
  bool NeedsFolder = false;
};

/// Makes the edits that apply, on the texts as they were parsed. A file that
/// cannot be edited is left out and reported to \p OnError.
std::vector<ChangedFile>
changedFiles(const Report &R, llvm::function_ref<void(llvm::Error)> OnError);

/// Where each changed file goes below \p Dir: to its path relative to the
/// working directory, or, if it is not below that, to its plain name. Fails
/// where two would meet.
llvm::Expected<std::vector<std::string>>
outputPaths(llvm::StringRef Dir, llvm::ArrayRef<ChangedFile> Files);

} // namespace barricade

#endif

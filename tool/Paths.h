// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How files are named: one name to tell them apart, others to show.

#ifndef BARRICADE_TOOL_PATHS_H
#define BARRICADE_TOOL_PATHS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace barricade {

/// The one name of a file: absolute, links resolved. For a file that does not
/// exist, its absolute path without `.` and `..`.
std::string canonicalPath(llvm::StringRef Path);

/// \p Path below \p Dir, without the leading separator; empty if it is not
/// below, or no folder is given. Both are canonical.
llvm::StringRef pathBelow(llvm::StringRef Path, llvm::StringRef Dir);

/// \p Path as it is called from \p Dir: below it if it lies there, else itself.
/// Both are canonical.
std::string pathFrom(llvm::StringRef Path, llvm::StringRef Dir);

/// The canonical working directory.
std::string workingDirectory();

/// The short name of a canonical path: relative to the working directory where
/// it lies below, else the path itself.
std::string displayPath(llvm::StringRef Path);

/// That the folder cannot be made, and \p Why.
llvm::Error cannotCreateFolder(llvm::StringRef Folder, llvm::Error Why);

/// Clang's diagnostics, which name files by absolute paths, with short names.
std::string withShortNames(llvm::StringRef Diagnostics);

/// The running program.
std::string ownPath();

/// What is installed as \p Below the prefix of the running program; where
/// nothing is, \p InSources, of the tree that it was built from.
std::string installedPath(llvm::StringRef Below, llvm::StringRef InSources);

/// The folder above the file \p Path that holds the Git repository; empty if
/// there is none.
std::string gitRoot(llvm::StringRef Path);

/// The project that the source \p Path belongs to: its Git repository, else the
/// nearest folder above with compile_commands.json, in itself or in its build/,
/// else that with compile_flags.txt, else its own folder.
std::string projectRoot(llvm::StringRef Path);

/// The name under which `git apply` finds the file: below its repository, else
/// below the working directory, else below the root folder.
llvm::StringRef pathInDiff(llvm::StringRef Path);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the runtime's header is that rewritten sources include: in a folder
// that the build has to know, or, by --runtime-header=beside, in one beside
// each source, so that any build finds it.

#ifndef BARRICADE_TOOL_HEADERBESIDE_H
#define BARRICADE_TOOL_HEADERBESIDE_H

#include "matchers/Finding.h"
#include "rewriters/Rule.h"
#include "tool/Report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace barricade {

/// \p E includes the header in the way \p Header.
bool includesRuntime(const Edit &E, RuntimeHeader Header);

/// Whether some command that reads the file \p Path, in which such an include
/// is to be, does not find the header.
bool lacksRuntime(const Report &R, llvm::StringRef Path);

/// What helps such a build, as the end of a message: its flags, or else
/// --runtime-header=beside.
std::string adviceForBuild();

/// What helps a build that does not parse because of it; empty: nobody knows
/// where the header is installed, or \p File has other errors.
std::string adviceForUnparsed(const FileReport &File);

llvm::StringRef runtimeHeaderText();

/// Where the header of the source \p Path lies.
std::string headerBeside(llvm::StringRef Path);

/// Whether the header of the source \p Path is yet to be written. Fails where
/// another file has its name, for that is nobody's to overwrite.
llvm::Expected<bool> lacksHeader(llvm::StringRef Path);

/// Writes it where it is missing; fails as lacksHeader and writeNewFile do.
llvm::Error provideHeader(llvm::StringRef Path);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the runtime's header is that rewritten sources include: in a folder
// that the build has to know, or, by --runtime-header=beside, in one beside
// each source, so that any build finds it.

#ifndef BARRICADE_TOOL_HEADERBESIDE_H
#define BARRICADE_TOOL_HEADERBESIDE_H

#include "matchers/Finding.h"
#include "rewriters/Rule.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace barricade {

/// \p E includes the header in the way \p Header.
bool includesRuntime(const Edit &E, RuntimeHeader Header);

/// The folder that a build has to know; empty where it is not installed.
std::string runtimeFolder();

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

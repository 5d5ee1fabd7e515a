// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --runtime-header=beside: the runtime's header lies in a folder beside each
// source that includes it, so that any build finds it.

#ifndef BARRICADE_TOOL_HEADERBESIDE_H
#define BARRICADE_TOOL_HEADERBESIDE_H

#include "matchers/Finding.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace barricade {

/// \p E includes the header that lies beside its file.
bool needsHeaderBeside(const Edit &E);

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

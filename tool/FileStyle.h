// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a file is laid out, where no .clang-format says it: LLVM's style with the
// file's own indentation, line length and braces.

#ifndef BARRICADE_TOOL_FILESTYLE_H
#define BARRICADE_TOOL_FILESTYLE_H

#include "clang/Format/Format.h"
#include "llvm/ADT/StringRef.h"

namespace barricade {

/// Whether a .clang-format holds for the file at \p Path.
bool hasFormatFile(llvm::StringRef Path);

/// The style in which \p Text is written, as far as it shows.
clang::format::FormatStyle styleOfText(llvm::StringRef Text);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `barricade --lsp`: findings, rewrites and reasons inside of editors, by the
// language server protocol, over LLVM's library for it.

#ifndef BARRICADE_TOOL_LSP_SERVER_H
#define BARRICADE_TOOL_LSP_SERVER_H

#include "rewriters/Rule.h"
#include "tool/Configuration.h"
#include "tool/ExitCode.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

namespace barricade {

/// Serves one editor, each file with its own options of \p PerFile, until it
/// says `exit` or closes \p In, and ends the process: with ExitCode::Success
/// after a proper `shutdown`, as the protocol wants it. Messages that make no
/// sense are reported on stderr and passed over.
[[noreturn]] void runLanguageServer(Settings &PerFile,
                                    llvm::ArrayRef<std::unique_ptr<Rule>> Rules,
                                    std::FILE *In, llvm::raw_ostream &Out);

} // namespace barricade

#endif

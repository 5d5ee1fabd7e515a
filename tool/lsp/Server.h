// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `barricade --lsp`: findings, rewrites and reasons inside of editors, by the
// language server protocol, over LLVM's library for it.

#ifndef BARRICADE_TOOL_LSP_SERVER_H
#define BARRICADE_TOOL_LSP_SERVER_H

#include "rewriters/Rule.h"
#include "tool/ExitCode.h"
#include "tool/Options.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

namespace barricade {

/// Serves one editor until it says `exit` or closes \p In, and ends the
/// process: with ExitCode::Success after a proper `shutdown`, as the protocol
/// wants it. Messages that make no sense are reported on stderr and passed
/// over.
[[noreturn]] void runLanguageServer(const Options &Opts,
                                    std::vector<const Rule *> Rules,
                                    std::FILE *In, llvm::raw_ostream &Out);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_COMMAND_H
#define BARRICADE_TOOL_COMMAND_H

#include "rewriters/Rule.h"
#include "tool/ExitCode.h"
#include "llvm/Support/raw_ostream.h"

namespace barricade {

/// The whole command: reads the arguments (without the program's name), runs
/// \p Rules over the files, writes results to \p Out and the rest to \p Err.
ExitCode runCommand(llvm::ArrayRef<const char *> Args,
                    llvm::ArrayRef<std::unique_ptr<Rule>> Rules,
                    llvm::raw_ostream &Out, llvm::raw_ostream &Err);

} // namespace barricade

#endif

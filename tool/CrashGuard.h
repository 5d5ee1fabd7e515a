// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fault in one file must not spoil a run over many, and must be told from a
// source that does not parse.

#ifndef BARRICADE_TOOL_CRASHGUARD_H
#define BARRICADE_TOOL_CRASHGUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace barricade {

/// Makes the process end with ExitCode::Internal, after a stack trace, where a
/// fault is not caught by runGuarded. Call once, after llvm::InitLLVM.
void installCrashHandling();

/// Runs \p Work on a deep stack; false if it crashed (signal, assertion, fatal
/// error). The stack trace is then on stderr, and what \p Work owned is lost.
bool runGuarded(llvm::function_ref<void()> Work);

} // namespace barricade

#endif

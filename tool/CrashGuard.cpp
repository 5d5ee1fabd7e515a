// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/CrashGuard.h"
#include "tool/ExitCode.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <unistd.h>

using namespace llvm;

namespace barricade {

/// LLVM runs the signal handlers for caught faults, too, to print the stack.
static thread_local bool Guarded = false;

static void exitOnCrash(void *) {
  if (!Guarded)
    ::_exit(static_cast<int>(ExitCode::Internal));
}

static void abortOnFatalError(void *, const char *Message, bool) {
  errs() << "barricade: internal error: " << Message << '\n';
  std::abort();
}

void installCrashHandling() {
  setBugReportMsg("barricade failed on this input; please report it with the "
                  "source and the output of --print-command.\n");
  // Handlers run in the order of registration: ours must come after the one
  // that prints the stack.
  sys::AddSignalHandler(exitOnCrash, nullptr);
  install_fatal_error_handler(abortOnFatalError);
  CrashRecoveryContext::Enable();
}

bool runGuarded(function_ref<void()> Work) {
  CrashRecoveryContext Context;
  Context.DumpStackAndCleanupOnFailure = true;
  Guarded = true;
  bool Completed = Context.RunSafely(Work);
  Guarded = false;
  return Completed;
}

} // namespace barricade

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/CrashGuard.h"
#include "tool/ExitCode.h"
#include "clang/Basic/Stack.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <csignal>
#include <cstdlib>
#include <memory>
#include <sys/resource.h>
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

/// Code nested too deeply ends the stack, and a handler needs one of its own.
static void handleOnOwnStack(int Signal) {
  struct sigaction Action;
  sigaction(Signal, nullptr, &Action);
  Action.sa_flags |= SA_ONSTACK;
  sigaction(Signal, &Action, nullptr);
}

/// Gives the calling thread a stack for handlers, unless it has one.
static void provideHandlerStack() {
  constexpr size_t Size = 256 * 1024; // printing a stack trace takes much
  stack_t Known;
  if (sigaltstack(nullptr, &Known) == 0 && Known.ss_size >= Size)
    return;
  static thread_local std::unique_ptr<char[]> Memory;
  Memory = std::make_unique<char[]>(Size);
  stack_t Own = {};
  Own.ss_sp = Memory.get();
  Own.ss_size = Size;
  sigaltstack(&Own, nullptr);
}

void installCrashHandling() {
  setBugReportMsg("barricade failed on this input; please report it with the "
                  "source and the output of --print-command.\n");
  // Handlers run in the order of registration: ours must come after the one
  // that prints the stack.
  sys::AddSignalHandler(exitOnCrash, nullptr);
  install_fatal_error_handler(abortOnFatalError);
  CrashRecoveryContext::Enable();
  handleOnOwnStack(SIGSEGV);
  handleOnOwnStack(SIGBUS);
  // A file that grows too large is an error of that write, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
}

/// Analyses follow expressions to their ends by recursion: of a sum that some
/// generator wrote, that is as deep as it has terms. The memory is taken as it
/// is used, but where the user limits the address space, all of it counts.
static unsigned stackSizeForAnalysis() {
  rlimit Limit;
  return getrlimit(RLIMIT_AS, &Limit) == 0 && Limit.rlim_cur == RLIM_INFINITY
             ? 512u << 20
             : unsigned(clang::DesiredStackSize);
}

bool runGuarded(function_ref<void()> Work) {
  bool Completed = false;
  llvm::thread Deep(std::optional<unsigned>(stackSizeForAnalysis()), [&] {
    provideHandlerStack();
    CrashRecoveryContext Context;
    Context.DumpStackAndCleanupOnFailure = true;
    SaveAndRestore Within(Guarded, true);
    Completed = Context.RunSafely(Work);
  });
  Deep.join();
  return Completed;
}

} // namespace barricade

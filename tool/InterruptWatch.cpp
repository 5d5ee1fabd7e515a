// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/InterruptWatch.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>
#include <semaphore.h>

namespace barricade {

// What a handler of signals may touch.
static sem_t Woken;
static volatile std::sig_atomic_t Pressed;
static struct sigaction Original;

static void noticeInterrupt(int Signal) {
  if (Pressed) {
    sigaction(Signal, &Original, nullptr);
    raise(Signal);
    return;
  }
  Pressed = 1;
  sem_post(&Woken);
}

InterruptWatch::InterruptWatch() {
  Pressed = 0;
  sem_init(&Woken, /*pshared=*/0, /*value=*/0);
  sigaction(SIGINT, nullptr, &Before);
  Original = Before;
  // Whoever has us run in the background does not want us to be interrupted.
  if (Before.sa_handler == SIG_IGN)
    return;
  struct sigaction Ours = {};
  Ours.sa_handler = noticeInterrupt;
  Ours.sa_flags = SA_RESTART;
  sigaction(SIGINT, &Ours, nullptr);
}

InterruptWatch::~InterruptWatch() {
  sigaction(SIGINT, &Before, nullptr);
  if (Pressed)
    raise(SIGINT);
}

void InterruptWatch::finish() { sem_post(&Woken); }

bool InterruptWatch::wait() {
  while (sem_wait(&Woken))
    ; // Another signal came.
  return isInterrupted();
}

bool InterruptWatch::isInterrupted() const { return Pressed; }

void InterruptWatch::endProcess() {
  // Threads may be writing entries of the cache.
  llvm::sys::RunInterruptHandlers();
  signal(SIGINT, SIG_DFL);
  raise(SIGINT);
  std::abort(); // Not reached.
}

} // namespace barricade

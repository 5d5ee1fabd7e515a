// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_SIGNALSHELD_H
#define BARRICADE_TOOL_SIGNALSHELD_H

#include <csignal>

namespace barricade {

/// As long as one of these lives, a request to end (Ctrl-C, kill, a terminal
/// that closes) waits. For short work that must be done as a whole, in the only
/// thread that runs.
class SignalsHeld {
public:
  SignalsHeld() {
    sigset_t Held;
    sigemptyset(&Held);
    for (int Signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
      sigaddset(&Held, Signal);
    pthread_sigmask(SIG_BLOCK, &Held, &Before);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &Before, nullptr); }
  SignalsHeld(const SignalsHeld &) = delete;
  SignalsHeld &operator=(const SignalsHeld &) = delete;

private:
  sigset_t Before;
};

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_INTERRUPTWATCH_H
#define BARRICADE_TOOL_INTERRUPTWATCH_H

#include <csignal>

namespace barricade {

/// While one of these lives, a first Ctrl-C does not end the process, but what
/// it waits for: it can say what it knows. A second one ends it, and so does
/// the end of an object that was interrupted. There is one at a time.
class InterruptWatch {
public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch &) = delete;
  InterruptWatch &operator=(const InterruptWatch &) = delete;

  /// Lets wait() return. Any thread may call it.
  void finish();
  /// Waits for finish(); true where Ctrl-C came before.
  bool wait();
  bool isInterrupted() const;
  /// Ends the process as Ctrl-C does, whatever its threads do.
  [[noreturn]] void endProcess();

private:
  struct sigaction Before;
};

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop on the host without its launches: for the values of some variables,
// or for an answer on copies of them.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_HOSTLOOP_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_HOSTLOOP_H

#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

enum class LoopPart {
  Whole,
  Rest,      ///< What is left of it, where a kernel takes it over.
  UntilWait, ///< What stands behind the first wait is never reached.
};

/// A piece of the loop for the host.
struct HostText {
  std::string Text;
  NameSet Left; ///< Names in the loop that are not in it.
};

/// The loop's text as far as \p Slice goes, where actions other than swaps
/// become what \p TextFor has for them, which may be nothing and names
/// \p Staying.
HostText hostLoop(const Plan &P, const HostSlice &Slice, LoopPart Part,
                  llvm::function_ref<std::string(const LoopAction &)> TextFor,
                  const NameSet &Staying = {});

/// A call of a lambda that runs \p Loop on copies of the variables.
std::string onCopies(const Plan &P, llvm::StringRef Type, llvm::StringRef Begin,
                     const HostText &Loop, llvm::StringRef Returned);

/// Runs the loop until it waits for the first time.
std::string waitingLoop(const Plan &P);

} // namespace barricade::grid_barrier::persistent

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With what is the kernel launched, and what is put around the loop for that.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_LAUNCH_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_LAUNCH_H

#include "rewriters/grid-barrier/persistent-text/Grids.h"
#include "rewriters/grid-barrier/persistent-text/Plan.h"

namespace barricade::grid_barrier::persistent {

struct PersistentLaunch {
  std::string Kernel;
  LaunchGrid Grid;
  /// Grid, block, bytes of shared memory and stream.
  std::vector<std::string> Shape;
  /// Of the runtime's function: these, and what the kernel takes.
  std::vector<std::string> Arguments;
};

/// What the persistent kernel is launched with, before the loop or in it.
PersistentLaunch launchOfKernel(const Plan &P);

/// What must hold for the loop's fills and copies to be ones that CUDA itself
/// would make: where it returns an error, nothing is touched.
std::vector<std::string> rangeConditions(const Plan &P);

/// The function of the runtime that launches it.
llvm::StringRef launchFunction(const Plan &P);

/// What declares \p Name for the value that the kernel leaves of \p Var.
std::string resultDeclaration(const Plan &P, const clang::VarDecl &Var,
                              const std::string &Name);

/// Puts \p Before and \p Behind around the loop, in a block of their own
/// where they need one.
std::vector<Edit> surround(const Plan &P, const std::string &Before,
                           std::string Behind, bool Declares);

} // namespace barricade::grid_barrier::persistent

#endif

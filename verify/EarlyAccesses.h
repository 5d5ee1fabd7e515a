// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that wait for the grid before (griddepcontrol.wait): whether all that
// they do to memory comes after the wait, and must.

#ifndef BARRICADE_VERIFY_EARLYACCESSES_H
#define BARRICADE_VERIFY_EARLYACCESSES_H

#include "verify/DeviceCode.h"
#include <vector>

namespace barricade {

struct EarlyAccess {
  std::vector<CodePlace> Access; ///< Innermost first.
  std::vector<CodePlace> Wait;
};

/// Accesses to memory that others share which stand before the wait or on a way
/// around it, and those that a compiler may move there: loads of what it takes
/// for unchanged, and through pointers that are promised to be the only way to
/// their memory, as assembly then cannot reach it.
std::vector<EarlyAccess> findEarlyAccesses(DeviceCode &Code);

} // namespace barricade

#endif

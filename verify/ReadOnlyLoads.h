// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that a GPU may serve from caches which writes of the same launch do not
// reach (ld.global.nc), of memory that the launch writes.

#ifndef BARRICADE_VERIFY_READONLYLOADS_H
#define BARRICADE_VERIFY_READONLYLOADS_H

#include "verify/DeviceCode.h"
#include <vector>

namespace barricade {

struct StaleLoad {
  std::vector<CodePlace> Load;  ///< Innermost first.
  std::vector<CodePlace> Write; ///< One that it may miss.
};

/// Loads that are said to be of memory which nobody writes (`__ldg`), or that a
/// compiler may take for such since a function promises by `__restrict__` that
/// it reads only, where the kernel also writes into the very object; with a
/// grid barrier also through another of its parameters.
std::vector<StaleLoad> findStaleLoads(DeviceCode &Code);

} // namespace barricade

#endif

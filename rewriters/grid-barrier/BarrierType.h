// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_BARRIERTYPE_H
#define BARRICADE_REWRITERS_GRIDBARRIER_BARRIERTYPE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include <string>

namespace barricade::grid_barrier {

/// The type of grid barrier that stands for an option's strategy.
inline std::string barrierType(llvm::StringRef Strategy) {
  return llvm::StringSwitch<std::string>(Strategy)
      .Case("lock", "barricade::LockGridBarrier")
      .Case("lock-free", "barricade::LockFreeGridBarrier")
      .Case("cooperative", "barricade::CooperativeGridBarrier")
      .Default("barricade::GridBarrier");
}

} // namespace barricade::grid_barrier

#endif

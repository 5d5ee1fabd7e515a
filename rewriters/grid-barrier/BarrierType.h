// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_BARRIERTYPE_H
#define BARRICADE_REWRITERS_GRIDBARRIER_BARRIERTYPE_H

#include "rewriters/Rule.h"
#include "llvm/Support/ErrorHandling.h"
#include <string>

namespace barricade::grid_barrier {

/// The type of grid barrier that stands for an option's strategy.
inline std::string barrierType(SyncStrategy Strategy) {
  switch (Strategy) {
  case SyncStrategy::Automatic:
    return "barricade::GridBarrier";
  case SyncStrategy::Lock:
    return "barricade::LockGridBarrier";
  case SyncStrategy::LockFree:
    return "barricade::LockFreeGridBarrier";
  case SyncStrategy::Cooperative:
    return "barricade::CooperativeGridBarrier";
  }
  llvm_unreachable("covers all");
}

} // namespace barricade::grid_barrier

#endif

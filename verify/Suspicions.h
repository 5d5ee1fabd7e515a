// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the IR of a program shows to be wrong with its synchronisation, or
// cannot show to be right.

#ifndef BARRICADE_VERIFY_SUSPICIONS_H
#define BARRICADE_VERIFY_SUSPICIONS_H

#include "verify/DeviceCode.h"
#include <vector>

namespace barricade {

struct Suspicion {
  enum class Kind {
    DivergentBarrier, ///< Not all threads of a block come to a block barrier.
    PartedGrid,       ///< Not all blocks come to a grid barrier.
    StaleLoad,        ///< A read-only load of memory that the launch writes.
    EarlyAccess,      ///< It may come before the wait for the grid before.
  };
  Kind What;
  std::vector<CodePlace> Where; ///< Itself and calls to it, innermost first.
  /// The branch at which threads part; the write that may be missed.
  std::vector<CodePlace> Because;
};

/// All of a device pass. Changes \p M. \p RestrictParams: nvcc's --restrict.
std::vector<Suspicion> suspicionsIn(llvm::Module &M, bool RestrictParams);

} // namespace barricade

#endif

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A second opinion on block barriers: LLVM's uniformity analysis of what the
// program compiles to. How divergence spreads through values and control is
// LLVM's; what varies among threads to begin with is said here. It shares no
// code with matchers/Divergence, which proved the barriers from the source.

#ifndef BARRICADE_VERIFY_UNIFORMBARRIERS_H
#define BARRICADE_VERIFY_UNIFORMBARRIERS_H

#include "verify/DeviceCode.h"
#include <string>
#include <vector>

namespace barricade {

/// A block barrier that the threads of a block may come to a different number
/// of times.
struct DivergentBarrier {
  /// The barrier and the calls that lead to it, innermost first.
  std::vector<CodePlace> Places;
  /// The branch at which threads part; empty where the barrier is in a function
  /// that calls itself, of which nothing is known.
  std::vector<CodePlace> Branch;
};

/// All of them in the kernels of \p Code.
std::vector<DivergentBarrier> findDivergentBarriers(DeviceCode &Code);

/// The parts of grid barriers in them that some threads of the grid may come to
/// more often than others, those of other blocks included.
std::vector<DivergentBarrier> findPartedGrids(DeviceCode &Code);

} // namespace barricade

#endif

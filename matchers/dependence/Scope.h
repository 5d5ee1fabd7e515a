// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whom the threads of a block must wait for between two steps of one kernel.

#ifndef BARRICADE_MATCHERS_DEPENDENCE_SCOPE_H
#define BARRICADE_MATCHERS_DEPENDENCE_SCOPE_H

#include <cstdint>

namespace barricade::dependence {

/// Ordered: who waits for more waits for less, too, so that the larger of two
/// is enough for both.
enum class Scope : uint8_t {
  None,       ///< Nobody: the order within each thread is enough.
  Block,      ///< Their own block: __syncthreads().
  Neighbours, ///< Blocks at known distances.
  Grid,       ///< All blocks: __gpu_sync().
};

} // namespace barricade::dependence

#endif

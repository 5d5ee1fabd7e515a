// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that wait for the host. While one runs in a stream, the host launches
// others in another stream, and then writes what the first waits for:
//
//   __global__ void wait(volatile int *go) { while (!*go) ; }
//
//   wait<<<1, 1, 0, a>>>(go);
//   for (...) step<<<grid, block, 0, b>>>(...);
//   cudaStreamSynchronize(b);
//   *go = 1;
//
// Launches find room beside it. A kernel that needs room for all its blocks may
// find none, and CUDA may wait for the whole device before it makes a graph.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_HOSTWAIT_H
#define BARRICADE_MATCHERS_GRIDBARRIER_HOSTWAIT_H

#include "matchers/Blocker.h"
#include "clang/Basic/SourceLocation.h"
#include <optional>

namespace barricade {
struct Program;
} // namespace barricade

namespace barricade::grid_barrier {

class UnitUses;

/// A loop that may wait, and the read that decides whether it does.
struct HostWait {
  /// In the host's pass; invalid: only a device's has that code.
  clang::SourceLocation Loop, Read;
};

/// The first loop, or call of the library's, in which a kernel of the unit may
/// wait for the host: one that writes nothing itself, or, where memory is
/// shared with the host, any that waits. What kernels of other units wait for
/// is not seen.
std::optional<HostWait> findHostWait(const Program &Whole,
                                     const UnitUses &Uses);

/// \p Why, where \p Wait has no place of its own.
Blocker blockerOf(const HostWait &Wait, Blocker Why);

} // namespace barricade::grid_barrier

#endif

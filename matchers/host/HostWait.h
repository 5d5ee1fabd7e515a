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

#ifndef BARRICADE_MATCHERS_HOST_HOSTWAIT_H
#define BARRICADE_MATCHERS_HOST_HOSTWAIT_H

#include "matchers/Blocker.h"
#include "clang/Basic/SourceLocation.h"
#include <optional>

namespace barricade {
struct Program;
} // namespace barricade

namespace barricade::host {

/// Where a kernel waits, and the read that decides whether it does. Invalid:
/// only a device's pass has that code.
struct HostWait {
  clang::SourceLocation Loop, Read;
};

/// Whether a kernel of a unit waits for the host: found once, when it is first
/// asked.
class HostWaits {
public:
  explicit HostWaits(const Program &Whole) : Whole(Whole) {}

  /// \p Why, at the first loop, or call of the library's, in which a kernel of
  /// the unit may wait for the host: one that writes nothing itself, or, where
  /// memory is shared with the host, any that waits. Where only a device's pass
  /// has that code, \p Why keeps its place. Nothing: no kernel waits so. What
  /// kernels of other units wait for is not seen.
  std::optional<Blocker> against(Blocker Why);

private:
  const Program &Whole;
  std::optional<std::optional<HostWait>> Found; ///< Once it was asked.
};

} // namespace barricade::host

#endif

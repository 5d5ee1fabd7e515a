// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all GPUs and toolkits allow a kernel (CUDA C++ Programming Guide).

#ifndef BARRICADE_MATCHERS_SOURCE_DEVICELIMITS_H
#define BARRICADE_MATCHERS_SOURCE_DEVICELIMITS_H

#include <cstdint>

namespace barricade {

/// Static shared memory ("Technical Specifications per Compute Capability").
inline constexpr uint64_t MaxStaticSharedBytes = 48 * 1024;

/// Parameters together ("Function Parameters": more since CUDA 12.1 and compute
/// capability 7.0).
inline constexpr uint64_t MaxParameterBytes = 4096;

} // namespace barricade

#endif

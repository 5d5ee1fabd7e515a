// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts how often what a rewrite launches came about, in programs that the
// executor runs. Barricade does not see it: names of the program's own that are
// the runtime's would be refused.

#ifndef BARRICADE_TEST_FUZZ_COUNTS_H
#define BARRICADE_TEST_FUZZ_COUNTS_H

#include <barricade/gpu_sync.cuh>

namespace barricade {
inline unsigned persistent, refused;
/// Notes whether a launch that a rewrite has made came about.
inline cudaError_t made(cudaError_t error) {
  ++(error == cudaSuccess ? persistent : refused);
  return error;
}
} // namespace barricade
using barricade::launch_fused;
using barricade::launch_persistent_exact;
#define launch_fused(...) made(launch_fused(__VA_ARGS__))
#define launch_persistent_exact(...) made(launch_persistent_exact(__VA_ARGS__))

#endif

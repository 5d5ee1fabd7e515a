// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a kernel in two at a fence that is taken for a barrier, and its launches
// likewise: the second one waits for all threads of the first.
//
// Before:
//   __global__ void update(int *old, int *c, const int *b, int off) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     old[i] = c[i];
//     __threadfence();
//     c[i + off] ^= b[i];
//   }
//   ...
//   update<<<blocks, 256>>>(old, c, b, off);
//
// After:
//   __global__ void update(int *old, int *c, const int *b, int off) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     old[i] = c[i];
//   }
//
//   __global__ void update_rest(int *old, int *c, const int *b, int off) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     c[i + off] ^= b[i];
//   }
//   ...
//   update<<<blocks, 256>>>(old, c, b, off);
//   update_rest<<<blocks, 256>>>(old, c, b, off);

#ifndef BARRICADE_REWRITERS_FENCEASBARRIER_SPLITTEXT_H
#define BARRICADE_REWRITERS_FENCEASBARRIER_SPLITTEXT_H

#include "matchers/Finding.h"
#include "matchers/Program.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/fence-as-barrier/SplitAtFence.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace barricade::fence_as_barrier {

struct SplitText {
  std::vector<Edit> Edits;
  llvm::StringRef WhyNot; ///< Why there are none; else empty.
};

/// \p Effects are those of the kernel of \p Split, in a device pass of
/// \p Whole.
SplitText writeSplit(const FenceSplit &Split, const KernelEffects &Effects,
                     const Program &Whole);

} // namespace barricade::fence_as_barrier

#endif

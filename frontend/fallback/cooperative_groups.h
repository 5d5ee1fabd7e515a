// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of cooperative groups no more than barricade's own runtime header names:
// programs that use them need the toolkit's. By the guard of that one the
// runtime header knows that they are there.

#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#pragma clang system_header

#include "cuda_runtime.h"

namespace cooperative_groups {

class grid_group {
public:
  __device__ bool is_valid() const;
  __device__ void sync() const;
};
__device__ grid_group this_grid();

} // namespace cooperative_groups

#endif // _COOPERATIVE_GROUPS_H_

// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#ifdef TWO
#define BY(p) __ldg(p)
#else
#define BY(p) *(p)
#endif
__device__ inline float scaled(const float *x, float by = BY(&Table[1])) {
  return x[0] * by;
}

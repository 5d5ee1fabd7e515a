// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of included.cu.

#ifndef INCLUDED_KERNELS_CUH
#define INCLUDED_KERNELS_CUH

#include <cuda_runtime.h>

namespace included {

/// Of the arrays, those that the loop knows are swapped.
__global__ void pull(const int *__restrict__ in, int *out, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[(i + by) % n] * 3 + i;
}

template <typename T> __global__ void shrink(T *p, int n, T most) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    p[i] %= most;
}

} // namespace included

#include "included_source.cu"

#endif

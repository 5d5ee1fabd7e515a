// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

__global__ void shifted(float *at, int by) {
  at[threadIdx.x + blockIdx.x * blockDim.x] *= float(by);
}

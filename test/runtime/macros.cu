// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs define macros of one letter, here or by -D: the runtime's header
// uses no such name. CUDA's own headers do, so that they come first.

#include <cooperative_groups.h>
#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>

#define A 256
#define B 256
#define C 256
#define D 256
#define E 256
#define F 256
#define G 256
#define H 256
#define I 256
#define J 256
#define K 256
#define L 256
#define M 256
#define N 256
#define O 256
#define P 256
#define Q 256
#define R 256
#define S 256
#define T 256
#define U 256
#define V 256
#define W 256
#define X 256
#define Y 256
#define Z 256

#include "runtime/barricade/gpu_sync.cuh"

__global__ void step(barricade::GridBarrier bar, int *data) {
  data[blockIdx.x] += 1;
  __gpu_sync(bar);
  data[blockIdx.x] += data[(blockIdx.x + 1) % gridDim.x];
}

cudaError_t run(int *data) {
  return barricade::launch_persistent(step, dim3(4), dim3(64), 0, nullptr,
                                      data);
}
